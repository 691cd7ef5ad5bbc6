import { createHash } from 'node:crypto';
import type { Hash } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip, gzipSync } from 'node:zlib';
import type { Gzip } from 'node:zlib';
import { DaybookError } from '#domain/errors/daybook-error.ts';
import { LONGEST_LINE, mostUnpacked } from '#domain/storage/object-bounds.ts';
import type { Format, Table } from '#domain/revision/manifest.ts';
import type { LinePlace } from '#domain/transcoding/transcoded-invoice.ts';
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
/** The size of the first buffer. Most days need no more, and memory that is given back costs them garbage collections. */
const FIRST_BUFFER_BYTES = 64 * 1024;
/** The most bytes of UTF-8 for one unit of a string. */
const MOST_BYTES_A_UNIT = 3;
const LINE_END = 0x0a;

/** A file on the local disk while it is written. */
interface FileOnDisk {
  path: string;
  gzip: Gzip;
  written: Promise<void>;
}

/**
 * Writes the lines of one gzip file. Computes its hash and size while writing. Lines that fit into one buffer stay in memory:
 * most days have no more, and a compressor, a stream and a file cost them more than their rows.
 */
export class SpoolWriter {
  readonly #path: () => string;
  readonly #table: Table;
  readonly #format: Format;
  readonly #room: { left: number };
  readonly #hash: Hash = createHash('sha256');
  readonly #stopping = new AbortController();
  #file: FileOnDisk | undefined;
  /** Buffers that the compressor no longer needs. */
  readonly #free: Buffer[] = [];
  #buffer: Buffer = Buffer.allocUnsafeSlow(FIRST_BUFFER_BYTES);
  #used = 0;
  #bytes = 0;
  #unpacked = 0;
  #rows = 0;

  /**
   * @param path gives the path of the file when it is needed
   * @param room `left`: bytes that all files of the spool may still take
   */
  constructor(path: () => string, table: Table, format: Format, room: { left: number }) {
    this.#path = path;
    this.#table = table;
    this.#format = format;
    this.#room = room;
  }

  #onDisk(): FileOnDisk {
    if (this.#file !== undefined) return this.#file;
    const path = this.#path();
    // Node writes no time and no name into a gzip header, so equal rows give equal bytes.
    const gzip = createGzip(GZIP);
    const measure = new Transform({
      transform: (chunk: Buffer, _encoding, done) => {
        if (this.#measure(chunk)) done(null, chunk);
        else done(new SpoolFullError('the rows need more of the local disk than the function has'));
      },
    });
    const { signal } = this.#stopping;
    const written = pipeline(gzip, measure, createWriteStream(path, { mode: 0o600 }), { signal });
    written.catch(() => undefined);
    this.#file = { path, gzip, written };
    return this.#file;
  }

  /** Counts packed bytes. @returns whether the spool has room for them */
  #measure(packed: Buffer): boolean {
    this.#hash.update(packed);
    this.#bytes += packed.length;
    this.#room.left -= packed.length;
    return this.#room.left >= 0;
  }

  /** Adds a line that is not a row. */
  addHeader(line: string): void {
    this.#add(line);
  }

  /**
   * Adds a row.
   *
   * @param start the beginning of the line
   * @param rest what follows it, without the line end
   * @returns the line in UTF-8, valid until the next line is added
   * @throws {UnreadableRowsError} when the line is too long to be read back
   */
  addRow(start: string, rest = ''): Uint8Array {
    if (start.length + rest.length > LONGEST_LINE) {
      throw new UnreadableRowsError(`a row of ${this.#table} has more than ${LONGEST_LINE} characters`);
    }
    this.#rows += 1;
    return this.#add(start, rest);
  }

