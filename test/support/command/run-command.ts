import { spawn } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { readFileSync } from 'node:fs';
import * as z from 'zod';
import { main } from '#bin/daybook/main.ts';
import { clockVariables } from '#sandbox/clock-variables.ts';
import { python } from '../readers/python.ts';

export const COMMAND_LINE = [
  process.execPath,
  '--disable-warning=ExperimentalWarning',
  join(import.meta.dirname, '../../../bin/daybook.mjs'),
] as const;

export interface CommandRun {
  /** `null`: a signal ended its process. */
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface RunOptions {
  input?: string;
  /** Variables besides PATH and HOME. */
  environment?: Record<string, string>;
  cwd?: string;
}

export interface ProcessOptions extends RunOptions {
  /** Streams that nobody reads: their pipes are closed from the beginning. */
  closed?: readonly ('stdout' | 'stderr')[];
  onStart?: (pid: number) => void;
  /** Called with all that it wrote so far, to send a signal for example. */
  onOutput?: (written: string, signal: (name: NodeJS.Signals) => void) => void;
}

/** The variables of a command: no credentials, no stage. */
export function variables(more: Record<string, string> = {}): Record<string, string> {
  const { PATH = '', NODE_COMPILE_CACHE = '' } = process.env;
  return {
    PATH,
    HOME: '/nonexistent',
    AWS_EC2_METADATA_DISABLED: 'true',
    NODE_COMPILE_CACHE,
    ...clockVariables(),
    ...more,
  };
}

function putVariables(environment: NodeJS.ProcessEnv): void {
  for (const name of Object.keys(process.env)) Reflect.deleteProperty(process.env, name);
  Object.assign(process.env, environment);
}

class Kept extends Writable {
  text = '';
  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.text += chunk.toString();
    done();
  }
}

const HOME = process.cwd();
/** The variable by which the recorded requests of commands differ from those of functions. */
export const APPLICATION = 'AWS_SDK_UA_APP_ID';

/**
 * Runs `daybook` in this process, without a terminal. It has no credentials and no stage but with `--local`: then functions
 * of the stage may run here meanwhile, and it has the variables of this process.
 *
 * @param args the command line after `daybook`
 */
export async function runCommand(args: readonly string[], options: RunOptions = {}): Promise<CommandRun> {
  const { input = '', environment = {}, cwd = HOME } = options;
  const [stdin, stdout, stderr] = [Readable.from(input === '' ? [] : [input]), new Kept(), new Kept()];
  const exit = (code: number): never => {
    throw new Error(`the command would end its process with ${code}`);
  };
  const surroundings = Object.assign(new EventEmitter(), { stdin, stdout, stderr, exit, exitCode: 0 });
  const before = { ...process.env };
  putVariables(args.includes('--local') ? { ...before, ...environment } : variables(environment));
  process.chdir(cwd);
  await main(args, surroundings);
  process.chdir(HOME);
  putVariables(before);
  Reflect.deleteProperty(process.env, APPLICATION);
  return { code: surroundings.exitCode, stdout: stdout.text, stderr: stderr.text };
}

/** Runs `daybook` as a process of its own, as a person does, without a terminal. @param args as of {@link runCommand} */
export function runProcess(args: readonly string[], options: ProcessOptions = {}): Promise<CommandRun> {
  const { input = '', environment = {}, cwd, closed = [], onStart, onOutput } = options;
  const [node, ...words] = COMMAND_LINE;
  const child = spawn(node, [...words, ...args], { env: variables(environment), cwd, stdio: 'pipe' });
  if (child.pid !== undefined) onStart?.(child.pid);
  const written = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      written[name] += text;
      onOutput?.(written.stdout + written.stderr, (signal) => child.kill(signal));
    });
  }
  for (const name of closed) child[name].destroy();
  // A command that ends early does not read all of it.
  child.stdin.on('error', () => undefined).end(input);
  return new Promise((resolve, reject) => {
    child.on('error', reject).on('close', (code) => resolve({ code, ...written }));
  });
}

/** The JSON document that a command printed with `--json`. */
export function documentOf(run: CommandRun): unknown {
  return JSON.parse(run.stdout);
}

type Ended = Pick<CommandRun, 'stdout' | 'stderr'> & { code?: unknown };
type Parts = readonly (string | RegExp)[];

function lacking(text: string, parts: Parts): Parts {
  return parts.filter((part) => (typeof part === 'string' ? !text.includes(part) : !part.test(text)));
}

/** Awaits a command. It must end with this status, and print all of these parts on stdout. */
export async function says(
  run: CommandRun | Promise<CommandRun>,
  code: number,
  ...parts: Parts
): Promise<CommandRun> {
  const ended = await run;
  const found = { code: ended.code, lacking: lacking(ended.stdout, parts) };
  expect(found, ended.stdout + ended.stderr).toEqual({ code, lacking: [] });
  return ended;
}

/** Awaits a command. It must end with this status, print nothing on stdout, and all of these parts on stderr. */
export async function refuses(run: Ended | Promise<Ended>, code: number, ...parts: Parts): Promise<void> {
  const { stdout, stderr, ...ended } = await run;
  expect({ ...ended, stdout, lacking: lacking(stderr, parts) }, stderr).toEqual({
    code,
    stdout: '',
    lacking: [],
  });
}

const PROGRAM = readFileSync(join(import.meta.dirname, 'terminal.py'), 'utf8');
const LONGEST = 90_000;

export const CTRL_C = '\u0003';

const endedSchema = z.object({
  /** The exit status; that of a signal is negative. */
  code: z.int(),
  written: z.string(),
  /** The same with its control sequences. */
  raw: z.string(),
});

/** Keys are pressed when their text appears; `\r` is the key Enter. The test is skipped where Python is missing. */
export async function runOnTerminal(
  args: readonly string[],
  answers: readonly (readonly [shown: string, keys: string])[] = [],
  cwd = process.cwd(),
): Promise<z.infer<typeof endedSchema>> {
  const command = [...COMMAND_LINE, ...args];
  const task = JSON.stringify({ command, cwd, environment: variables({ TERM: 'xterm' }), answers });
  return endedSchema.parse(await python(PROGRAM, Buffer.from(task), LONGEST));
}
