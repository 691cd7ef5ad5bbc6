import { chmodSync, readFileSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import * as z from 'zod';
import type { Stage } from '../stage/stage.ts';
import { CommandError } from '../terminal/command-errors.ts';

/** The registry as it was pulled or pushed last, beside the file that a person edits. */
const pulledSchema = z.object({ bucket: z.string(), key: z.string(), version: z.string(), text: z.string() });

/** The registry as this file last had it in common with the stage. */
export type PulledCopy = Pick<z.infer<typeof pulledSchema>, 'version' | 'text'>;

/** Where the copy is: `.merchants.json.pulled` beside `merchants.json`. */
export function pulledFile(file: string): string {
  return join(dirname(file), `.${basename(file)}.pulled`);
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

/** The text of a file, `undefined` when there is none. @throws {CommandError} when it cannot be read */
export function fileText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').replace(/^\uFEFF/, '');
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw new CommandError(`${file} cannot be read`, { cause: error });
  }
}

/** The bits of a mode that say who may do what. */
const ALL_RIGHTS = 0o777;
/** Only the person may read a new file: a registry has customers' addresses. */
const PRIVATE = 0o600;

/** The file that a link leads to. */
function realFile(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    return file;
  }
}

/**
 * Writes a file as a whole: an end in the middle, or a full disk, leaves the former text. A file that is there keeps its
 * mode.
 *
 * @throws {CommandError} when that fails
 */
export function writeFile(file: string, text: string): void {
  const target = realFile(file);
  const unfinished = join(dirname(target), `.${basename(target)}.${process.pid}.pulled`);
  try {
    const mode = statSync(target, { throwIfNoEntry: false })?.mode;
    writeFileSync(unfinished, text, { mode: PRIVATE, flag: 'wx' });
    if (mode !== undefined) chmodSync(unfinished, mode & ALL_RIGHTS);
    renameSync(unfinished, target);
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw new CommandError(`${file} cannot be written`, { cause: error });
  }
}

/** The copy of that file's registry, `undefined` when the file was not pulled from this stage. */
export function readPulled(file: string, { bucket, registryKey }: Stage): PulledCopy | undefined {
  const text = fileText(pulledFile(file));
  if (text === undefined) return undefined;
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return undefined;
  }
  const pulled = pulledSchema.safeParse(json).data;
  return pulled?.bucket === bucket && pulled.key === registryKey ? pulled : undefined;
}

/** Remembers which registry the file was pulled from. */
export function rememberPulled(file: string, { bucket, registryKey: key }: Stage, copy: PulledCopy): void {
  const { version, text } = copy;
  writeFile(pulledFile(file), `${JSON.stringify({ bucket, key, version, text })}\n`);
}
