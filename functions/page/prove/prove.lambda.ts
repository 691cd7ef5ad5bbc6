import { readEnvironment } from '#registry/environment.ts';
import { builtAtFirstEvent } from '#runtime/lambda-handler.ts';
import { createProve } from './create-prove.ts';
import { buildDependencies } from './dependencies.ts';

export const handler = builtAtFirstEvent(() => createProve(buildDependencies(readEnvironment(process.env))));
