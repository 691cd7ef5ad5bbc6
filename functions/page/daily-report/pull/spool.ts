import { createHash, randomBytes, type Hash } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip, gzipSync, type Gzip } from 'node:zlib';
import { DaybookError } from '#records/errors/daybook-error.ts';
import type { Format, Table } from '#records/revision/manifest.ts';
import { LONGEST_LINE, mostUnpacked } from '#records/storage/object-bounds.ts';
import { isRunning, nameOfProcess } from '#runtime/running-process.ts';
import type { SpooledFile } from '#page/day-store.ts';

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
const LINE_END = 0x0a;

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
  readonly #free: Buffer[] = [];
  #buffer: Buffer = Buffer.allocUnsafeSlow(FIRST_BUFFER_BYTES);
  #used = 0;
  #bytes = 0;
  #unpacked = 0;
  #rows = 0;

  /** @param room `left`: bytes that all files of the spool may still take */
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

  addHeader(line: string): void {
    this.#add(Buffer.from(line));
  }

  /** @param line UTF-8, without the line end @throws {UnreadableRowsError} when it is too long to be read back */
  addRow(line: Buffer): void {
    if (line.length > LONGEST_LINE && line.toString().length > LONGEST_LINE) {
      throw new UnreadableRowsError(`a row of ${this.#table} has more than ${LONGEST_LINE} characters`);
    }
    this.#rows += 1;
    this.#add(line);
  }

  /** Waits while too much is waiting for the compressor. @throws {SpoolFullError} when the disk is full */
  async room(): Promise<void> {
    if (this.#file === undefined) return;
    const { gzip, written } = this.#file;
    if (gzip.destroyed) await written;
    // A failed file never drains.
    if (gzip.writableNeedDrain) await Promise.race([once(gzip, 'drain'), written]);
  }

  /**
   * @throws {SpoolFullError} when the disk is full
   * @throws {UnreadableRowsError} when it could not be read back, because it grows too much when it is unpacked
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

  #add(line: Buffer): void {
    const bytes = line.length + 1;
    if (bytes > this.#buffer.length - this.#used && this.#buffer.length < BUFFER_BYTES) this.#grow();
    if (bytes > this.#buffer.length - this.#used) this.#send();
    // A line may be as large as an answer, so no more than it needs is allocated.
    if (bytes > this.#buffer.length) this.#buffer = Buffer.allocUnsafeSlow(bytes);
    this.#buffer.set(line, this.#used);
    this.#used += bytes;
    this.#buffer[this.#used - 1] = LINE_END;
  }

  #grow(): void {
    const larger = Buffer.allocUnsafeSlow(BUFFER_BYTES);
    this.#buffer.copy(larger, 0, 0, this.#used);
    this.#buffer = larger;
  }

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

/** Bytes. Lambda gives 512 MiB of /tmp unless a function asks for more. */
const MOST_BYTES = 480 * 1024 * 1024;

const PREFIX = 'daybook-spool-';

/**
 * Holds a pull's files until the run knows that it needs them. So nothing unfinished reaches S3. Small files are in memory,
 * larger ones on the local disk, so memory stays flat. Each pull has its own spool, which {@link discard} removes.
 */
export class Spool {
  readonly #writers: SpoolWriter[] = [];
  readonly #room: { left: number };
  /** Made when the first file needs it. */
  #directory: string | undefined;

  constructor(mostBytes = MOST_BYTES) {
    this.#room = { left: mostBytes };
  }

  writer(table: Table, format: Format): SpoolWriter {
    const path = () => join(this.#onDisk(), `${table}.${format}.gz`);
    const writer = new SpoolWriter(path, table, format, this.#room);
    this.#writers.push(writer);
    return writer;
  }

  #onDisk(): string {
    if (this.#directory === undefined) {
      removeLeftBehind();
      this.#directory = join(tmpdir(), `${PREFIX}${nameOfProcess()}-${randomBytes(6).toString('hex')}`);
      mkdirSync(this.#directory, { mode: 0o700 });
    }
    return this.#directory;
  }

  /** Removes the files, finished or not. */
  async discard(): Promise<void> {
    await Promise.all(this.#writers.map((writer) => writer.abandon()));
    if (this.#directory !== undefined) await rm(this.#directory, { recursive: true, force: true });
  }
}

/** Removes spools of processes that were killed. They would fill the disk of a warm function. */
function removeLeftBehind(): void {
  for (const name of readdirSync(tmpdir())) {
    const owner = name.startsWith(PREFIX) ? name.slice(PREFIX.length).split('-', 1)[0] : undefined;
    if (owner === undefined || isRunning(owner)) continue;
    try {
      rmSync(join(tmpdir(), name), { recursive: true, force: true });
    } catch {
      // Another person's, on a machine that has several.
    }
  }
}
