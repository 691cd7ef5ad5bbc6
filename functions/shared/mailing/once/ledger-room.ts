import type { Ledger } from '#domain/ledger/ledger.ts';
import { MOST_LEDGER_ENTRIES } from '#domain/storage/object-bounds.ts';
import { LedgerFullError } from './mail-errors.ts';

/**
 * Makes sure that a round fits into its ledger before it begins. Otherwise a mail could go out without a
 * record, and no event or later run would know of it.
 *
 * @param job the ledger's key, and the recipients of the round
 * @throws {LedgerFullError} when the ledger has no room for it
 */
export function assertRoomForRound(
  job: { key: string; recipients: readonly string[] },
  ledger: Ledger,
): void {
  const entries = ledger.recipients.length;
  // The round before may lack some recipients. They are added to it first.
  if (entries + 2 * job.recipients.length <= MOST_LEDGER_ENTRIES) return;
  throw new LedgerFullError(`${job.key}: ${entries} entries leave no room for another round`);
}
