import { createHash, randomBytes } from 'node:crypto';
import type { Hash } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { Gzip } from 'node:zlib';
import { DaybookError } from '../core/daybook-error.ts';
import type { Format, Table } from '../core/manifest.ts';
import type { SpooledFile } from '../ports.ts';

/** The rows of a pull need more of the local disk than the function has. */
export class SpoolFullError extends DaybookError {
  override readonly name = 'SpoolFullError';
}

/** Lambda gives 512 MiB of /tmp unless more is asked for. */
const MOST_BYTES = 480 * 1024 * 1024;

const GZIP = {
  /** Half the work of zlib's usual 6 for files a seventh larger (docs/performance.md). */
  level: 4,
  chunkSize: 64 * 1024,
  /** Bytes that may wait for the compressor, which works beside the thread that reads pages. */
  writableHighWaterMark: 1024 * 1024,
};

const PREFIX = 'daybook-spool-';

/**
 * Holds a pull's files on the local disk until it is known that they are wanted, so that nothing half done reaches
 * S3 and memory stays flat. A spool belongs to one pull and is gone after {@link discard}.
 */
export class Spool {
  readonly #directory: string;
  readonly #writers: SpoolWriter[] = [];
  readonly #room: { left: number };

  private constructor(directory: string, mostBytes: number) {
    this.#directory = directory;
    this.#room = { left: mostBytes };
  }

  /** @param mostBytes of all its files together */
  static async open(mostBytes = MOST_BYTES): Promise<Spool> {
    await removeLeftBehind();
    const directory = join(tmpdir(), `${PREFIX}${process.pid}-${randomBytes(6).toString('hex')}`);
    await mkdir(directory, { mode: 0o700 });
    return new Spool(directory, mostBytes);
  }

  /** A new file for the rows of one table in one format. */
  writer(table: Table, format: Format): SpoolWriter {
    const writer = new SpoolWriter(join(this.#directory, `${table}.${format}.gz`), table, format, this.#room);
    this.#writers.push(writer);
    return writer;
  }

  /** Removes the files, whether they were finished or not. */
  async discard(): Promise<void> {
    await Promise.all(this.#writers.map((writer) => writer.abandon()));
    await rm(this.#directory, { recursive: true, force: true });
  }
}

/** A process that was killed leaves its spool behind; in a warm function that would fill the disk. */
async function removeLeftBehind(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const owner = new RegExp(`^${PREFIX}(\\d+)-`).exec(name)?.[1];
    if (owner === undefined || isAlive(Number(owner))) continue;
    await rm(join(tmpdir(), name), { recursive: true, force: true });
  }
}

function isAlive(processId: number): boolean {
  try {
    process.kill(processId, 0);
    return true;
  } catch (error) {
    // Somebody else's process may not be asked, but it is there.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** Writes one gzip file and knows its hash and size without reading it again. */
export class SpoolWriter {
  readonly #path: string;
  readonly #table: Table;
  readonly #format: Format;
  readonly #gzip: Gzip;
  readonly #hash: Hash = createHash('sha256');
  readonly #stopping = new AbortController();
  readonly #written: Promise<void>;
  #bytes = 0;
  #rows = 0;

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

  /**
   * @param text whole lines with their line ends
   * @param rows how many rows they are
   * @throws {SpoolFullError} when the disk has no room
   */
  async write(text: string, rows: number): Promise<void> {
    this.#rows += rows;
    if (this.#gzip.destroyed) await this.#written;
    if (this.#gzip.write(text)) return;
    // A failed file never drains.
    await Promise.race([once(this.#gzip, 'drain'), this.#written]);
  }

  /** Ends the file. */
  async finish(): Promise<SpooledFile> {
    this.#gzip.end();
    await this.#written;
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
}
