import type { Context, SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { daysMessageSchema } from '#runtime/queue-message.ts';
import { readEvent } from '#records/errors/invalid-event.ts';
import { readEnvironment } from '#registry/environment.ts';
import { isQueueEvent, lazyQueues, workThrough } from '#runtime/queue-worker.ts';
import { AlertCheckBatch, CHECKS_AT_ONCE, createAlertCheck } from './create-alert-check.ts';
import type { AlertCheckAnswer } from './create-alert-check.ts';
import { buildDependencies } from './dependencies.ts';

/** Built at the first event, so that an error in the environment fails that event. */
function build() {
  const dependencies = buildDependencies(readEnvironment(process.env));
  const { telemetry } = dependencies;
  const queues = lazyQueues();
  const work = (event: SQSEvent, context?: Context) =>
    telemetry.during(context, async () => {
      const batch = new AlertCheckBatch(dependencies, context);
      const left = await workThrough(event, { queues, telemetry }, CHECKS_AT_ONCE, async (body) => {
        const { merchantCode, days, scheduledTime } = readEvent(daysMessageSchema, body);
        await batch.check({ merchantCode, day: days[0], scheduledTime });
        return { failures: [] };
      });
      batch.log();
      return left;
    });
  return { check: createAlertCheck(dependencies), work };
}

let built: ReturnType<typeof build> | undefined;

/** Answers an event of a person (docs/interfaces.md, 4.3 alert-check), or does a batch of messages (7 Queues). */
export async function handler(
  event: unknown,
  context?: Context,
): Promise<AlertCheckAnswer | SQSBatchResponse> {
  built ??= build();
  return isQueueEvent(event) ? built.work(event, context) : built.check(event, context);
}
