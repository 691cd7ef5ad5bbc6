import * as z from 'zod';
import { isMembers } from '#records/json/exact-json.ts';
import { boundedJson } from '#records/json/own-json.ts';
import type { CommandContext } from '../context.ts';
import { stdinText } from '../files.ts';
import { LARGEST_SECRET } from './stored-secret.ts';
import { UsageError } from '../terminal/command-errors.ts';

const text = z.string();
const inputSchema = z.lazy(() =>
  z.strictObject({
    accessCode: text.optional(),
    cipher: z.strictObject({ algorithm: text.optional(), key: text, iv: text }).optional(),
    username: text.optional(),
    password: text.optional(),
    accessToken: text.optional(),
  }),
);

/** Values for a merchant's entry of a secret. What is left out was not given. */
export type EntryInput = z.infer<typeof inputSchema>;

const MEMBERS = 'accessCode, cipher { key, iv }, username, password, accessToken';
const EXAMPLE =
  'For example: { "accessCode": "…", "cipher": { "key": "…", "iv": "…" }, "username": "…", "password": "…" }';

/** Reads an entry. No error repeats a part of the text. */
function parseEntry(json: string): EntryInput {
  const read = boundedJson(json, 1_000);
  if ('reason' in read) throw new UsageError(`the text on stdin ${read.reason}. ${EXAMPLE}`);
  if (read.repeats) throw new UsageError('the JSON on stdin has a name twice in one object');
  const parsed = inputSchema.safeParse(read.json);
  if (parsed.success && isMembers(read.json)) return parsed.data;
  throw new UsageError(
    `the JSON on stdin must be an object with these members, or some of them, all texts: ${MEMBERS}. ${EXAMPLE}`,
  );
}

function bytesFault(length: number) {
  return (value: string) =>
    Buffer.byteLength(value) === length
      ? undefined
      : `It must have ${length} bytes. It has ${Buffer.byteLength(value)}.`;
}

function headerFault(value: string): string | undefined {
  return /^[\x21-\x7e]+$/.test(value) ? undefined : 'It must be printable ASCII without blanks.';
}

function emptyFault(value: string): string | undefined {
  return value === '' ? 'It cannot be empty.' : undefined;
}

async function askEntry({ questions }: CommandContext, mayKeep: boolean): Promise<EntryInput> {
  const keep = mayKeep ? ' (empty: as it is)' : '';
  const ask = async (message: string, fault: (value: string) => string | undefined) => {
    const value = await questions.hidden({
      message: `${message}${keep}`,
      option: STDIN,
      fault: (given) => (mayKeep && given === '' ? undefined : fault(given)),
    });
    return value === '' ? undefined : value;
  };
  const accessCode = await ask('Access code', headerFault);
  const key = await ask('Encryption key, 32 bytes', bytesFault(32));
  const iv =
    key === undefined
      ? undefined
      : await questions.hidden({ message: 'IV, 16 bytes', option: STDIN, fault: bytesFault(16) });
  const username = await ask('User name', emptyFault);
  const password = await ask('Password', emptyFault);
  return {
    ...(accessCode !== undefined && { accessCode }),
    ...(key !== undefined && iv !== undefined && { cipher: { key, iv } }),
    ...(username !== undefined && { username }),
    ...(password !== undefined && { password }),
  };
}

const STDIN = 'the values as JSON on stdin';

/**
 * The values of an entry: from questions whose answers are not shown, or from stdin as JSON. Never from the
 * command line, where other users and the shell's history can see them.
 *
 * @param mayKeep whether values may be left out, because there is an entry
 * @throws {UsageError} when nothing was given
 */
export async function readEntryInput(context: CommandContext, mayKeep: boolean): Promise<EntryInput> {
  const isAsked = context.questions.canAsk;
  if (!isAsked && context.stdin.isTTY === true)
    throw new UsageError(`give ${STDIN}: nothing is asked with --json`);
  const json = isAsked ? '' : await stdinText(context.stdin, LARGEST_SECRET);
  const input = isAsked ? await askEntry(context, mayKeep) : json.trim() === '' ? {} : parseEntry(json);
  if (Object.keys(input).length === 0) throw new UsageError(`give ${STDIN}. ${EXAMPLE}`);
  return input;
}
