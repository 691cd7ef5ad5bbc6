import { readEnvironment } from '#registry/environment.ts';
import { builtAtFirstEvent } from '#runtime/lambda-handler.ts';
import { buildDependencies, createUnsubscribe } from './create-unsubscribe.ts';

export const handler = builtAtFirstEvent(() =>
  createUnsubscribe(buildDependencies(readEnvironment(process.env))),
);
