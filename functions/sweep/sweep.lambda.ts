import type { Context } from 'aws-lambda';
import { readEnvironment } from '#runtime/environment.ts';
import { createSweep } from './create-sweep.ts';
import type { Sweep, SweepAnswer } from './create-sweep.ts';
import { buildDependencies } from './dependencies.ts';

let sweep: Sweep | undefined;

/** What a cold start builds, at the first event: a malformed environment fails that, and names the variable. */
function start(): Sweep {
  return createSweep(buildDependencies(readEnvironment(process.env)));
}

/** What AWS calls: closes what dead runs left open. */
export async function handler(event: unknown, context?: Context): Promise<SweepAnswer> {
  sweep ??= start();
  return sweep(event, context);
}
