import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import pLimit from 'p-limit';
import { DaybookError } from '#records/errors/daybook-error.ts';
import { requestHandler } from '#runtime/aws-clients.ts';
import type { EventType } from './event-schemas.ts';

/** EventBridge did not take events, and says why by its codes. All are put again. */
export class EventBusError extends DaybookError {
  override readonly name = 'EventBusError';
}

export interface DaybookEvent {
  type: EventType;
  detail: Readonly<Record<string, unknown>>;
  /** When its object was written. */
  at: Date | undefined;
}

/** Puts events on the account's default bus. @throws {EventBusError} when some were not taken */
export type PutEvents = (events: readonly DaybookEvent[]) => Promise<void>;

const A_REQUEST = 10;
const AT_ONCE = 5;

export function eventBus(): PutEvents {
  const client = new EventBridgeClient({ maxAttempts: 3, requestHandler: requestHandler(10_000) });
  return async (events) => {
    const requests = Array.from({ length: Math.ceil(events.length / A_REQUEST) }, (_, index) =>
      events.slice(index * A_REQUEST, (index + 1) * A_REQUEST),
    );
    await pLimit(AT_ONCE).map(requests, async (some) => {
      const { Entries = [] } = await client.send(
        new PutEventsCommand({
          Entries: some.map(({ type, detail, at }) => ({
            Source: 'daybook',
            DetailType: type,
            Detail: JSON.stringify(detail),
            Time: at,
          })),
        }),
      );
      const codes = new Set(Entries.flatMap(({ ErrorCode }) => ErrorCode ?? []));
      if (codes.size > 0) throw new EventBusError(`events were not taken: ${[...codes].join(', ')}`);
    });
  };
}
