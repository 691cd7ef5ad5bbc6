import { readEnvironment } from '#registry/environment.ts';
import { builtAtFirstEvent } from '#runtime/lambda-handler.ts';
import { buildDependencies, createMailEvents } from './create-mail-events.ts';

export const handler = builtAtFirstEvent(() =>
  createMailEvents(buildDependencies(readEnvironment(process.env))),
);
