import { readEnvironment } from '#registry/environment.ts';
import { builtAtFirstEvent } from '#runtime/lambda-handler.ts';
import { createLink } from './create-link.ts';
import { buildDependencies } from './dependencies.ts';

export const handler = builtAtFirstEvent(() => createLink(buildDependencies(readEnvironment(process.env))));
