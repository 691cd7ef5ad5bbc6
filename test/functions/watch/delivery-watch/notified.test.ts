import { describe, expect, it } from 'vitest';
import { badnessOf, NOT_SEALED, NOTHING_SEALED, troubleOf } from '#watch/delivery-watch/delivery.ts';
import type { Delivery } from '#watch/delivery-watch/delivery.ts';
import {
  isWellAgain,
  isWorseThanNotified,
  mayStillCome,
  nothingNotified,
  withAllClear,
  withNotified,
} from '#watch/delivery-watch/notified.ts';
import type { Watched } from '#watch/delivery-watch/notified.ts';
import { watchNotice } from '#watch/delivery-watch/watch-notice.ts';
import { fc, forAll } from '#support/assertions/for-all.ts';

type State = Pick<Delivery, 'missing' | 'isGood'>;

const KINDS = {
  reports: {
    period: '2026-11-20',
    owners: [{ merchantCode: 'a' }, { merchantCode: 'b' }, { merchantCode: 'constructor' }],
    reasons: ['no run', 'pull failed: LoginRefusedError', 'mail not sent', 'mail held', 'bounced'],
    // A report that is not balanced is missing, too.
    needsLook: { missing: 'unbalanced', isGood: false },
    /** The least badness that counts as missing. */
    missingFrom: 1,
  },
  statements: {
    period: '2026-11',
    owners: [{ merchantCode: 'a' }, { group: 'a' }, { merchantCode: 'constructor' }],
    reasons: [NOT_SEALED, NOTHING_SEALED, 'mail not sent', 'mail held', 'bounced'],
    needsLook: { missing: null, isGood: false },
    missingFrom: 2,
  },
} as const;

const WELL: State = { missing: null, isGood: true };
const everybody = () => true;
const missing = (reason: string): State => ({ missing: reason, isGood: true });

/** What one run finds, of one owner after another; the others are well. */
function looks(of: Watched, ...states: State[]): Delivery[] {
  const { owners, period } = KINDS[of];
  return owners.map((owner, index) => ({
    owner,
    period,
    revision: 1,
    isDue: true,
    mail: 'accepted',
    counts: true,
    ...(states[index] ?? WELL),
  }));
}

/** The notices to ops in a sequence of runs. */
function heard(of: Watched, runs: readonly (readonly Delivery[])[]): ('trouble' | 'all clear' | null)[] {
  let told = nothingNotified(of, KINDS[of].period);
  return runs.map((looked) => {
    if (isWorseThanNotified(told, looked)) {
      told = withNotified(told, looked, ['topic']);
      return 'trouble';
    }
    if (!isWellAgain(told, looked, everybody)) return null;
    told = withAllClear(told);
    return 'all clear';
  });
}

describe.each(['reports', 'statements'] as const)('what ops know of %s', (of) => {
  const { period, reasons, needsLook, missingFrom } = KINDS[of];
  const state = fc.constantFrom<State>(WELL, needsLook, ...reasons.map(missing));
  const found = fc.tuple(state, state, state).map((states) => looks(of, ...states));

  it('makes a notice whenever something is worse than all earlier notices, and then one all-clear', () =>
    forAll([fc.array(found, { maxLength: 12 })], (runs) => {
      // The same rule in another form: it keeps every trouble since it was last told or all was clear.
      let since: Delivery[] = [];
      const badness = (one: Delivery) => {
        const trouble = troubleOf(one);
        return trouble === null ? 0 : badnessOf(trouble);
      };
      const expected = runs.map((looked) => {
        const worst = (owner: object) =>
          Math.max(0, ...since.flatMap((one) => (one.owner === owner ? [badness(one)] : [])));
        if (looked.some((one) => badness(one) > worst(one.owner))) {
          since.push(...looked);
          return 'trouble';
        }
        if (looked.some((one) => one.missing !== null)) return null;
        if (!since.some((one) => worst(one.owner) >= missingFrom)) return null;
        // What ops know to be provisional only stays known.
        since = since.filter((one) => worst(one.owner) > 0 && worst(one.owner) < missingFrom);
        return 'all clear';
      });
      expect(heard(of, runs)).toEqual(expected);
    }));

  it('leaves out what does not count, is not due, or is of another period', () => {
    const held = looks(of, missing('mail held'));
    const other = (members: Partial<Delivery>) => held.map((one) => ({ ...one, ...members }));
    const runs = [other({ counts: false }), other({ isDue: false }), other({ period: '2026-10' })];
    expect(heard(of, runs)).toEqual([null, null, null]);
  });

  it('is not all well while somebody in trouble was not looked at, unless no page of it is expected any more', () => {
    const told = withNotified(nothingNotified(of, period), looks(of, missing('mail not sent')), []);
    const [, other] = looks(of);
    const looked = other === undefined ? [] : [other];
    expect(isWellAgain(told, looked, everybody)).toBe(false);
    expect(isWellAgain(told, looked, () => false)).toBe(true);
  });
});

it.each([
  ['reports', ['report', 'a', '--day', '2026-11-20']],
  ['statements', ['statement', 'a', '--period', '2026-11']],
] as const)('a notice of %s ends with the command that its advice means', (of, again) => {
  const { toDo, commands } = watchNotice(of, looks(of, missing('mail held')), []);
  expect(toDo.join()).toContain('send it again');
  expect(commands.at(-1)).toMatchObject({ words: [...again, '--resend', '--failed'] });
});

it('a merchant and a group of the same name are told apart', () => {
  const late = missing(NOT_SEALED);
  const told = withNotified(nothingNotified('statements', '2026-11'), looks('statements', late), []);
  expect([...told.told]).toEqual([['merchant=a', 2]]);
  expect(isWorseThanNotified(told, looks('statements', WELL, late))).toBe(true);
});

it('those of which nothing was sealed do not come any more, and do not hold up the all-clear', () => {
  const both = looks('statements', missing(NOT_SEALED), missing(NOTHING_SEALED));
  const told = withNotified(nothingNotified('statements', '2026-11'), both, []);
  expect([...mayStillCome(told)]).toEqual(['merchant=a']);
  const [first] = looks('statements');
  expect(isWellAgain(told, first === undefined ? [] : [first], everybody)).toBe(true);
  expect(isWellAgain(told, both, everybody)).toBe(false);
});
