import type { FunctionName } from '#lib/functions.ts';
import type { Random } from '#sandbox/payments/day/random.ts';
import { fork, type ChildProcess } from 'node:child_process';
import { openSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pLimit from 'p-limit';
import * as z from 'zod';
import { cachedBuild } from '#scripts/cached-build.ts';
import { clockVariables } from '#sandbox/clock-variables.ts';
import type { VirtualClock } from '../clock.ts';

/** Where an invocation ends its own process: at its n-th request, before the request leaves or after its answer. */
export interface Death {
  /** Counts from 1. */
  request: number;
  when: 'before' | 'after';
}

/** How many in a hundred invocations are killed, and about how many requests one makes. */
const FATE: Record<FunctionName, { percent: number; requests: number }> = {
  plan: { percent: 10, requests: 9 },
  // A morning has several days.
  'daily-report': { percent: 25, requests: 70 },
  statement: { percent: 10, requests: 20 },
  // A batch has several merchants.
  'alert-check': { percent: 25, requests: 50 },
  'delivery-watch': { percent: 20, requests: 60 },
  sweep: { percent: 12, requests: 40 },
  'mail-events': { percent: 4, requests: 5 },
  // No day of a soak has a lake.
  lake: { percent: 0, requests: 1 },
};

/** Draws where an invocation dies. An invocation with fewer requests survives. `undefined`: it is not killed. */
export function drawDeath(functionName: FunctionName, random: Random): Death | undefined {
  const { percent, requests } = FATE[functionName];
  if (!random.chance(percent)) return undefined;
  return { request: 1 + random.below(requests), when: random.pick(['before', 'after']) };
}

type Outcome = { answer: unknown } | { error: { name: string; message: string } } | { killed: string };

const outcomeSchema = z.union([
  z.object({ error: z.object({ name: z.string(), message: z.string() }) }),
  z.object({ answer: z.unknown() }),
]);

const ENVIRONMENT = join(import.meta.dirname, 'environment.worker.ts');

interface PoolSettings {
  workers: number;
  environment: Record<string, string>;
  clock: VirtualClock;
  directory: string;
}

export type EnvironmentPool = Awaited<ReturnType<typeof startPool>>;

/** Each process has one function, is started when needed, and runs one invocation after the other. */
export async function startPool({ workers, environment, clock, directory }: PoolSettings) {
  await mkdir(directory, { recursive: true });
  const { files, compiled } = await cachedBuild();
  const log = openSync(join(directory, 'functions.log'), 'a');
  const limit = pLimit(workers);
  const running = new Set<ChildProcess>();
  const spare = new Map<FunctionName, ChildProcess[]>();

  function start(): ChildProcess {
    const child = fork(ENVIRONMENT, {
      // A process uses what another one has compiled.
      env: {
        TMPDIR: tmpdir(),
        NODE_COMPILE_CACHE: compiled,
        ...clockVariables(),
        ...environment,
      },
      execArgv: ['--disable-warning=ExperimentalWarning'],
      stdio: ['ignore', log, log, 'ipc'],
    });
    running.add(child);
    child.once('exit', () => running.delete(child));
    return child;
  }

  async function invoke(
    functionName: FunctionName,
    event: unknown,
    death: Death | undefined,
  ): Promise<Outcome> {
    const file = files.get(functionName);
    if (file === undefined) throw new Error(`${functionName} is not built`);
    const own = spare.get(functionName) ?? [];
    spare.set(functionName, own);
    const child = own.pop() ?? start();
    const outcome = await outcomeOf(child, {
      functionName,
      file,
      event,
      reading: clock.reading,
      death,
    });
    if (!('killed' in outcome)) own.push(child);
    return outcome;
  }

  return {
    invoke: (functionName: FunctionName, event: unknown, death: Death | undefined) =>
      limit(() => invoke(functionName, event, death)),
    close: async (): Promise<void> => {
      const ended = [...running].map((child) => new Promise((resolve) => child.once('exit', resolve)));
      for (const child of running) child.disconnect();
      await Promise.all(ended);
    },
  };
}

function outcomeOf(child: ChildProcess, invocation: object): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const settle = (act: () => void) => {
      child.off('message', onMessage).off('exit', onExit).off('error', onError);
      act();
    };
    const onMessage = (message: unknown) =>
      settle(() => {
        const read = outcomeSchema.safeParse(message);
        if (read.success) resolve(read.data);
        else reject(read.error);
      });
    const onExit = (code: number | null, signal: string | null) =>
      settle(() => resolve({ killed: signal ?? `exit code ${code ?? 'unknown'}` }));
    const onError = (error: Error) => settle(() => reject(error));
    child.on('message', onMessage).on('exit', onExit).on('error', onError);
    child.send(invocation);
  });
}
