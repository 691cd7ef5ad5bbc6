import { settledStatus } from './ledger-outcome.ts';
import type { Ledger } from './ledger.ts';

/**
 * The later revision had nothing to send by itself, and a person sent it to some: its rounds say what became
 * of those recipients, the earlier ledger of the others.
 * @param later has partial rounds only
 */
export function continuedBy(earlier: Ledger, later: Ledger): Ledger {
  // The first round of the later ledger has no entries.
  const moved = <T extends { round: number }>(of: T): T => ({ ...of, round: of.round + earlier.round - 1 });
  const both: Ledger = {
    ...earlier,
    until: later.until,
    round: moved(later).round,
    partial: [...(earlier.partial ?? []), ...(later.partial ?? []).map(moved)],
    recipients: [...earlier.recipients, ...later.recipients.map(moved)],
  };
  return { ...both, status: later.status === 'intended' ? 'intended' : settledStatus(both) };
}
