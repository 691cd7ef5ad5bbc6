import type { Context } from 'aws-lambda';
import { readEnvironment } from '#domain/settings/environment.ts';
import { createSweep } from './create-sweep.ts';
import type { Sweep, SweepAnswer } from './create-sweep.ts';
import { buildDependencies } from './dependencies.ts';

let sweep: Sweep | undefined;

/**
 * Built at the first event of a cold start: an error in the environment fails that event and names the
 * variable.
 */
function start(): Sweep {
  return createSweep(buildDependencies(readEnvironment(process.env)));
}

/** The handler that AWS calls. */
export async function handler(event: unknown, context?: Context): Promise<SweepAnswer> {
  sweep ??= start();
  return sweep(event, context);
}
