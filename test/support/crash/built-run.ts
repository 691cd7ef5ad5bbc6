import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FunctionName, OptionalFunctionName } from '#lib/functions.ts';
import { clockVariables } from '#sandbox/clock-variables.ts';
import { cachedBuild } from '#scripts/cached-build.ts';
import * as z from 'zod';
import { exitCodeOf } from '#support/assertions/index.ts';

const saidSchema = z.union([
  z.object({
    answer: z.unknown(),
    /** The most memory that its process had. */
    megabytes: z.number(),
    /** The processor time of its process. */
    seconds: z.number(),
  }),
  z.object({ error: z.object({ name: z.string(), message: z.string() }) }),
]);

/** How a process ended: with the function's answer, with its error, or killed before either. */
export type Outcome = z.infer<typeof saidSchema> | { ended: string };

export interface Invocation {
  functionName: FunctionName | OptionalFunctionName;
  event: unknown;
  environment: Record<string, string>;
  /** By how much its clock is ahead of the machine's, milliseconds. */
  ahead: number;
}

const INVOKE = join(import.meta.dirname, 'invoke.mjs');

/** A process of a quarter of a second needs no garbage collection. */
const QUICK = ['--min-semi-space-size=32', '--v8-pool-size=0'];

const { files, compiled } = await cachedBuild();

/** A built function that runs in its own process. */
export class BuiltRun {
  readonly #child: ChildProcess;
  readonly outcome: Promise<Outcome>;

  /** @param options of Node */
  constructor({ functionName, event, environment, ahead }: Invocation, options = QUICK) {
    const file = files.get(functionName);
    if (file === undefined) throw new Error(`${functionName} is not built`);
    const invocation = { file, functionName, event, ahead };
    this.#child = spawn(process.execPath, [...options, INVOKE, JSON.stringify(invocation)], {
      // A run that is killed writes no compiled code. It uses what the undisturbed runs have left.
      env: { TMPDIR: tmpdir(), NODE_COMPILE_CACHE: compiled, ...clockVariables(), ...environment },
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    this.outcome = this.#ending();
  }

  /** Ends the process as a failing machine does: no handler runs, nothing is flushed. */
  async kill(): Promise<void> {
    const ended = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await ended;
  }

  async #ending(): Promise<Outcome> {
    let said: Outcome | undefined;
    this.#child.once('message', (outcome) => {
      said = saidSchema.parse(outcome);
    });
    const code = await exitCodeOf(this.#child);
    return said ?? { ended: this.#child.signalCode ?? `exit code ${code}` };
  }
}
