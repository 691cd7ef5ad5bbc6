import { readEnvironment } from '#registry/environment.ts';
import { builtAtFirstEvent } from '#runtime/lambda-handler.ts';
import { createUnsubscribe } from './create-unsubscribe.ts';
import { buildDependencies } from './dependencies.ts';

export const handler = builtAtFirstEvent(() =>
  createUnsubscribe(buildDependencies(readEnvironment(process.env))),
);
