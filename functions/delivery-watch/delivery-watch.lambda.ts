import type { Context } from 'aws-lambda';
import { readEnvironment } from '#runtime/environment.ts';
import { createDeliveryWatch } from './create-delivery-watch.ts';
import type { DeliveryWatch } from './create-delivery-watch.ts';
import type { WatchAnswer } from './watch-answer.ts';
import { buildDependencies } from './dependencies.ts';

let deliveryWatch: DeliveryWatch | undefined;

/** What a cold start builds, at the first event: a malformed environment fails that, and names the variable. */
function start(): DeliveryWatch {
  return createDeliveryWatch(buildDependencies(readEnvironment(process.env)));
}

/** What AWS calls: expected against received, after each merchant's deadline. */
export async function handler(event: unknown, context?: Context): Promise<WatchAnswer> {
  deliveryWatch ??= start();
  return deliveryWatch(event, context);
}
