import { readEnvironment } from '#registry/environment.ts';
import { builtAtFirstEvent } from '#runtime/lambda-handler.ts';
import { createDeliveryWatch } from './create-delivery-watch.ts';
import { buildDependencies } from './dependencies.ts';

export const handler = builtAtFirstEvent(() =>
  createDeliveryWatch(buildDependencies(readEnvironment(process.env))),
);
