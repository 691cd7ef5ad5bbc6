import type { Ledger, LedgerEntry } from '#records/ledger/ledger.ts';

/** When the mails of {@link aLedger} were begun and what is known of them was written. */
export const LEDGER_AT = '2026-11-21T03:00:09.000Z';

export function anEntry(
  to: string,
  status: LedgerEntry['status'],
  changes: Partial<LedgerEntry> = {},
): LedgerEntry {
  return { to, status, messageId: null, at: LEDGER_AT, reason: null, round: 1, ...changes };
}

/** The ledger of a report's mails, which a writer has finished. */
export function aLedger(recipients: LedgerEntry[], changes: Partial<Ledger> = {}): Ledger {
  return {
    status: 'accepted',
    kind: 'report',
    figures: null,
    intendedAt: LEDGER_AT,
    until: LEDGER_AT,
    writer: '20261121T030005Z-9f2c61aa',
    round: 1,
    reason: null,
    recipients,
    ...changes,
  };
}
