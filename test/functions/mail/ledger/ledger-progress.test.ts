import { describe, expect, it } from 'vitest';
import {
  finishedRecipients,
  perhapsReceived,
  presentRound,
  withEntry,
  withUnsettledHeld,
} from '#mail/ledger/ledger-rounds.ts';
import { RECIPIENT_STATUSES, ledgerSchema } from '#mail/ledger/ledger.ts';
import type { Ledger, LedgerEntry, RecipientStatus } from '#mail/ledger/ledger.ts';
import { FIGURES } from '#support/domain/sealed-manifest.ts';

const AT = '2026-11-21T03:00:09.000Z';

function entry(to: string, status: RecipientStatus, round = 1): LedgerEntry {
  return { to, status, messageId: null, at: AT, reason: null, round };
}

function ledger(recipients: LedgerEntry[], round = 1): Ledger {
  return {
    status: 'intended',
    kind: 'report',
    figures: FIGURES,
    intendedAt: AT,
    until: '2026-11-21T03:10:00.000Z',
    writer: '20261121T030005Z-9f2c61aa',
    round,
    reason: null,
    recipients,
  };
}

describe('ledgerSchema', () => {
  it('reads a ledger of an earlier version, without rounds and reasons', () => {
    const { round: _round, reason: _reason, ...old } = entry('a', 'accepted');
    expect(ledgerSchema.parse({ ...ledger([]), recipients: [old] }).recipients).toEqual([
      entry('a', 'accepted'),
    ]);
  });

  it('accepts no other statuses', () => {
    expect(ledgerSchema.safeParse({ ...ledger([]), status: 'sent' }).success).toBe(false);
  });
});

describe('presentRound', () => {
  it('is the round that the last resend added', () => {
    const given = ledger([entry('a', 'delivered'), entry('b', 'bounced'), entry('a', 'intended', 2)], 2);
    expect(presentRound(given)).toEqual([entry('a', 'intended', 2)]);
  });
});

describe('finishedRecipients', () => {
  it.each(RECIPIENT_STATUSES.map((status) => [status, status !== 'failed'] as const))(
    'contains a recipient whose mail is %s: %s',
    (status, finished) => {
      expect(finishedRecipients(ledger([entry('a', status)])).has('a')).toBe(finished);
    },
  );

  it('ignores earlier rounds', () => {
    expect(finishedRecipients(ledger([entry('a', 'delivered')], 2)).size).toBe(0);
  });
});

describe('withEntry', () => {
  const { round: _round, ...accepted } = { ...entry('a', 'accepted'), messageId: 'm-1' };

  it('adds a new recipient after the others', () => {
    const given = ledger([entry('b', 'intended')]);
    expect(withEntry(given, accepted).recipients.map(({ to }) => to)).toEqual(['b', 'a']);
  });

  it('replaces the recipient’s own entry', () => {
    const given = ledger([entry('a', 'intended'), entry('b', 'intended')]);
    expect(withEntry(given, accepted).recipients).toEqual([
      { ...accepted, round: 1 },
      entry('b', 'intended'),
    ]);
  });

  it('leaves earlier rounds unchanged', () => {
    const given = ledger([entry('a', 'bounced')], 2);
    expect(withEntry(given, accepted).recipients).toEqual([entry('a', 'bounced'), { ...accepted, round: 2 }]);
  });

  it('does not change the given ledger', () => {
    const given = ledger([entry('a', 'intended')]);
    withEntry(given, accepted);
    expect(given).toEqual(ledger([entry('a', 'intended')]));
  });
});

describe('withUnsettledHeld', () => {
  const later = '2026-11-21T03:20:00.000Z';

  it('holds intended mails, and says why', () => {
    const given = ledger([entry('a', 'intended'), entry('b', 'accepted')]);
    expect(withUnsettledHeld(given, later).recipients).toEqual([
      { ...entry('a', 'held'), at: later, reason: 'it is not known whether it was sent' },
      entry('b', 'accepted'),
    ]);
  });

  it('keeps a known reason', () => {
    const given = ledger([{ ...entry('a', 'intended'), reason: 'HTTP 500' }]);
    expect(withUnsettledHeld(given, later).recipients[0]?.reason).toBe('HTTP 500');
  });

  it('also holds what an earlier round left', () => {
    const given = ledger([entry('a', 'intended', 1), entry('a', 'accepted', 2)], 2);
    expect(withUnsettledHeld(given, later).recipients.map(({ status }) => status)).toEqual([
      'held',
      'accepted',
    ]);
  });
});

describe('perhapsReceived', () => {
  it.each<[RecipientStatus, boolean]>([
    ['intended', true],
    ['accepted', true],
    ['delivered', true],
    ['complained', true],
    ['held', true],
    ['bounced', false],
    ['failed', false],
    ['skipped', false],
  ])('of a mail that is %s: %s', (status, perhaps) => {
    expect(perhapsReceived(ledger([entry('a', status)]))).toBe(perhaps);
    expect(perhapsReceived(ledger([entry('a', 'skipped'), entry('b', status)]))).toBe(perhaps);
  });

  it('uses every round', () => {
    expect(perhapsReceived(ledger([entry('a', 'delivered', 1), entry('a', 'failed', 2)], 2))).toBe(true);
  });
});
