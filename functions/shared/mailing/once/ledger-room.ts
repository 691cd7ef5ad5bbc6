import type { Ledger } from '#domain/ledger/ledger.ts';
import { MOST_LEDGER_ENTRIES } from '#domain/storage/object-bounds.ts';
import { LedgerFullError } from './mail-errors.ts';

/** A hash with its quotes and comma has 67 bytes, an entry has 640. */
const NAMES_PER_ENTRY = 9;

/**
 * Makes sure that a round fits into its ledger before it begins. Otherwise a mail could go out without a
 * record, and no event or later run would know of it.
 *
 * @param job the ledger's key, and all recipients
 * @param named the hashes that a partial round names; none for a round for all
 * @throws {LedgerFullError} when the ledger has no room for it
 */
export function assertRoomForRound(
  job: { key: string; recipients: readonly string[] },
  ledger: Ledger,
  named: readonly string[],
): void {
  const entries = ledger.recipients.length;
  // Partial rounds name their recipients.
  const names = (ledger.partial ?? []).reduce(
    (sum, { to, former = [] }) => sum + to.length + former.length,
    named.length,
  );
  // The round before may lack some recipients. They are added to it first.
  const needed = 2 * job.recipients.length + Math.ceil(names / NAMES_PER_ENTRY);
  if (entries + needed <= MOST_LEDGER_ENTRIES) return;
  throw new LedgerFullError(`${job.key}: ${entries} entries leave no room for another round`);
}
