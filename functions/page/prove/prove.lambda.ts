import { readEnvironment } from '#registry/environment.ts';
import { builtAtFirstEvent } from '#runtime/lambda-handler.ts';
import { buildDependencies, createProve } from './create-prove.ts';

export const handler = builtAtFirstEvent(() => createProve(buildDependencies(readEnvironment(process.env))));
