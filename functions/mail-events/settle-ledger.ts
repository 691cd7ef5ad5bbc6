import { DaybookError } from '#domain/errors/daybook-error.ts';
import { ledgerAfter } from '#domain/ledger/ledger-events.ts';
import type { LedgerChange, MailEvent } from '#domain/ledger/ledger-events.ts';
import type { Clock } from '#runtime/clock.ts';
import type { LedgerStore, VersionedLedger } from '#mailing/ledger-store.ts';

/** Others changed the ledger each time this event was to be written into it; Lambda brings the event again. */
export class LedgerContestedError extends DaybookError {
  override readonly name = 'LedgerContestedError';
}

/** What came of an event at a ledger; `absent` where there is none. */
export type LedgerOutcome = LedgerChange['outcome'] | 'absent';

const MOST_ATTEMPTS = 10;
/** Milliseconds; a writer at work changes its ledger a few times a second. */
const LONGEST_PAUSE = 200;

/** What the event comes to at the ledger as it stands. */
export function changeBy(event: MailEvent, standing: VersionedLedger | undefined): LedgerChange | undefined {
  return standing === undefined ? undefined : ledgerAfter(standing.ledger, event);
}

/**
 * Writes an event into its ledger. Whoever else changes the ledger meanwhile keeps what he wrote: the event is then
 * decided anew on what stands there.
 *
 * @param standing the ledger as it was read, where there was one
 * @throws {LedgerContestedError} when another change came between every time
 */
export async function settleLedger(
  { ledgers, clock }: { ledgers: LedgerStore; clock: Clock },
  key: string,
  event: MailEvent,
  standing: VersionedLedger | undefined,
): Promise<LedgerOutcome> {
  let known = standing;
  for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt += 1) {
    const change = changeBy(event, known);
    if (change === undefined || known === undefined) return 'absent';
    if (change.outcome !== 'changed') return change.outcome;
    if ((await ledgers.update(key, change.ledger, known.version)) !== undefined) return 'changed';
    await clock.sleep(Math.random() * LONGEST_PAUSE);
    known = await ledgers.read(key);
  }
  throw new LedgerContestedError(`${key}: another change came between ${MOST_ATTEMPTS} times`);
}
