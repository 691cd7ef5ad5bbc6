import { FUNCTIONS, OPTIONAL_FUNCTIONS } from '#lib/functions.ts';
import type { AnyFunctionName } from '#lib/functions.ts';
import type { CommandContext, ExitStatus } from '../context.ts';
import { codeOf, stdinText, withoutMark } from '../files.ts';
import { deployedName, invokeFunction } from '../stage/invoke-function.ts';
import { UsageError } from '../terminal/command-errors.ts';
import { isMembers } from '#records/json/exact-json.ts';
import { firstNamed, shown } from '../terminal/shown-text.ts';
import { nearestText } from '../stage/known-names.ts';
import { readFileSync, globSync } from 'node:fs';
import { jsonFault, placeIn } from '#records/json/own-json.ts';
import { basename, join, resolve } from 'node:path';

const EVENTS = resolve(import.meta.dirname, '../../../events');

function samplesOf(functionName: AnyFunctionName) {
  const folder = join(EVENTS, functionName);
  return globSync('*.json', { cwd: folder })
    .sort()
    .map((file) => {
      const event: unknown = JSON.parse(readFileSync(join(folder, file), 'utf8'));
      return { name: basename(file, '.json'), event };
    });
}

function parsed(text: string, whose: string): unknown {
  const json = withoutMark(text);
  const fault = jsonFault(json);
  if (fault === undefined) return JSON.parse(json);
  const { line, column } = placeIn(json, fault.offset);
  throw new UsageError(`${whose} is not JSON: line ${line}, column ${column}: ${fault.reason}`);
}

async function onStdin(stdin: CommandContext['stdin']): Promise<unknown> {
  if (stdin.isTTY === true) throw new UsageError('stdin is a terminal: pass the event in a pipe');
  const text = await stdinText(stdin);
  if (text.trim() === '') throw new UsageError('stdin is empty: pass the event in a pipe');
  return parsed(text, 'the text on stdin');
}

/** The event that an argument names: JSON text, `-` for stdin, a sample, or a file. */
async function readEvent(
  argument: string,
  samples: ReturnType<typeof samplesOf>,
  stdin: CommandContext['stdin'],
): Promise<unknown> {
  if (argument === '-') return onStdin(stdin);
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

const ALL = { ...FUNCTIONS, ...OPTIONAL_FUNCTIONS };

function isFunctionName(name: string): name is AnyFunctionName {
  return Object.hasOwn(ALL, name);
}

function functionCalled(name: string): AnyFunctionName {
  if (isFunctionName(name)) return name;
  const names = Object.keys(ALL);
  const near = nearestText(name, names);
  const meant = near === undefined ? '' : `did you mean ${near}? `;
  throw new UsageError(
    `there is no function "${shown(name)}": ${meant}The functions are ${names.join(', ')}`,
  );
}

/** Functions that mail merchants, or make other functions do it. */
const MAILING: readonly AnyFunctionName[] = ['plan', 'daily-report', 'statement', 'alert-check'];

/** Whom the function mails with this event, as far as the event says it. `undefined`: nobody. */
function mayMailInWords(name: AnyFunctionName, event: unknown): string | undefined {
  if (!MAILING.includes(name) || !isMembers(event)) return undefined;
  const { dryRun, send, to, merchantCode, merchants, group } = event;
  if (dryRun === true || send === false) return undefined;
  if (Array.isArray(to)) return firstNamed(to.map(String), MOST_NAMED);
  if (typeof group === 'string') return `the recipients of group ${group}`;
  const codes = (Array.isArray(merchants) ? merchants : [merchantCode]).filter(
    (code) => typeof code === 'string',
  );
  return `the recipients of ${codes.length === 0 ? 'every merchant that is due' : firstNamed(codes, MOST_NAMED)}`;
}

const MOST_NAMED = 5;

export async function invoke(
  context: CommandContext,
  givenName: string,
  argument: string | undefined,
): Promise<ExitStatus> {
  const { output } = context;
  const name = functionCalled(givenName);
  const samples = samplesOf(name);
  if (argument === undefined) {
    output.result(samples, () => {
      for (const sample of samples)
        output.line(`${sample.name.padEnd(22)}  ${shown(inOneLine(sample.event), 110)}`);
    });
    return 0;
  }
  const event = await readEvent(argument, samples, context.stdin);
  const stage = await context.stage();
  const deployed = deployedName(stage, name);
  const mails = mayMailInWords(name, event);
  const asked = `Run ${name}? It may mail ${mails}.`;
  if (mails !== undefined && !(await context.questions.confirm(asked, 'Nothing was run.'))) return 1;
  const nameOf = (member: string) => `"${member}" of the event`;
  const answer = await output.during(`Running ${deployed}`, undefined, () =>
    context.leaving(`${name} goes on without this command.`, () =>
      invokeFunction(stage, name, event, nameOf),
    ),
  );
  output.result(answer, () => {
    // A function without an answer has none to show.
    if (answer === undefined) return;
    for (const line of JSON.stringify(answer, null, 2).split('\n')) output.line(line);
  });
  return 0;
}

/** JSON on one line, with blanks: `{ "kind": "daily" }`. */
function inOneLine(event: unknown): string {
  return JSON.stringify(event, null, 1).replace(/\n */g, ' ');
}
