import { createWriteStream } from 'node:fs';
import { Worker } from 'node:worker_threads';
import pLimit from 'p-limit';
import * as z from 'zod';
import type { FunctionName } from '#lib/functions.ts';
import { builtFile } from './built-functions.ts';

/** A function threw an error. `name` and `message` are those of that error. */
export class FunctionFailure extends Error {
  override readonly name: string;
  constructor(name: string, message: string) {
    super(message);
    this.name = name;
  }
}

/** Runs built functions. Several run at the same time; each environment runs one invocation after the other. */
export interface FunctionEnvironments {
  /** @throws {FunctionFailure} when the function throws, or its environment breaks */
  invoke: (functionName: FunctionName, event: unknown) => Promise<unknown>;
  /** Ends all environments and the invocations in them. */
  close: () => Promise<void>;
}

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
 * @param most how many may run at the same time
 * @param environment all variables that the functions see
 * @param logFile the file for what the functions print
 */
export function functionEnvironments(
  most: number,
  environment: Record<string, string>,
  logFile: string,
): FunctionEnvironments {
  const limit = pLimit(most);
  const log = createWriteStream(logFile, { flags: 'a' });
  const running = new Set<Worker>();
  const idle: Worker[] = [];

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

  async function invoke(functionName: FunctionName, event: unknown): Promise<unknown> {
    const worker = idle.pop() ?? start();
    const outcome = outcomeSchema.parse(
      await answerOf(worker, { functionName, file: builtFile(functionName), event }),
    );
    idle.push(worker);
    if ('error' in outcome) throw new FunctionFailure(outcome.error.name, outcome.error.message);
    return outcome.answer;
  }

  return {
    invoke: (functionName, event) => limit(() => invoke(functionName, event)),
    close: async () => {
      await Promise.all([...running].map((worker) => worker.terminate()));
      await new Promise<void>((resolve) => log.end(resolve));
    },
  };
}

/** Resolves with the worker's next message. Rejects when the worker ends instead. */
function answerOf(worker: Worker, message: unknown): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const settle = (act: () => void) => {
      worker.off('message', onMessage).off('error', onError).off('exit', onExit);
      act();
    };
    const onMessage = (answer: unknown) => settle(() => resolve(answer));
    const onError = (error: Error) => settle(() => reject(new FunctionFailure(error.name, error.message)));
    const onExit = (code: number) =>
      settle(() => reject(new FunctionFailure('EnvironmentExited', `it exited with code ${code}`)));
    worker.on('message', onMessage).on('error', onError).on('exit', onExit);
    worker.postMessage(message);
  });
}
