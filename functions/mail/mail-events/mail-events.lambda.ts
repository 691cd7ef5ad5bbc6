import { readEnvironment } from '#registry/environment.ts';
import { builtAtFirstEvent } from '#runtime/lambda-handler.ts';
import { createMailEvents } from './create-mail-events.ts';
import { buildDependencies } from './dependencies.ts';

export const handler = builtAtFirstEvent(() =>
  createMailEvents(buildDependencies(readEnvironment(process.env))),
);
