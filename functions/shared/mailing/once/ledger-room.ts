import type { Ledger } from '#domain/ledger/ledger.ts';
import { MOST_LEDGER_ENTRIES } from '#domain/storage/object-bounds.ts';
import { LedgerFullError } from './mail-errors.ts';

/**
 * A round that could not be written down must not begin: nobody would know of a mail that went out, and no event or later
 * run could say it.
 *
 * @param job the ledger's key, and those whom the round is for
 * @throws {LedgerFullError} when the ledger has no room for it
 */
export function assertRoomForRound(
  job: { key: string; recipients: readonly string[] },
  ledger: Ledger,
): void {
  const entries = ledger.recipients.length;
  // The round before may lack some, who are added to it first.
  if (entries + 2 * job.recipients.length <= MOST_LEDGER_ENTRIES) return;
  throw new LedgerFullError(`${job.key}: ${entries} entries leave no room for another round`);
}
