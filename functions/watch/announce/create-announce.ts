import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import pLimit from 'p-limit';
import * as z from 'zod';
import { buildFunctionDependencies } from '#mail/function-dependencies.ts';
import { DaybookError, OpsNotToldError } from '#records/errors/daybook-error.ts';
import { readEvent } from '#records/errors/invalid-event.ts';
import { dayInKey, merchantInKey } from '#records/storage/keys.ts';
import type { OpsNotice } from '#mail/notices/ops-notice.ts';
import type { StorageError } from '#records/errors/storage-error.ts';
import type { Environment } from '#registry/environment.ts';
import { requestHandler } from '#runtime/aws-clients.ts';
import type { Handler } from '#runtime/lambda-handler.ts';
import { isUnreadableObject, type StoredObjectError } from '#runtime/s3-objects.ts';
import { News, type Fact } from './facts.ts';

/** S3's own event of an object that was written. A person may leave out all but the key. */
export const objectEventSchema = z.object({
  source: z.literal('aws.s3'),
  time: z.coerce.date().optional(),
  detail: z.object({
    object: z.object({ key: z.string().max(1_024), 'version-id': z.string().optional() }),
  }),
});

/** EventBridge did not take events at any try, and says why by its codes. When S3's event comes again, all are put again. */
class EventBusError extends DaybookError {
  override readonly name = 'EventBusError';
}

export function buildDependencies(environment: Environment) {
  const { s3, ...shared } = buildFunctionDependencies(environment, 'announce');
  return {
    ...shared,
    news: new News(s3, environment.data.bucket),
    bus: new EventBridgeClient({ maxAttempts: 3, requestHandler: requestHandler(10_000) }),
    /** In every event: several stages may share a bus. */
    stage: environment.stage ?? 'local',
  };
}

type Dependencies = ReturnType<typeof buildDependencies>;

/** Events of one request, and requests at the same time. */
const A_REQUEST = 10;
const AT_ONCE = 5;
const TRIES = 5;
/** Milliseconds. Each further pause takes twice as long: EventBridge limits events a second. */
const FIRST_PAUSE = 500;

/**
 * Puts events on the account's default bus, those that it refuses again after a pause.
 * @param Time when the object was written
 * @throws {EventBusError} when some were not taken
 */
async function putEvents({ bus, clock, stage }: Dependencies, facts: readonly Fact[], Time?: Date) {
  const starts = Array.from({ length: Math.ceil(facts.length / A_REQUEST) }, (_, index) => index * A_REQUEST);
  await pLimit(AT_ONCE).map(starts, async (start) => {
    let left = facts.slice(start, start + A_REQUEST).map((fact) => ({
      Source: 'daybook',
      DetailType: fact.type,
      Detail: JSON.stringify({ version: 1, id: fact.id, stage, key: fact.key, ...fact.says }),
      Time,
    }));
    for (let attempt = 1; ; attempt += 1) {
      const { Entries = [] } = await bus.send(new PutEventsCommand({ Entries: left }));
      const codes = new Set(Entries.flatMap(({ ErrorCode }) => ErrorCode ?? []));
      if (codes.size === 0) return;
      if (attempt === TRIES) throw new EventBusError(`events were not taken: ${[...codes].join(', ')}`);
      left = left.filter((_, place) => Entries[place]?.ErrorCode !== undefined);
      await clock.sleep(FIRST_PAUSE * 2 ** (attempt - 1));
    }
  });
}

/** @param key of what is not told: a mail, of which the page may be what cannot be read */
function noticeOf(key: string, error: StoredObjectError | StorageError): OpsNotice {
  const isOther = error.key !== key;
  const event = { source: 'aws.s3', detail: { object: { key } } };
  const again = { does: 'invoke', shows: `Tells what ${key} says`, functionName: 'announce', event } as const;
  return {
    about: `no event of ${key}`,
    merchants: [merchantInKey(key)].filter((code) => code !== undefined),
    days: [dayInKey(key)].filter((day) => day !== undefined),
    happened: 'other systems are not told of an object',
    meaning: [
      `The object ${error.key} cannot be read, so no event says what ${isOther ? key : 'it'} says.`,
      `${error.message}.`,
    ],
    tried: ['It was read when it was written. It is not tried again by itself.'],
    toDo: [
      'The runbook says how to find out who wrote it, and how to get a readable version back.',
      'A readable version that is written there is told by itself.',
      ...(isOther ? [`Then let announce tell ${key}.`] : []),
    ],
    headings: ['recordNotReadable'],
    errors: [error.name],
    commands: [{ shows: 'The object', does: 'show object', key: error.key }, ...(isOther ? [again] : [])],
  };
}

/**
 * Builds `announce`: it tells what an object says that was not said before (docs/events.md). Told again when a run dies or fails,
 * with the same ids. An unreadable object is told to ops, and stops nothing.
 */
export function createAnnounce(dependencies: Dependencies): Handler<{ events: number }> {
  const { telemetry, news, opsNotices } = dependencies;
  return (rawEvent, context) =>
    telemetry.during(context, async () => {
      const { time, detail } = readEvent(objectEventSchema, rawEvent);
      const { key, 'version-id': version } = detail.object;
      try {
        const facts = await news.of(key, version);
        if (facts === undefined) {
          telemetry.logger.warn('gone before it was told', { key, version });
          telemetry.count('ObjectsNotTold', 1);
        } else if (facts.length > 0) {
          await putEvents(dependencies, facts, time);
          telemetry.count('EventsPut', facts.length);
          telemetry.logger.info('told', { key, version, types: [...new Set(facts.map(({ type }) => type))] });
        }
        return { events: facts?.length ?? 0 };
      } catch (error) {
        if (!isUnreadableObject(error)) throw error;
        telemetry.logError(error);
        telemetry.count('ObjectsNotTold', 1);
        // The event is to be retried.
        if (!(await opsNotices.notifyOnce(noticeOf(key, error))))
          throw new OpsNotToldError(`ops could not be notified of the unreadable object ${key}`);
        return { events: 0 };
      }
    });
}
