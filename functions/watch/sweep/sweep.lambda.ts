import type { Context } from 'aws-lambda';
import { readEnvironment } from '#registry/environment.ts';
import { createSweep } from './create-sweep.ts';
import type { Sweep, SweepAnswer } from './create-sweep.ts';
import { buildDependencies } from './dependencies.ts';

let sweep: Sweep | undefined;

/** Built at the first event, so that an error in the environment fails that event. */
function start(): Sweep {
  return createSweep(buildDependencies(readEnvironment(process.env)));
}

export async function handler(event: unknown, context?: Context): Promise<SweepAnswer> {
  sweep ??= start();
  return sweep(event, context);
}
