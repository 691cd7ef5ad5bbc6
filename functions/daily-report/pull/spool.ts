import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Format, Table } from '#domain/revision/manifest.ts';
import { isRunning, nameOfProcess } from '#runtime/running-process.ts';
import { SpoolWriter } from './spool-writer.ts';

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

  /** @param mostBytes the most bytes of all its files together */
  constructor(mostBytes = MOST_BYTES) {
    this.#room = { left: mostBytes };
  }

  /** A new file for the rows of one table in one format. */
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
