import { readEnvironment } from '#registry/environment.ts';
import { builtAtFirstEvent } from '#runtime/lambda-handler.ts';
import { buildDependencies, createAnnounce } from './create-announce.ts';

export const handler = builtAtFirstEvent(() =>
  createAnnounce(buildDependencies(readEnvironment(process.env))),
);
