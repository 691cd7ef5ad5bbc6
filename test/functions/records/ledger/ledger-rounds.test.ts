import { describe, expect, it } from 'vitest';
import { continuedBy, settledStatus, lackingMail } from '#records/ledger/ledger-outcome.ts';
import {
  audienceOf,
  formerOf,
  hasOnlyPartialRounds,
  presentEntries,
  withAudience,
} from '#records/ledger/ledger-rounds.ts';
import { RECIPIENT_STATUSES, type Ledger, type RecipientStatus } from '#records/ledger/ledger.ts';
import { aLedger, anEntry } from '#support/domain/ledgers.ts';
import { fc, forAll } from '#support/assertions/for-all.ts';

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

function present(ledger: Ledger): Outcome {
  return Object.fromEntries(presentEntries(ledger).map(({ to, status }) => [to, status]));
}

describe('a partial round', () => {
  it('replaces the entries of its own recipients only', () => {
    const ledger = rounds({ a: 'accepted', b: 'held', c: 'failed' }, [{ b: 'accepted' }], [{ c: 'skipped' }]);
    expect(present(ledger)).toEqual({ a: 'accepted', b: 'accepted', c: 'skipped' });
  });

  it('is itself replaced by a round for all recipients', () => {
    expect(present(rounds({ a: 'held', b: 'held' }, [{ a: 'bounced' }], { b: 'accepted' }))).toEqual({
      b: 'accepted',
    });
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

  it.each<[string, Ledger, RecipientStatus]>([
    ['the last one without the mail', rounds({ a: 'accepted', b: 'held' }, [{ b: 'accepted' }]), 'accepted'],
    ['one of two without it', rounds({ a: 'bounced', b: 'held' }, [{ a: 'accepted' }]), 'held'],
    ['one who has it', rounds({ a: 'delivered', b: 'bounced' }, [{ a: 'accepted' }]), 'bounced'],
    ['one who has it, refused', rounds({ a: 'delivered', b: 'accepted' }, [{ a: 'failed' }]), 'accepted'],
    ['one who is stopped', rounds({ a: 'delivered', b: 'accepted' }, [{ b: 'skipped' }]), 'accepted'],
    [
      'two, one after the other',
      rounds({ a: 'held', b: 'held' }, [{ a: 'accepted' }], [{ b: 'delivered' }]),
      'accepted',
    ],
  ])('to %s gives the status of all', (_name, ledger, status) => {
    expect(settledStatus(ledger)).toBe(status);
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
