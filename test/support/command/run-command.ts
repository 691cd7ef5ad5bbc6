import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { clockVariables } from '#sandbox/clock-variables.ts';

const COMMAND = join(import.meta.dirname, '../../../bin/daybook.mjs');

/** How a command ended. */
export interface CommandRun {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface RunOptions {
  /** What it reads from stdin. */
  input?: string;
  /** Variables of the process, besides PATH and HOME. */
  environment?: Record<string, string>;
  cwd?: string;
  /** Streams that nobody reads: their pipes are closed from the beginning. */
  closed?: readonly ('stdout' | 'stderr')[];
  /** Called with its process id as soon as it runs. */
  onStart?: (pid: number) => void;
  /** Called with all that it wrote so far, to send a signal for example. */
  onOutput?: (written: string, signal: (name: NodeJS.Signals) => void) => void;
}

/**
 * Runs `daybook` as a process, without a terminal and without the variables of this one: no credentials, no stage.
 *
 * @param args the command line after `daybook`
 */
export function runCommand(args: readonly string[], options: RunOptions = {}): Promise<CommandRun> {
  const { input = '', environment = {}, cwd, closed = [], onStart, onOutput } = options;
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', COMMAND, ...args], {
    env: {
      PATH: process.env['PATH'],
      HOME: '/nonexistent',
      AWS_EC2_METADATA_DISABLED: 'true',
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
      ...clockVariables(),
      ...environment,
    },
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

/** The JSON document that a command printed with `--json`. */
export function documentOf(run: CommandRun): unknown {
  return JSON.parse(run.stdout);
}
