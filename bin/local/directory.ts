import {
  accessSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { isRunning, nameOfProcess } from '#runtime/running-process.ts';
import { pastedLine } from '#mail/notices/ops-command.ts';
import { SERVING_FILE } from '../daybook/context.ts';
import { codeOf } from '../daybook/files.ts';
import { UsageError } from '../daybook/terminal/command-errors.ts';

export const NAMES = {
  objects: 's3',
  mails: 'mail',
  queues: 'queues',
  events: 'events.jsonl',
  log: 'daybook.log',
  payments: 'payments.sqlite',
  /** The functions' /tmp. It is removed at the end of the run. */
  temporary: 'functions.tmp',
  /** Names the process of the run that uses the directory. */
  lock: 'running.pid',
  /** Says how to reach the run that serves. It is removed at the end of the run. */
  serving: SERVING_FILE,
  /** The credentials of a merchant that is not added yet, as `daybook merchant add` reads them. */
  newMerchant: 'new-merchant.json',
} as const;

const OURS: readonly string[] = [...Object.values(NAMES), '.s3-meta', `${NAMES.payments}-journal`];
/** What the directory may contain before the payment service's records, which a run writes first. */
const EARLIEST: readonly string[] = [NAMES.temporary, NAMES.lock];

/** What other commands of the repository keep in the same directory, which is `.local` by default. A run leaves it alone. */
const OF_OTHER_COMMANDS = /^(?:aws|beside\.log|lake|mail-pictures|moto|trino|[a-z]+-results\.json)$/;

/**
 * Reserves the directory for this run, and makes it if its parent exists. It only ever removes what local runs have written.
 *
 * @param fresh whether to remove what earlier runs have written
 * @returns releases the directory. A second call does nothing
 * @throws {UsageError} when it holds other files, another run uses it, or it cannot be written to
 */
export function claimDirectory(directory: string, fresh: boolean): () => void {
  const entries = asUsage(directory, () => {
    if (!existsSync(directory)) mkdirSync(directory);
    return readdirSync(directory);
  });
  const isExpected = (name: string) => EARLIEST.includes(name) || OF_OTHER_COMMANDS.test(name);
  if (!entries.includes(NAMES.payments) && !entries.every(isExpected)) {
    throw new UsageError(
      `${directory} holds other files than those of a local run; choose another with --directory`,
    );
  }
  const lock = join(directory, NAMES.lock);
  asUsage(directory, () => lockFor(lock, directory));
  // What another person's run wrote may be private.
  for (const name of entries.filter((entry) => OURS.includes(entry))) {
    const path = join(directory, name);
    if (lstatSync(path).isSymbolicLink()) {
      throw new UsageError(`${path} is a link; remove it, or choose another with --directory`);
    }
    asUsage(path, () => accessSync(path, constants.W_OK));
  }
  const remove = (names: readonly string[]) => {
    for (const name of names) rmSync(join(directory, name), { recursive: true, force: true });
  };
  remove(fresh ? OURS.filter((name) => name !== NAMES.lock) : [NAMES.temporary, NAMES.serving]);
  mkdirSync(join(directory, NAMES.temporary));

  let released = false;
  const release = () => {
    if (released) return;
    released = true;
    remove([NAMES.serving, NAMES.lock]);
    try {
      remove([NAMES.temporary]);
    } catch {
      // After Ctrl-C a function may still be writing there. Then the next run removes it.
    }
  };
  process.once('exit', release);
  return release;
}

function lockFor(lock: string, directory: string): void {
  for (let attempt = 1; ; attempt += 1) {
    try {
      writeFileSync(lock, `${nameOfProcess()}\n`, { flag: 'wx' });
      return;
    } catch (error) {
      if (codeOf(error) !== 'EEXIST' || attempt > 3) throw error;
    }
    const holder = readFileSync(lock, 'utf8').trim();
    if (isRunning(holder)) throw new UsageError(inUse(directory, Number.parseInt(holder, 10)));
    rmSync(lock, { force: true });
  }
}

function inUse(directory: string, holder: number): string {
  const user = `${directory} is in use by another run (process ${holder}, see ${join(directory, NAMES.lock)})`;
  return existsSync(join(directory, NAMES.serving))
    ? `${user}, which serves: work with it by "${pastedLine('daybook', ['status'], { local: true, directory })}", end it with Ctrl-C, or choose another with --directory`
    : `${user}: wait until it has ended, or choose another with --directory`;
}

const FAULTS: Readonly<Record<string, (path: string) => string>> = {
  EEXIST: () => 'is not a directory',
  ENOTDIR: () => 'is not a directory',
  ENOENT: (path) => `cannot be made, because ${dirname(path)} does not exist`,
};

function asUsage<T>(path: string, use: () => T): T {
  try {
    return use();
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
    const code = codeOf(error);
    const fault = FAULTS[code]?.(path) ?? `cannot be written to (${code})`;
    throw new UsageError(`${path} ${fault}; choose another with --directory`, { cause: error });
  }
}
