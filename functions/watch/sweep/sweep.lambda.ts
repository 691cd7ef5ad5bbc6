import { readEnvironment } from '#registry/environment.ts';
import { builtAtFirstEvent } from '#runtime/lambda-handler.ts';
import { createSweep } from './create-sweep.ts';
import { buildDependencies } from './dependencies.ts';

export const handler = builtAtFirstEvent(() => createSweep(buildDependencies(readEnvironment(process.env))));
