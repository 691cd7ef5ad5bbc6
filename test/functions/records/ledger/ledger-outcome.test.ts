import { describe, expect, it } from 'vitest';
import { hadNothingToSend, settledStatus, wasReceivedBefore } from '#records/ledger/ledger-outcome.ts';
import { finishedRecipients, perhapsReceived, withUnsettledHeld } from '#records/ledger/ledger-rounds.ts';
import { RECIPIENT_STATUSES, ledgerSchema } from '#records/ledger/ledger.ts';
import type { Ledger, LedgerEntry, RecipientStatus } from '#records/ledger/ledger.ts';
import { aLedger, anEntry } from '#support/domain/ledgers.ts';
import { fc, forAll } from '#support/assertions/for-all.ts';

function ledger(recipients: LedgerEntry[], round = 1): Ledger {
  return aLedger(recipients, { status: 'intended', round });
}

/** A ledger of these rounds. Each round has the status of each recipient by name. */
function rounds(...outcomes: Record<string, RecipientStatus>[]): Ledger {
  const entries = outcomes.flatMap((outcome, index) =>
    Object.entries(outcome).map(([to, status]) => anEntry(to, status, { round: index + 1 })),
  );
  return ledger(entries, outcomes.length);
}

describe('settledStatus', () => {
  it.each<[RecipientStatus[], RecipientStatus]>([
    [['delivered', 'delivered'], 'delivered'],
    [['delivered', 'accepted'], 'accepted'],
    [['delivered', 'bounced', 'skipped'], 'bounced'],
    [['bounced', 'complained'], 'complained'],
    [['complained', 'failed'], 'failed'],
    [['failed', 'held', 'delivered'], 'held'],
    [['skipped', 'delivered'], 'delivered'],
    [['skipped'], 'skipped'],
    [[], 'skipped'],
  ])('of %j is %s', (statuses, settled) => {
    expect(settledStatus(ledger(statuses.map((status, index) => anEntry(String(index), status))))).toBe(
      settled,
    );
  });

  it('does not depend on the order of recipients, and is the status of one of them', () =>
    forAll([fc.array(fc.constantFrom(...RECIPIENT_STATUSES), { minLength: 1 })], (statuses) => {
      const entries = statuses.map((status, index) => anEntry(String(index), status));
      const settled = settledStatus(ledger(entries));
      expect(statuses).toContain(settled);
      expect(settledStatus(ledger(entries.toReversed()))).toBe(settled);
    }));
});

describe('settledStatus over several rounds', () => {
  it.each<[string, Record<string, RecipientStatus>[], RecipientStatus]>([
    ['a resend that was skipped', [{ a: 'delivered' }, { a: 'skipped' }], 'delivered'],
    ['a resend that was refused', [{ a: 'accepted' }, { a: 'failed' }], 'accepted'],
    ['a resend that is held', [{ a: 'delivered' }, { a: 'held' }], 'delivered'],
    ['a resend that bounced', [{ a: 'accepted' }, { a: 'bounced' }], 'accepted'],
    ['a resend that was complained about', [{ a: 'accepted' }, { a: 'complained' }], 'accepted'],
    ['a resend to somebody else', [{ a: 'delivered' }, { b: 'skipped' }], 'delivered'],
    ['a resend that arrived in the end', [{ a: 'held' }, { a: 'accepted' }], 'accepted'],
    ['a resend that was not sent', [{ a: 'bounced' }, { a: 'skipped' }], 'bounced'],
    [
      'a resend that reaches one of two recipients',
      [
        { a: 'delivered', b: 'bounced' },
        { a: 'skipped', b: 'accepted' },
      ],
      'accepted',
    ],
    [
      'a resend that one of two recipients does not get',
      [
        { a: 'delivered', b: 'bounced' },
        { a: 'accepted', b: 'failed' },
      ],
      'failed',
    ],
    [
      'a resend without the recipient whose mail bounced',
      [{ a: 'delivered', b: 'bounced' }, { a: 'accepted' }],
      'delivered',
    ],
    [
      'a resend with a recipient who was skipped before',
      [
        { a: 'delivered', b: 'skipped' },
        { a: 'skipped', b: 'failed' },
      ],
      'delivered',
    ],
    ['two resends', [{ a: 'held' }, { a: 'bounced' }, { a: 'skipped' }], 'bounced'],
  ])('%s', (_name, outcomes, status) => {
    expect(settledStatus(rounds(...outcomes))).toBe(status);
  });

  it('never says that fewer recipients have the mail than before the last round', () => {
    const outcome = fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.constantFrom(...RECIPIENT_STATUSES), {
      minKeys: 1,
    });
    forAll([fc.array(outcome, { minLength: 2, maxLength: 5 })], (outcomes) => {
      const before = settledStatus(rounds(...outcomes.slice(0, -1)));
      fc.pre(before === 'accepted' || before === 'delivered');
      const after = rounds(...outcomes);
      expect(['accepted', 'delivered']).toContain(settledStatus(after));
      expect(wasReceivedBefore(after)).toBe(true);
    });
  });
});

it.each<[string, Ledger, boolean]>([
  ['a ledger of an earlier version that was skipped', { ...ledger([]), status: 'skipped' }, true],
  ['a ledger that says why', { ...ledger([], 2), nothingToSend: 'the day is empty' }, true],
  ['a ledger whose recipients were all skipped', { ...rounds({ a: 'skipped' }), status: 'skipped' }, false],
  ['a ledger that a run has begun', ledger([]), false],
])('hadNothingToSend %s: %s', (_name, given, nothing) => {
  expect(hadNothingToSend(given)).toBe(nothing);
});

it('ledgerSchema reads a ledger of an earlier version, without rounds and reasons', () => {
  const { round: _round, reason: _reason, ...old } = anEntry('a', 'accepted');
  expect(ledgerSchema.parse({ ...ledger([]), recipients: [old] }).recipients).toEqual([
    anEntry('a', 'accepted'),
  ]);
});

it.each(RECIPIENT_STATUSES.map((status) => [status, status !== 'failed'] as const))(
  'finishedRecipients contains a recipient whose mail is %s: %s',
  (status, finished) => {
    expect(finishedRecipients(ledger([anEntry('a', status)])).has('a')).toBe(finished);
  },
);

describe('withUnsettledHeld', () => {
  const later = '2026-11-21T03:20:00.000Z';

  it('holds intended mails, and says why', () => {
    const given = ledger([anEntry('a', 'intended'), anEntry('b', 'accepted')]);
    expect(withUnsettledHeld(given, later).recipients).toEqual([
      { ...anEntry('a', 'held'), at: later, reason: 'it is not known whether it was sent' },
      anEntry('b', 'accepted'),
    ]);
  });

  it('keeps a known reason', () => {
    const given = ledger([{ ...anEntry('a', 'intended'), reason: 'HTTP 500' }]);
    expect(withUnsettledHeld(given, later).recipients[0]?.reason).toBe('HTTP 500');
  });

  it('also holds what an earlier round left', () => {
    const given = rounds({ a: 'intended' }, { a: 'accepted' });
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
    expect(perhapsReceived(ledger([anEntry('a', status)]))).toBe(perhaps);
    expect(perhapsReceived(ledger([anEntry('a', 'skipped'), anEntry('b', status)]))).toBe(perhaps);
  });

  it('uses every round', () => {
    expect(perhapsReceived(rounds({ a: 'delivered' }, { a: 'failed' }))).toBe(true);
  });
});
