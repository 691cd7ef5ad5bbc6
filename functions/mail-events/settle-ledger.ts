import { DaybookError } from '#domain/errors/daybook-error.ts';
import { ledgerAfter } from '#domain/ledger/ledger-events.ts';
import type { LedgerChange, MailEvent } from '#domain/ledger/ledger-events.ts';
import type { Clock } from '#runtime/clock.ts';
import type { LedgerStore, VersionedLedger } from '#mailing/ledger-store.ts';

/** Others changed the ledger at each attempt to write this event into it. Lambda retries the event. */
export class LedgerContestedError extends DaybookError {
  override readonly name = 'LedgerContestedError';
}

/** What an event did to a ledger. `absent`: there is no ledger. */
export type LedgerOutcome = LedgerChange['outcome'] | 'absent';

const MOST_ATTEMPTS = 10;
/** Milliseconds. A run that sends mail changes its ledger a few times a second. */
const LONGEST_PAUSE = 200;

/** The change that the event makes to the ledger. */
export function changeBy(event: MailEvent, standing: VersionedLedger | undefined): LedgerChange | undefined {
  return standing === undefined ? undefined : ledgerAfter(standing.ledger, event);
}

/**
 * Writes an event into its ledger. When somebody else changed the ledger in the meantime, the change is
 * decided again from the new content, so nothing is overwritten.
 *
 * @param standing the ledger as it was read, if it exists
 * @throws {LedgerContestedError} when others changed the ledger at every attempt
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
    const written = await ledgers.update(key, change.ledger, known.version, clock.now());
    if (written !== undefined) return 'changed';
    await clock.sleep(Math.random() * LONGEST_PAUSE);
    known = await ledgers.read(key);
  }
  throw new LedgerContestedError(`${key}: others changed it at each of ${MOST_ATTEMPTS} attempts`);
}
