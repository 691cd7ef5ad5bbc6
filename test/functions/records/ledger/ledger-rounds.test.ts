import {
  continuedBy,
  hadNothingToSend,
  lackingMail,
  settledStatus,
  wasReceivedBefore,
  audienceOf,
  finishedRecipients,
  formerOf,
  hasOnlyPartialRounds,
  perhapsReceived,
  presentEntries,
  withAudience,
  withUnsettledHeld,
} from '#records/ledger/ledger-rounds.ts';
import {
  type Ledger,
  type LedgerEntry,
  ledgerSchema,
  RECIPIENT_STATUSES,
  type RecipientStatus,
} from '#records/ledger/ledger.ts';
import { fc, forAll } from '#support/assertions/index.ts';
import { aLedger, anEntry } from '#support/records/manifests.ts';

function ledger(recipients: LedgerEntry[], round = 1): Ledger {
  return aLedger(recipients, { status: 'intended', round });
}

type Outcome = Record<string, RecipientStatus>;

/** A ledger of these rounds. A round in a list is partial. */
function rounds(...outcomes: (Outcome | [Outcome])[]): Ledger {
  const of = outcomes.map((outcome) => (Array.isArray(outcome) ? outcome[0] : outcome));
  const partial = outcomes.flatMap((outcome, index) =>
    Array.isArray(outcome) ? [{ round: index + 1, to: Object.keys(outcome[0]) }] : [],
  );
  const recipients = of.flatMap((outcome, index) =>
    Object.entries(outcome).map(([to, status]) => anEntry(to, status, { round: index + 1 })),
  );
  return aLedger(recipients, { round: outcomes.length, ...(partial.length > 0 && { partial }) });
}

const both = (a: RecipientStatus, b: RecipientStatus): Outcome => ({ a, b });

