import { readEnvironment } from '#registry/environment.ts';
import { builtAtFirstEvent } from '#runtime/lambda-handler.ts';
import { buildDependencies, createLink } from './create-link.ts';

export const handler = builtAtFirstEvent(() => createLink(buildDependencies(readEnvironment(process.env))));
