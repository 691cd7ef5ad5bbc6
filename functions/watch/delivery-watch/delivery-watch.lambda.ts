import type { Context } from 'aws-lambda';
import { readEnvironment } from '#registry/environment.ts';
import { createDeliveryWatch } from './create-delivery-watch.ts';
import type { DeliveryWatch, WatchAnswer } from './create-delivery-watch.ts';
import { buildDependencies } from './dependencies.ts';

let deliveryWatch: DeliveryWatch | undefined;

/** Built at the first event, so that an error in the environment fails that event. */
function start(): DeliveryWatch {
  return createDeliveryWatch(buildDependencies(readEnvironment(process.env)));
}

export async function handler(event: unknown, context?: Context): Promise<WatchAnswer> {
  deliveryWatch ??= start();
  return deliveryWatch(event, context);
}