function present(ledger: Ledger): Outcome {
  return Object.fromEntries(presentEntries(ledger).map(({ to, status }) => [to, status]));
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
    const entries = statuses.map((status, index) => anEntry(String(index), status));
    expect(settledStatus(ledger(entries))).toBe(settled);
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
  it.each<[string, (Outcome | [Outcome])[], RecipientStatus]>([
    ['a resend that was skipped', [{ a: 'delivered' }, { a: 'skipped' }], 'delivered'],
    ['a resend that was refused', [{ a: 'accepted' }, { a: 'failed' }], 'accepted'],
    ['a resend that is held', [{ a: 'delivered' }, { a: 'held' }], 'delivered'],
    ['a resend that bounced', [{ a: 'accepted' }, { a: 'bounced' }], 'accepted'],
    ['a resend that was complained about', [{ a: 'accepted' }, { a: 'complained' }], 'accepted'],
    ['a resend to somebody else', [{ a: 'delivered' }, { b: 'skipped' }], 'delivered'],
    ['a resend that arrived in the end', [{ a: 'held' }, { a: 'accepted' }], 'accepted'],
    ['a resend that was not sent', [{ a: 'bounced' }, { a: 'skipped' }], 'bounced'],
    ['a resend to one of two', [both('delivered', 'bounced'), both('skipped', 'accepted')], 'accepted'],
    ['a resend that one of two lacks', [both('delivered', 'bounced'), both('accepted', 'failed')], 'failed'],
    ['a resend without a bounced one', [both('delivered', 'bounced'), { a: 'accepted' }], 'delivered'],
    ['a resend to a skipped one', [both('delivered', 'skipped'), both('skipped', 'failed')], 'delivered'],
    ['two resends', [{ a: 'held' }, { a: 'bounced' }, { a: 'skipped' }], 'bounced'],
    ['one to the last without the mail', [both('accepted', 'held'), [{ b: 'accepted' }]], 'accepted'],
    ['one to one of two without it', [both('bounced', 'held'), [{ a: 'accepted' }]], 'held'],
    ['one to one who has it', [both('delivered', 'bounced'), [{ a: 'accepted' }]], 'bounced'],
    ['one refused to one who has it', [both('delivered', 'accepted'), [{ a: 'failed' }]], 'accepted'],
    ['one to one who is stopped', [both('delivered', 'accepted'), [{ b: 'skipped' }]], 'accepted'],
    ['two to some', [both('held', 'held'), [{ a: 'accepted' }], [{ b: 'delivered' }]], 'accepted'],
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
  const { recipients } = ledgerSchema.parse({ ...ledger([]), recipients: [old] });
  expect(recipients).toEqual([anEntry('a', 'accepted')]);
});

it('finishedRecipients contains all but those whose mail failed', () => {
  const entries = RECIPIENT_STATUSES.map((status) => anEntry(status, status));
  const finished = RECIPIENT_STATUSES.filter((status) => status !== 'failed');
  expect(finishedRecipients(ledger(entries))).toEqual(new Set(finished));
});

describe('withUnsettledHeld', () => {
  const later = '2026-11-21T03:20:00.000Z';

  it('holds intended mails, and says why', () => {
    const known = { ...anEntry('c', 'intended'), reason: 'HTTP 500' };
    const given = ledger([anEntry('a', 'intended'), anEntry('b', 'accepted'), known]);
    expect(withUnsettledHeld(given, later).recipients).toEqual([
      { ...anEntry('a', 'held'), at: later, reason: 'it is not known whether it was sent' },
      anEntry('b', 'accepted'),
      { ...known, status: 'held', at: later },
    ]);
  });

  it('also holds what an earlier round left', () => {
    const given = rounds({ a: 'intended' }, { a: 'accepted' });
    const statuses = [{ status: 'held' }, { status: 'accepted' }];
    expect(withUnsettledHeld(given, later).recipients).toMatchObject(statuses);
  });
});

it('perhapsReceived of a mail that one has or may have, in any round', () => {
  const perhaps = RECIPIENT_STATUSES.filter((status) => perhapsReceived(rounds(both('skipped', status))));
  expect(perhaps).toEqual(['intended', 'accepted', 'delivered', 'complained', 'held']);
  expect(perhapsReceived(rounds({ a: 'delivered' }, { a: 'failed' }))).toBe(true);
});

describe('a partial round', () => {
  it('is itself replaced by a round for all recipients', () => {
    const replaced = rounds({ a: 'held', b: 'held' }, [{ a: 'bounced' }], { b: 'accepted' });
    expect(present(replaced)).toEqual({ b: 'accepted' });
  });

  it('is named in the ledger, and a round for all is not', () => {
    const all = rounds({ a: 'accepted' });
    const some = withAudience({ ...all, round: 2 }, ['a', 'b', 'a']);
    expect([audienceOf(all), audienceOf(some)]).toEqual([null, new Set(['a', 'b'])]);
    expect(audienceOf({ ...some, round: 3 })).toBeNull();
    expect(withAudience(some, null)).toEqual({ ...all, round: 2 });
  });

  it('forgets those who had left when it began', () => {
    const before = rounds({ a: 'accepted', b: 'bounced' });
    const sent = rounds({ a: 'accepted', b: 'bounced' }, [{ c: 'delivered' }]);
    const after = withAudience(sent, ['c'], ['b', 'b']);
    expect(after.partial).toEqual([{ round: 2, to: ['c'], former: ['b'] }]);
    expect([formerOf(after), formerOf(before)]).toEqual([['b'], []]);
    expect([present(after), settledStatus(after)]).toEqual([{ a: 'accepted', c: 'delivered' }, 'accepted']);
  });

  it('leaves what the ledger says of all others, whatever happens in it', () => {
    const names = ['a', 'b', 'c'] as const;
    const status = fc.constantFrom(...RECIPIENT_STATUSES);
    const outcome = fc.record({ a: status, b: status, c: status });
    const part = fc.dictionary(fc.constantFrom(...names), status, { minKeys: 1, maxKeys: 2 });
    forAll([outcome, fc.array(part, { minLength: 1, maxLength: 4 })], (first, parts) => {
      const before = rounds(first, ...parts.slice(0, -1).map((one): [Outcome] => [one]));
      const after = rounds(first, ...parts.map((one): [Outcome] => [one]));
      expect(present(after)).toEqual({ ...present(before), ...parts.at(-1) });
    });
  });
});

it('continuedBy puts the partial rounds of a later revision after those of an earlier one', () => {
  const earlier = rounds({ a: 'held', b: 'bounced' }, [{ b: 'held' }]);
  const later = { ...rounds({}, [{ a: 'accepted' }]), nothingToSend: 'no figure has changed' };
  expect([hasOnlyPartialRounds(later), hasOnlyPartialRounds(earlier)]).toEqual([true, false]);
  const both = continuedBy(earlier, later);
  expect(present(both)).toEqual({ a: 'accepted', b: 'held' });
  expect([both.round, both.status, both.nothingToSend]).toEqual([3, 'held', undefined]);
  expect(continuedBy(earlier, { ...later, status: 'intended' }).status).toBe('intended');
});

describe('lackingMail', () => {
  it.each<[RecipientStatus, string]>([
    ['accepted', 'having'],
    ['delivered', 'having'],
    ['bounced', 'lacking'],
    ['failed', 'lacking'],
    ['held', 'lacking'],
    ['skipped', 'lacking'],
    ['complained', 'complained'],
    ['intended', 'perhaps'],
  ])('counts a recipient whose mail is %s as %s', (status, as) => {
    const found = lackingMail(rounds({ a: status }), ['a']);
    const counts = { ...found, lacking: found.lacking.length };
    expect(Object.entries(counts).filter(([, count]) => count > 0)).toEqual([[as, 1]]);
  });

  it('remembers a mail that arrived and a complaint over all rounds', () => {
    const ledger = rounds({ a: 'delivered', b: 'complained' }, { a: 'bounced', b: 'held' });
    expect(lackingMail(ledger, ['a', 'b'])).toEqual({ lacking: [], having: 1, complained: 1, perhaps: 0 });
  });

  it('counts a recipient who joined later, but nobody when there was nothing to send', () => {
    expect(lackingMail(rounds({ a: 'accepted' }), ['a', 'new']).lacking).toEqual(['new']);
    const nothing = { ...rounds({}), nothingToSend: 'the day is empty' };
    expect(lackingMail(nothing, ['a'])).toEqual({ lacking: [], having: 0, complained: 0, perhaps: 0 });
  });
});
