import { globSync, statSync, createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { stop } from 'esbuild';
import { FUNCTIONS, OPTIONAL_FUNCTIONS } from '#lib/functions.ts';
import { build } from '#scripts/build.ts';
import { Worker } from 'node:worker_threads';
import pLimit from 'p-limit';
import * as z from 'zod';
import type { AnyFunctionName } from '#lib/functions.ts';

const ROOT = join(import.meta.dirname, '../../..');

function builtFile(name: string): string {
  return join(ROOT, 'dist/functions', name, 'index.mjs');
}

const SOURCES = ['functions/**/*.ts', 'scripts/build.ts', 'package-lock.json'];

function changedAt(file: string): number | undefined {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs;
}

/** Why the functions must be built; `undefined` when `dist` is newer than every source. */
export function whyToBuild(): string | undefined {
  const built = Object.keys({ ...FUNCTIONS, ...OPTIONAL_FUNCTIONS }).map((name) =>
    changedAt(builtFile(name)),
  );
  const sources = globSync(SOURCES, { cwd: ROOT }).map((file) => changedAt(join(ROOT, file)) ?? 0);
  const newest = sources.reduce((one, other) => Math.max(one, other), 0);
  if (built.includes(undefined)) return 'dist is missing';
  return built.some((time = 0) => time < newest) ? 'dist is older than the sources' : undefined;
}

/** @throws {BuildError} when something does not build */
export async function buildFunctions(): Promise<void> {
  try {
    await build();
  } finally {
    // Otherwise esbuild's own process would run until the end.
    await stop();
  }
}

/** A function threw an error. `name` and `message` are those of that error. */
export class FunctionFailure extends Error {
  override readonly name: string;
  readonly functionName: AnyFunctionName;
  constructor(functionName: AnyFunctionName, name: string, message: string) {
    super(message);
    this.name = name;
    this.functionName = functionName;
  }
}

export type FunctionEnvironments = ReturnType<typeof functionEnvironments>;

const outcomeSchema = z.union([
  z.object({ error: z.object({ name: z.string(), message: z.string() }) }),
  z.object({ answer: z.unknown() }),
]);

/** Threads that load the same bundles compile them once, and so do later runs, where this process keeps compiled code. */
function compiled(): Record<string, string> {
  const directory = process.env['NODE_COMPILE_CACHE'];
  return directory === undefined ? {} : { NODE_COMPILE_CACHE: directory };
}

/**
 * Runs built functions. Several run at the same time; each environment runs one invocation after the other.
 *
 * @param most how many may run at the same time
 * @param environment all variables that the functions see
 * @param logFile the file for what the functions print
 */
export function functionEnvironments(most: number, environment: Record<string, string>, logFile: string) {
  const limit = pLimit(most);
  const log = createWriteStream(logFile, { flags: 'a' });
  const running = new Set<Worker>();
  const idle: Worker[] = [];
  let closed = false;

  function start(): Worker {
    const worker = new Worker(new URL('functions.worker.ts', import.meta.url), {
      env: { ...environment, ...compiled() },
      stdout: true,
      stderr: true,
    });
    worker.stdout.pipe(log, { end: false });
    worker.stderr.pipe(log, { end: false });
    running.add(worker);
    worker.once('exit', () => {
      running.delete(worker);
      const place = idle.indexOf(worker);
      if (place !== -1) idle.splice(place, 1);
    });
    return worker;
  }

  async function invoke(functionName: AnyFunctionName, event: unknown, ahead: number): Promise<unknown> {
    // A worker that starts now would keep the process alive for ever.
    if (closed) throw new FunctionFailure(functionName, 'EnvironmentsClosed', 'it did not begin');
    const worker = idle.pop() ?? start();
    const outcome = outcomeSchema.parse(await outcomeOf(worker, { functionName, event, ahead }));
    idle.push(worker);
    if (!('error' in outcome)) return outcome.answer;
    throw new FunctionFailure(functionName, outcome.error.name, outcome.error.message);
  }

  return {
    /**
     * @param ahead milliseconds by which the function's clock is ahead of the machine's
     * @throws {FunctionFailure} when the function throws, or its environment breaks
     */
    invoke: (functionName: AnyFunctionName, event: unknown, ahead = 0) =>
      limit(() => invoke(functionName, event, ahead)),
    /** Ends all environments and the invocations in them. Those that still waited for one fail, too. */
    close: async () => {
      closed = true;
      await Promise.all([...running].map((worker) => worker.terminate()));
      await new Promise<void>((resolve) => log.end(resolve));
    },
  };
}

/** Runs the function in the worker. Resolves with the worker's next message; rejects when the worker ends instead. */
function outcomeOf(
  worker: Worker,
  { functionName, ...invocation }: { functionName: AnyFunctionName; event: unknown; ahead: number },
): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const settle = (act: () => void) => {
      worker.off('message', resolved).off('error', broke).off('exit', exited);
      act();
    };
    const fail = (name: string, message: string) =>
      settle(() => reject(new FunctionFailure(functionName, name, message)));
    const resolved = (outcome: unknown) => settle(() => resolve(outcome));
    const broke = ({ name, message }: Error) => fail(name, message);
    const exited = (code: number) => fail('EnvironmentExited', `it exited with code ${code}`);
    worker.on('message', resolved).on('error', broke).on('exit', exited);
    worker.postMessage({ functionName, file: builtFile(functionName), ...invocation });
  });
}
