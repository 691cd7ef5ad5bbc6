import { readFileSync } from 'node:fs';
import { text as textOf } from 'node:stream/consumers';
import { jsonFault, placeIn } from '#domain/json/json-fault.ts';
import { UsageError } from '../terminal/command-errors.ts';
import { shown } from '../terminal/shown-text.ts';
import type { Sample } from './samples.ts';

/** @throws {UsageError} that says where the text is not JSON */
function parsed(text: string, whose: string): unknown {
  const json = text.replace(/^\uFEFF/, '');
  const fault = jsonFault(json);
  if (fault === undefined) return JSON.parse(json);
  const { line, column } = placeIn(json, fault.offset);
  throw new UsageError(`${whose} is not JSON: line ${line}, column ${column}: ${fault.reason}`);
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
}

async function onStdin(): Promise<unknown> {
  if (process.stdin.isTTY) throw new UsageError('stdin is a terminal: pass the event in a pipe');
  const text = await textOf(process.stdin);
  if (text.trim() === '') throw new UsageError('stdin is empty: pass the event in a pipe');
  return parsed(text, 'the text on stdin');
}

/**
 * The event that an argument names: JSON text, `-` for stdin, a sample, or a file.
 *
 * @throws {UsageError} when there is no such event, or it is not JSON
 */
export async function readEvent(argument: string, samples: readonly Sample[]): Promise<unknown> {
  if (argument === '-') return onStdin();
  if (/^\s*[{[]/.test(argument)) return parsed(argument, 'the event');
  const sample = samples.find(({ name }) => name === argument || `${name}.json` === argument);
  if (sample !== undefined) return sample.event;
  let text: string;
  try {
    text = readFileSync(argument, 'utf8');
  } catch (error) {
    const code = codeOf(error);
    if (code !== 'ENOENT') throw new UsageError(`${shown(argument)} cannot be read (${code})`);
    const names = samples.map(({ name }) => name).join(', ');
    throw new UsageError(
      `there is neither a file nor a sample "${shown(argument)}"; the samples of this function are ${names}`,
    );
  }
  return parsed(text, shown(argument));
}
