import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { UsageError } from './terminal/usage-error.ts';

/** What stands under the directory. */
export const NAMES = {
  objects: 's3',
  mails: 'mail',
  log: 'daybook.log',
  payments: 'payments.sqlite',
  /** The functions' /tmp; gone when the run is over. */
  temporary: 'functions.tmp',
  /** Holds the number of the process that uses the directory. */
  lock: 'running.pid',
} as const;

const OURS: readonly string[] = [...Object.values(NAMES), '.s3-meta', `${NAMES.payments}-journal`];
/** What may stand there before the payment service's records do, which are the first that a run writes. */
const EARLIEST: readonly string[] = [NAMES.temporary, NAMES.lock];

/** A directory that this run alone may use. */
export interface ClaimedDirectory {
  /** Lets others use it; harmless when called again. */
  release: () => void;
}

/**
 * Makes the directory this run's own, and the directory itself where only its parent is there. Only what runs like this one have left there is ever removed.
 *
 * @param fresh whether to remove that now
 * @throws {UsageError} when it is another's, in use by another run, or cannot be written to
 */
export function claimDirectory(directory: string, fresh: boolean): ClaimedDirectory {
  const entries = asUsage(directory, () => {
    if (!existsSync(directory)) mkdirSync(directory);
    return readdirSync(directory);
  });
  if (!entries.includes(NAMES.payments) && entries.some((name) => !EARLIEST.includes(name))) {
    throw new UsageError(`${directory} holds other things than a local run; choose another with --directory`);
  }
  const lock = join(directory, NAMES.lock);
  asUsage(directory, () => lockFor(process.pid, lock, directory));
  // What another person's run has left may be theirs alone.
  for (const name of entries.filter((entry) => OURS.includes(entry))) {
    const path = join(directory, name);
    asUsage(path, () => accessSync(path, constants.W_OK));
  }
  const remove = (names: readonly string[]) => {
    for (const name of names) rmSync(join(directory, name), { recursive: true, force: true });
  };
  remove(fresh ? OURS.filter((name) => name !== NAMES.lock) : [NAMES.temporary]);
  mkdirSync(join(directory, NAMES.temporary));

  let released = false;
  const release = () => {
    if (released) return;
    released = true;
    remove([NAMES.lock]);
    try {
      remove([NAMES.temporary]);
    } catch {
      // At Ctrl-C a function may be writing there still; then the next run removes it.
    }
  };
  process.once('exit', release);
  return { release };
}

function lockFor(processId: number, lock: string, directory: string): void {
  for (let attempt = 1; ; attempt += 1) {
    try {
      writeFileSync(lock, `${processId}\n`, { flag: 'wx' });
      return;
    } catch (error) {
      if (codeOf(error) !== 'EEXIST' || attempt > 3) throw error;
    }
    const holder = Number.parseInt(readFileSync(lock, 'utf8'), 10);
    if (isAlive(holder)) {
      throw new UsageError(`${directory} is in use by another run (process ${holder}; ${lock} says so)`);
    }
    rmSync(lock, { force: true });
  }
}

function isAlive(processId: number): boolean {
  if (!(processId > 0)) return false;
  try {
    process.kill(processId, 0);
    return true;
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}

/** A path that cannot be used is the choice of whoever named the directory. */
function asUsage<T>(path: string, use: () => T): T {
  try {
    return use();
  } catch (error) {
    const code = codeOf(error);
    if (typeof code !== 'string') throw error;
    throw new UsageError(`${path} ${faultOf(path, code)}; choose another with --directory`, { cause: error });
  }
}

function faultOf(path: string, code: string): string {
  switch (code) {
    case 'EEXIST':
    case 'ENOTDIR':
      return 'is not a directory';
    case 'ENOENT':
      return `cannot be made, since ${dirname(path)} is not there`;
    default:
      return `cannot be written to (${code})`;
  }
}
