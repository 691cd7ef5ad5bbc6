import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  isPeriodWellAgain,
  isWorseThanNotified,
  mayStillCome,
  nothingNotifiedOf,
  withNotifiedPeriod,
  withPeriodAllClear,
} from '#functions/delivery-watch/statements/notified-period.ts';
import {
  badnessOfStatement,
  NOT_SEALED,
  NOTHING_SEALED,
  troubleOf,
} from '#functions/delivery-watch/statements/statement-delivery.ts';
import type { StatementDelivery } from '#functions/delivery-watch/statements/statement-delivery.ts';

const PERIOD = '2026-11';
const OWNERS = [{ merchantCode: 'a' }, { group: 'a' }, { merchantCode: 'constructor' }] as const;
const REASONS = [NOT_SEALED, NOTHING_SEALED, 'mail not sent', 'mail held', 'bounced'];

interface State {
  missing: string | null;
  provisional: boolean;
}

const state = fc.record({ missing: fc.option(fc.constantFrom(...REASONS)), provisional: fc.boolean() });
const looks = (...states: State[]): StatementDelivery[] =>
  OWNERS.map((owner, index) => ({
    owner,
    period: PERIOD,
    revision: 1,
    missing: null,
    provisional: false,
    mail: 'accepted',
    counts: true,
    ...states[index],
  }));
const found = fc.tuple(state, state, state).map((states) => looks(...states));
const everybody = () => true;

/** The notices to ops in a sequence of runs. */
function heard(runs: readonly (readonly StatementDelivery[])[]): ('trouble' | 'all clear' | null)[] {
  let told = nothingNotifiedOf(PERIOD);
  return runs.map((looked) => {
    if (isWorseThanNotified(told, looked)) {
      told = withNotifiedPeriod(told, looked, ['topic']);
      return 'trouble';
    }
    if (!isPeriodWellAgain(told, looked, everybody)) return null;
    told = withPeriodAllClear(told);
    return 'all clear';
  });
}

it('any sequence of runs sends a notice whenever something is worse than all earlier notices', () => {
  fc.assert(
    fc.property(fc.array(found, { maxLength: 12 }), (runs) => {
      // The same rule in another form: it keeps every trouble since it was last told or all was clear.
      let since: StatementDelivery[] = [];
      const badness = (one: StatementDelivery) => {
        const trouble = troubleOf(one);
        return trouble === null ? 0 : badnessOfStatement(trouble);
      };
      const expected = runs.map((looked) => {
        const worst = (owner: object) =>
          Math.max(0, ...since.flatMap((one) => (one.owner === owner ? [badness(one)] : [])));
        if (looked.some((one) => badness(one) > worst(one.owner))) {
          since.push(...looked);
          return 'trouble';
        }
        const isMissing = looked.some(({ missing }) => missing !== null);
        if (isMissing || !since.some((one) => worst(one.owner) > 1)) return null;
        // What ops know to be provisional only stays known.
        since = since.filter((one) => worst(one.owner) === 1);
        return 'all clear';
      });
      expect(heard(runs)).toEqual(expected);
    }),
  );
});

const missing = (reason: string): State => ({ missing: reason, provisional: false });
const PROVISIONAL: State = { missing: null, provisional: true };
const WELL: State = { missing: null, provisional: false };

it('a provisional statement is told once, and its end is not told', () => {
  expect(heard([looks(PROVISIONAL), looks(PROVISIONAL), looks(WELL), looks(PROVISIONAL)])).toEqual([
    'trouble',
    null,
    null,
    null,
  ]);
  const runs = [looks(missing(NOT_SEALED), PROVISIONAL), looks(WELL, PROVISIONAL), looks(WELL, PROVISIONAL)];
  expect(heard(runs)).toEqual(['trouble', 'all clear', null]);
});

it('a merchant and a group of the same name are told apart', () => {
  const told = withNotifiedPeriod(nothingNotifiedOf(PERIOD), looks(missing(NOT_SEALED)), []);
  expect(told.told).toEqual([{ owner: 'merchant=a', badness: 2 }]);
  expect(isWorseThanNotified(told, looks(WELL, missing(NOT_SEALED)))).toBe(true);
});

it('what does not count, and what is of another period, is not told', () => {
  const not = looks(missing('mail held')).map((one) => ({ ...one, counts: false }));
  const other = looks(missing('mail held')).map((one) => ({ ...one, period: '2026-10' }));
  expect(heard([not, other])).toEqual([null, null]);
});

it('those of which nothing was sealed do not come any more, and do not hold up the all-clear', () => {
  const both = looks(missing(NOT_SEALED), missing(NOTHING_SEALED));
  const told = withNotifiedPeriod(nothingNotifiedOf(PERIOD), both, []);
  expect([...mayStillCome(told)]).toEqual(['merchant=a']);
  const [first] = looks(WELL);
  expect(isPeriodWellAgain(told, first === undefined ? [] : [first], everybody)).toBe(true);
  expect(isPeriodWellAgain(told, both, everybody)).toBe(false);
});

it('a merchant that was not looked at holds up the all-clear, unless the registry does not expect it any more', () => {
  const told = withNotifiedPeriod(nothingNotifiedOf(PERIOD), looks(missing(NOT_SEALED)), []);
  expect(isPeriodWellAgain(told, [], everybody)).toBe(false);
  expect(isPeriodWellAgain(told, [], () => false)).toBe(true);
});
