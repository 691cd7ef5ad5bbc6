import { fork, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { clockVariables } from '#sandbox/clock-variables.ts';
import * as z from 'zod';
import type { AskedRun } from './command-runner.ts';

const COMMAND = join(import.meta.dirname, '../../../bin/daybook.mjs');
const RUNNER = join(import.meta.dirname, 'command-runner.ts');

const commandRun = z.object({ code: z.number().nullable(), stdout: z.string(), stderr: z.string() });

/** How a command ended. */
export type CommandRun = z.infer<typeof commandRun>;

export interface RunOptions {
  /** What it reads from stdin. */
  input?: string;
  /** Variables of the process, besides PATH and HOME. */
  environment?: Record<string, string>;
  cwd?: string;
  /** Whether it runs in a process of its own, as it does for a person. */
  asProcess?: boolean;
  /** Streams that nobody reads: their pipes are closed from the beginning. */
  closed?: readonly ('stdout' | 'stderr')[];
  /** Called with its process id as soon as it runs. */
  onStart?: (pid: number) => void;
  /** Called with all that it wrote so far, to send a signal for example. */
  onOutput?: (written: string, signal: (name: NodeJS.Signals) => void) => void;
}

/** The variables of the process of a command: no credentials, no stage. */
function variables(more: Record<string, string>): Record<string, string> {
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

/** Runs `daybook` as a process of its own. */
function runProcess(args: readonly string[], options: RunOptions): Promise<CommandRun> {
  const { input = '', environment = {}, cwd, closed = [], onStart, onOutput } = options;
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', COMMAND, ...args], {
    env: variables(environment),
    cwd,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  if (child.pid !== undefined) onStart?.(child.pid);
  let [stdout, stderr] = ['', ''];
  const heard = () => onOutput?.(stdout + stderr, (name) => child.kill(name));
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
    heard();
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
    heard();
  });
  for (const name of closed) child[name].destroy();
  // A command that ends early does not read all of it.
  child.stdin.on('error', () => undefined).end(input);
  return new Promise((resolve, reject) => {
    child.on('error', reject).on('close', (code) => resolve({ code, stdout, stderr }));
  });
}

/** Processes that have loaded the command and run nothing at present. They end with this process. */
const idle: ChildProcess[] = [];

function startRunner(): ChildProcess {
  const runner = fork(RUNNER, {
    env: variables({}),
    execArgv: ['--disable-warning=ExperimentalWarning'],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  // It does not keep this process from its end.
  runner.unref();
  runner.channel?.unref();
  return runner;
}

/** Runs `daybook` in a process that has run other commands before: most of a start is the loading of code. */
async function runInRunner(args: readonly string[], options: RunOptions): Promise<CommandRun> {
  const { input = '', environment = {}, cwd = process.cwd() } = options;
  const runner = idle.pop() ?? startRunner();
  runner.channel?.ref();
  const asked: AskedRun = { args, input, environment: variables(environment), cwd };
  const run = await new Promise<CommandRun>((resolve, reject) => {
    const ended = (code: number | null) => reject(new Error(`the runner of commands ended with ${code}`));
    runner.once('exit', ended).once('message', (message) => {
      runner.off('exit', ended);
      resolve(commandRun.parse(message));
    });
    runner.send(asked);
  });
  runner.channel?.unref();
  idle.push(runner);
  return run;
}

/**
 * Runs `daybook` in another process, without a terminal and without the variables of this one: no credentials, no stage.
 * With `closed`, `onStart` or `onOutput`, or as `asProcess`, it is a process of its own; otherwise one that is used again.
 *
 * @param args the command line after `daybook`
 */
export function runCommand(args: readonly string[], options: RunOptions = {}): Promise<CommandRun> {
  const { closed, onStart, onOutput, asProcess = false } = options;
  const needsOwn = asProcess || [closed, onStart, onOutput].some((option) => option !== undefined);
  return needsOwn ? runProcess(args, options) : runInRunner(args, options);
}

/** The JSON document that a command printed with `--json`. */
export function documentOf(run: CommandRun): unknown {
  return JSON.parse(run.stdout);
}
