import type { Context, SQSBatchResponse, SQSEvent } from 'aws-lambda';
import * as z from 'zod';
import { readEvent } from '#records/errors/invalid-event.ts';
import { remainingTime } from '#runtime/clock.ts';
import { lazyQueues, workThrough, type Failure, type Outcome } from '#runtime/queue-worker.ts';
import type { Telemetry } from '#runtime/telemetry.ts';
import { daysMessageSchema, statementMessageSchema } from '#runtime/queue-message.ts';

type Handle = (event: unknown, context?: Context) => Promise<unknown>;

export interface PageWorkerPorts {
  telemetry: Telemetry;
  report: Handle;
  statement: Handle;
}

const pageMessageSchema = z.lazy(() => z.union([daysMessageSchema, statementMessageSchema]));

/** Does the messages of reports and backfills (docs/queues.md): a merchant's days in turn, a statement or a page. */
export function createPageWorker({ telemetry, report, statement }: PageWorkerPorts) {
  const queues = lazyQueues();

  async function reportDays(
    { days, ...morning }: z.infer<typeof daysMessageSchema>,
    context: Context | undefined,
  ): Promise<Outcome> {
    const failures: Failure[] = [];
    // A day that begins has at least half of the time that a run has.
    const half = remainingTime(context) / 2;
    for (const [done, day] of days.entries()) {
      if (done > 0 && remainingTime(context) < half) {
        const failed = failures.map(({ about }) => about);
        return {
          failures,
          rest: { ...morning, days: days.slice(done) },
          failed: { ...morning, days: failed },
        };
      }
      try {
        await report({ ...morning, day }, context);
      } catch (error) {
        failures.push({ about: day, error });
      }
    }
    return { failures };
  }

  return (event: SQSEvent, context?: Context): Promise<SQSBatchResponse> =>
    telemetry.during(context, () =>
      workThrough(event, { queues, telemetry }, 1, async (body) => {
        const message = readEvent(pageMessageSchema, body);
        if ('days' in message) return reportDays(message, context);
        await statement(message, context);
        return { failures: [] };
      }),
    );
}
