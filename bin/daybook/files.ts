import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { CommandError, UsageError } from './terminal/command-errors.ts';
import type { Surroundings } from './terminal/output.ts';
import { shown } from './terminal/shown-text.ts';

/** Only the person may read a new file: a registry has customers' addresses. */
const PRIVATE = 0o600;

/** The code of an error of the file system, such as `ENOENT`. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
}

/** Some editors add a byte order mark, which is not visible. It is not part of JSON. */
export function withoutMark(text: string): string {
  return text.replace(/^\uFEFF/, '');
}

/** What a text says as JSON, `undefined` when it is none. */
export function jsonOrNothing(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * The text of a file. It is never waited for: a pipe or a device is no file.
 *
 * @param most the most bytes
 * @returns `undefined` when there is none
 * @throws {CommandError} when it is something else, larger, or cannot be read
 */
export function fileText(file: string, most: number): string | undefined {
  let opened: number | undefined;
  try {
    opened = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
    const stats = fstatSync(opened);
    if (!stats.isFile()) throw new CommandError(`${shown(file)} is not a file`);
    if (stats.size > most)
      throw new CommandError(`${shown(file)} has more than ${most.toLocaleString('en')} bytes`);
    return withoutMark(readFileSync(opened, 'utf8'));
  } catch (error) {
    if (error instanceof CommandError) throw error;
    const code = codeOf(error);
    if (code === 'ENOENT') return undefined;
    throw new CommandError(`${shown(file)} cannot be read (${code})`, { cause: error });
  } finally {
    if (opened !== undefined) closeSync(opened);
  }
}

/** The most characters of stdin: as many as a registry may have bytes. */
const MOST_OF_STDIN = 64 * 1024 * 1024;

/**
 * All of stdin, without a byte order mark.
 *
 * @throws {UsageError} when it is a folder, which Node reads as an empty text, or has more characters than `most`
 */
export async function stdinText(stdin: Surroundings['stdin'], most = MOST_OF_STDIN): Promise<string> {
  if ('fd' in stdin && typeof stdin.fd === 'number' && fstatSync(stdin.fd).isDirectory())
    throw new UsageError('stdin is a folder: name a file after "<"');
  let text = '';
  for await (const chunk of stdin.setEncoding('utf8')) {
    text += String(chunk);
    if (text.length > most)
      throw new UsageError(`stdin has more than ${most.toLocaleString('en')} characters`);
  }
  return withoutMark(text);
}

/** The first folder of a path that is not there. */
function missingFolder(file: string): string {
  const folder = dirname(file);
  return folder === dirname(folder) || existsSync(dirname(folder)) ? folder : missingFolder(folder);
}

/**
 * Writes a file as a whole: an end in the middle, or a full disk, leaves the former text. Nobody else may read it,
 * whatever the mode of the former file. A link is not followed: somebody else may have put it there.
 *
 * @throws {CommandError} when that fails
 */
export function writeFile(file: string, text: string): void {
  if (lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() === true) {
    throw new CommandError(`${shown(file)} is a link: name the file itself, or remove the link`);
  }
  const unfinished = join(dirname(file), `.${basename(file)}.${process.pid}.pulled`);
  try {
    writeFileSync(unfinished, text, { mode: PRIVATE, flag: 'wx' });
    renameSync(unfinished, file);
  } catch (error) {
    const code = codeOf(error);
    if (code !== 'EEXIST') rmSync(unfinished, { force: true });
    const why = code === 'ENOENT' ? `there is no folder ${shown(missingFolder(file))}` : code;
    throw new CommandError(`${shown(file)} cannot be written: ${why}`, { cause: error });
  }
}
