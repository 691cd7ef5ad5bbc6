import { createHash } from 'node:crypto';
import type { Hash } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { Gzip } from 'node:zlib';
import { DaybookError } from '#domain/errors/daybook-error.ts';
import { LONGEST_LINE, mostUnpacked } from '#domain/storage/object-bounds.ts';
import type { Format, Table } from '#domain/revision/manifest.ts';
import type { SpooledFile } from '#snapshots/spooled-file.ts';

/** The rows of a pull need more of the local disk than the function has. */
export class SpoolFullError extends DaybookError {
  override readonly name = 'SpoolFullError';
}

/** The rows come to a file that could not be read back: a line is too long, or all of them say the same over and over. */
export class UnreadableRowsError extends DaybookError {
  override readonly name = 'UnreadableRowsError';
}

const GZIP = {
  /** Half the work of zlib's usual 6 for files an eighth larger (docs/performance.md). */
  level: 3,
  memLevel: 9,
  chunkSize: 64 * 1024,
  /** Bytes that may wait for the compressor, which works beside the thread that reads pages. */
  writableHighWaterMark: 1024 * 1024,
};

/** Bytes that go to the compressor at once: its turn costs more than a page's few lines. */
const BUFFER_BYTES = 256 * 1024;
/** Bytes of UTF-8 that one unit of a string takes at most. */
const MOST_BYTES_A_UNIT = 3;
const LINE_END = 0x0a;

/** Writes the lines of one gzip file, and knows its hash and size without reading it again. */
export class SpoolWriter {
  readonly #path: string;
  readonly #table: Table;
  readonly #format: Format;
  readonly #gzip: Gzip;
  readonly #hash: Hash = createHash('sha256');
  readonly #stopping = new AbortController();
  readonly #written: Promise<void>;
  /** Buffers that the compressor is done with. */
  readonly #free: Buffer[] = [];
  #buffer: Buffer = Buffer.allocUnsafeSlow(BUFFER_BYTES);
  #used = 0;
  #bytes = 0;
  #unpacked = 0;
  #rows = 0;

  /** @param room bytes that all files of the spool may still take */
  constructor(path: string, table: Table, format: Format, room: { left: number }) {
    this.#path = path;
    this.#table = table;
    this.#format = format;
    // Node writes no time and no name into a gzip header, so equal rows give equal bytes.
    this.#gzip = createGzip(GZIP);
    const measure = new Transform({
      transform: (chunk: Buffer, _encoding, done) => {
        this.#hash.update(chunk);
        this.#bytes += chunk.length;
        room.left -= chunk.length;
        if (room.left < 0)
          done(new SpoolFullError('the rows need more of the local disk than the function has'));
        else done(null, chunk);
      },
    });
    this.#written = pipeline(this.#gzip, measure, createWriteStream(path, { mode: 0o600 }), {
      signal: this.#stopping.signal,
    });
    this.#written.catch(() => undefined);
  }

  /** Adds a line that is no row. */
  addHeader(line: string): void {
    this.#add(line);
  }

  /**
   * Adds a row.
   *
   * @param line without its line end
   * @returns the line in UTF-8, there until the next one is added
   * @throws {UnreadableRowsError} when it is too long to be read back
   */
  addRow(line: string): Uint8Array {
    if (line.length > LONGEST_LINE) {
      throw new UnreadableRowsError(`a row of ${this.#table} has more than ${LONGEST_LINE} characters`);
    }
    this.#rows += 1;
    return this.#add(line);
  }

  /**
   * Waits for the compressor where much is waiting for it.
   *
   * @throws {SpoolFullError} when the disk has no room
   */
  async room(): Promise<void> {
    if (this.#gzip.destroyed) await this.#written;
    // A failed file never drains.
    if (this.#gzip.writableNeedDrain) await Promise.race([once(this.#gzip, 'drain'), this.#written]);
  }

  /**
   * Ends the file.
   *
   * @throws {SpoolFullError} when the disk has no room
   * @throws {UnreadableRowsError} when it would not be read back: unpacked it is out of proportion
   */
  async finish(): Promise<SpooledFile> {
    this.#send();
    this.#gzip.end();
    await this.#written;
    if (this.#unpacked > mostUnpacked(this.#bytes)) {
      throw new UnreadableRowsError(`the rows of ${this.#table} repeat themselves too often to be kept`);
    }
    return {
      table: this.#table,
      format: this.#format,
      path: this.#path,
      rows: this.#rows,
      bytes: this.#bytes,
      sha256: this.#hash.digest('hex'),
    };
  }

  /** Stops writing; harmless after {@link finish}. */
  async abandon(): Promise<void> {
    this.#stopping.abort();
    await this.#written.catch(() => undefined);
  }

  #add(line: string): Uint8Array {
    const most = line.length * MOST_BYTES_A_UNIT + 1;
    if (most > this.#buffer.length - this.#used) this.#send();
    // A line may be as large as an answer, and three times that is not needed.
    if (most > this.#buffer.length) this.#buffer = Buffer.allocUnsafeSlow(Buffer.byteLength(line) + 1);
    const start = this.#used;
    const end = start + this.#buffer.write(line, start, 'utf8');
    this.#buffer[end] = LINE_END;
    this.#used = end + 1;
    return this.#buffer.subarray(start, end);
  }

  /** Hands what there is to the compressor and goes on in a buffer that it is done with. */
  #send(): void {
    if (this.#used === 0) return;
    const full = this.#buffer;
    this.#unpacked += this.#used;
    this.#gzip.write(full.subarray(0, this.#used), () => {
      // One made for a long line is not worth its room.
      if (full.length === BUFFER_BYTES) this.#free.push(full);
    });
    this.#buffer = this.#free.pop() ?? Buffer.allocUnsafeSlow(BUFFER_BYTES);
    this.#used = 0;
  }
}
