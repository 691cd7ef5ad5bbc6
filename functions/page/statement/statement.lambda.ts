import { readEnvironment } from '#registry/environment.ts';
import { builtAtFirstEvent } from '#runtime/lambda-handler.ts';
import { createStatement } from './create-statement.ts';
import { buildDependencies } from './dependencies.ts';

export const handler = builtAtFirstEvent(() =>
  createStatement(buildDependencies(readEnvironment(process.env))),
);
