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

/** The rows of a pull need more local disk than the function has. */
export class SpoolFullError extends DaybookError {
  override readonly name = 'SpoolFullError';
}

/** A file of these rows could not be read back: a line is too long, or the lines repeat too often. */
export class UnreadableRowsError extends DaybookError {
  override readonly name = 'UnreadableRowsError';
}

const GZIP = {
  /** Half the work of zlib's usual level 6, for files that are an eighth larger (docs/performance.md). */
  level: 3,
  memLevel: 9,
  chunkSize: 64 * 1024,
  /** Bytes that may wait for the compressor, which runs beside the thread that reads pages. */
  writableHighWaterMark: 1024 * 1024,
};

/** Bytes that go to the compressor at once. Each hand-over costs more than the few lines of one page. */
const BUFFER_BYTES = 256 * 1024;
/** The most bytes of UTF-8 for one unit of a string. */
const MOST_BYTES_A_UNIT = 3;
const LINE_END = 0x0a;

/** Writes the lines of one gzip file. Computes its hash and size while writing. */
export class SpoolWriter {
  readonly #path: string;
  readonly #table: Table;
  readonly #format: Format;
  readonly #gzip: Gzip;
  readonly #hash: Hash = createHash('sha256');
  readonly #stopping = new AbortController();
  readonly #written: Promise<void>;
  /** Buffers that the compressor no longer needs. */
  readonly #free: Buffer[] = [];
  #buffer: Buffer = Buffer.allocUnsafeSlow(BUFFER_BYTES);
  #used = 0;
  #bytes = 0;
  #unpacked = 0;
  #rows = 0;

  /** @param room `left`: bytes that all files of the spool may still take */
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

  /** Adds a line that is not a row. */
  addHeader(line: string): void {
    this.#add(line);
  }

  /**
   * Adds a row.
   *
   * @param line without its line end
   * @returns the line in UTF-8, valid until the next line is added
   * @throws {UnreadableRowsError} when the line is too long to be read back
   */
  addRow(line: string): Uint8Array {
    if (line.length > LONGEST_LINE) {
      throw new UnreadableRowsError(`a row of ${this.#table} has more than ${LONGEST_LINE} characters`);
    }
    this.#rows += 1;
    return this.#add(line);
  }

  /**
   * Waits while too much is waiting for the compressor.
   *
   * @throws {SpoolFullError} when the disk is full
   */
  async room(): Promise<void> {
    if (this.#gzip.destroyed) await this.#written;
    // A failed file never drains.
    if (this.#gzip.writableNeedDrain) await Promise.race([once(this.#gzip, 'drain'), this.#written]);
  }

  /**
   * Ends the file.
   *
   * @throws {SpoolFullError} when the disk is full
   * @throws {UnreadableRowsError} when it could not be read back, because it grows too much when it is
   * unpacked
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

  /** Stops writing. Does nothing after {@link finish}. */
  async abandon(): Promise<void> {
    this.#stopping.abort();
    await this.#written.catch(() => undefined);
  }

  #add(line: string): Uint8Array {
    const most = line.length * MOST_BYTES_A_UNIT + 1;
    if (most > this.#buffer.length - this.#used) this.#send();
    // A line may be as large as an answer, so no more than it needs is allocated.
    if (most > this.#buffer.length) this.#buffer = Buffer.allocUnsafeSlow(Buffer.byteLength(line) + 1);
    const start = this.#used;
    const end = start + this.#buffer.write(line, start, 'utf8');
    this.#buffer[end] = LINE_END;
    this.#used = end + 1;
    return this.#buffer.subarray(start, end);
  }

  /** Gives the buffer to the compressor and continues in a free one. */
  #send(): void {
    if (this.#used === 0) return;
    const full = this.#buffer;
    this.#unpacked += this.#used;
    this.#gzip.write(full.subarray(0, this.#used), () => {
      // A buffer that was made for a long line is not kept.
      if (full.length === BUFFER_BYTES) this.#free.push(full);
    });
    this.#buffer = this.#free.pop() ?? Buffer.allocUnsafeSlow(BUFFER_BYTES);
    this.#used = 0;
  }
}
