import { randomBytes } from 'node:crypto';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Format, Table } from '#domain/revision/manifest.ts';
import { SpoolWriter } from './spool-writer.ts';

/** Bytes. Lambda gives 512 MiB of /tmp unless a function asks for more. */
const MOST_BYTES = 480 * 1024 * 1024;

const PREFIX = 'daybook-spool-';

/**
 * Holds a pull's files on the local disk until the run knows that it needs them. So nothing unfinished
 * reaches S3, and memory stays flat. Each pull has its own spool, which {@link discard} removes.
 */
export class Spool {
  readonly #directory: string;
  readonly #writers: SpoolWriter[] = [];
  readonly #room: { left: number };

  private constructor(directory: string, mostBytes: number) {
    this.#directory = directory;
    this.#room = { left: mostBytes };
  }

  /** @param mostBytes the most bytes of all its files together */
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

  /** Removes the files, finished or not. */
  async discard(): Promise<void> {
    await Promise.all(this.#writers.map((writer) => writer.abandon()));
    await rm(this.#directory, { recursive: true, force: true });
  }
}

/** Removes spools of processes that were killed. They would fill the disk of a warm function. */
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
    // The process exists but belongs to another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
