import type { Context, SQSEvent } from 'aws-lambda';
import { daysMessageSchema } from '#runtime/queue-message.ts';
import { readEvent } from '#records/errors/invalid-event.ts';
import { readEnvironment } from '#registry/environment.ts';
import { builtAtFirstEvent } from '#runtime/lambda-handler.ts';
import { isQueueEvent, lazyQueues, workThrough } from '#runtime/queue-worker.ts';
import { AlertCheckBatch, CHECKS_AT_ONCE, createAlertCheck } from './create-alert-check.ts';
import { buildDependencies } from './dependencies.ts';

/** Answers an event of a person (docs/interfaces.md, 4.3 alert-check), or does a batch of messages (7 Queues). */
export const handler = builtAtFirstEvent(() => {
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
  const check = createAlertCheck(dependencies);
  return async (event, context) => (isQueueEvent(event) ? work(event, context) : check(event, context));
});