  /**
   * Adds a row whose line is already written.
   *
   * @param lines UTF-8
   * @param place where the line stands in them, without its line end
   * @returns the line, valid until the next one is added
   * @throws {UnreadableRowsError} when the line is too long to be read back
   */
  addLine(lines: Buffer, { start, end }: LinePlace): Uint8Array {
    const bytes = end - start + 1;
    // A long line is rare, and its characters may be fewer than its bytes.
    if (bytes > LONGEST_LINE) return this.addRow(lines.toString('utf8', start, end));
    this.#rows += 1;
    this.#makeRoom(bytes, () => bytes);
    const at = this.#used;
    lines.copy(this.#buffer, at, start, end);
    this.#used = at + bytes;
    this.#buffer[this.#used - 1] = LINE_END;
    return this.#buffer.subarray(at, this.#used - 1);
  }

  /**
   * Waits while too much is waiting for the compressor.
   *
   * @throws {SpoolFullError} when the disk is full
   */
  async room(): Promise<void> {
    if (this.#file === undefined) return;
    const { gzip, written } = this.#file;
    if (gzip.destroyed) await written;
    // A failed file never drains.
    if (gzip.writableNeedDrain) await Promise.race([once(gzip, 'drain'), written]);
  }

  /**
   * Ends the file.
   *
   * @throws {SpoolFullError} when the disk is full
   * @throws {UnreadableRowsError} when it could not be read back, because it grows too much when it is
   * unpacked
   */
  async finish(): Promise<SpooledFile> {
    const packed = this.#file === undefined ? { content: this.#packedAtOnce() } : await this.#packedOnDisk();
    if (this.#unpacked > mostUnpacked(this.#bytes)) {
      throw new UnreadableRowsError(`the rows of ${this.#table} repeat themselves too often to be kept`);
    }
    return {
      table: this.#table,
      format: this.#format,
      packed,
      rows: this.#rows,
      bytes: this.#bytes,
      sha256: this.#hash.digest('hex'),
    };
  }

  /** Stops writing. Does nothing after {@link finish}. */
  async abandon(): Promise<void> {
    if (this.#file === undefined) return;
    this.#stopping.abort();
    await this.#file.written.catch(() => undefined);
  }

  /** @throws {SpoolFullError} when the spool has no room for it */
  #packedAtOnce(): Buffer {
    this.#unpacked = this.#used;
    // One piece that has room for all: what is packed has no more than a header and a few bytes in addition.
    const chunkSize = this.#used + 1024;
    const packed = gzipSync(this.#buffer.subarray(0, this.#used), { ...GZIP, chunkSize });
    if (this.#measure(packed)) return packed;
    throw new SpoolFullError('the rows need more of the local disk than the function has');
  }

  async #packedOnDisk(): Promise<{ path: string }> {
    this.#send();
    const { path, gzip, written } = this.#onDisk();
    gzip.end();
    await written;
    return { path };
  }

  #add(first: string, rest = ''): Uint8Array {
    const most = (first.length + rest.length) * MOST_BYTES_A_UNIT + 1;
    this.#makeRoom(most, () => Buffer.byteLength(first) + Buffer.byteLength(rest) + 1);
    const start = this.#used;
    const middle = start + this.#buffer.write(first, start, 'utf8');
    const end = middle + this.#buffer.write(rest, middle, 'utf8');
    this.#buffer[end] = LINE_END;
    this.#used = end + 1;
    return this.#buffer.subarray(start, end);
  }

  /**
   * @param most an upper bound of the bytes that will be added
   * @param exactly how many there will be. Called when they need a buffer of their own
   */
  #makeRoom(most: number, exactly: () => number): void {
    if (most > this.#buffer.length - this.#used && this.#buffer.length < BUFFER_BYTES) this.#grow();
    if (most > this.#buffer.length - this.#used) this.#send();
    // A line may be as large as an answer, so no more than it needs is allocated.
    if (most > this.#buffer.length) this.#buffer = Buffer.allocUnsafeSlow(exactly());
  }

  #grow(): void {
    const larger = Buffer.allocUnsafeSlow(BUFFER_BYTES);
    this.#buffer.copy(larger, 0, 0, this.#used);
    this.#buffer = larger;
  }

  /** Gives the buffer to the compressor and continues in a free one. */
  #send(): void {
    if (this.#used === 0) return;
    const full = this.#buffer;
    this.#unpacked += this.#used;
    this.#onDisk().gzip.write(full.subarray(0, this.#used), () => {
      // A buffer that was made for a long line is not kept.
      if (full.length === BUFFER_BYTES) this.#free.push(full);
    });
    this.#buffer = this.#free.pop() ?? Buffer.allocUnsafeSlow(BUFFER_BYTES);
    this.#used = 0;
  }
}
