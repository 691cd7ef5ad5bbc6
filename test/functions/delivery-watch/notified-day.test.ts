import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  badnessOf,
  isWellAgain,
  nothingNotified,
  withAllClear,
  withNotified,
  worseThanNotified,
} from '#functions/delivery-watch/notified-day.ts';
import type { Looked } from '#functions/delivery-watch/notified-day.ts';

const DAY = '2026-11-20';
const CODES = ['a', 'b', 'constructor'];
const REASONS = [
  'unbalanced',
  'no run',
  'pull failed: LoginRefusedError',
  'mail not sent',
  'mail held',
  'bounced',
];

const missing = fc.option(fc.constantFrom(...REASONS));
/** The result of one run for each merchant. */
const found = fc
  .tuple(missing, missing, missing)
  .map((reasons) =>
    CODES.map((merchantCode, index): Looked => ({ merchantCode, day: DAY, missing: reasons[index] ?? null })),
  );

/** The notices to ops in a sequence of runs. */
function heard(runs: readonly (readonly Looked[])[]): ('trouble' | 'all clear' | null)[] {
  let told = nothingNotified(DAY);
  return runs.map((looked) => {
    if (worseThanNotified(told, looked).length > 0) {
      told = withNotified(told, looked, ['topic']);
      return 'trouble';
    }
    if (!isWellAgain(told, looked)) return null;
    told = withAllClear(told);
    return 'all clear';
  });
}

it('any sequence of runs sends a notice whenever something is worse than all earlier notices, and then one all-clear', () => {
  fc.assert(
    fc.property(fc.array(found, { maxLength: 12 }), (runs) => {
      // The same rule in another form: it uses the runs since the last all-clear that sent a notice.
      let since: Looked[] = [];
      const expected = runs.map((looked) => {
        const worst = (code: string) =>
          Math.max(
            0,
            ...since.flatMap((one) => (one.merchantCode === code ? [badnessOf(one.missing ?? '')] : [])),
          );
        const ill = looked.filter((one) => one.missing !== null);
        if (ill.some((one) => badnessOf(one.missing ?? '') > worst(one.merchantCode))) {
          since.push(...ill);
          return 'trouble';
        }
        if (ill.length > 0 || since.length === 0) return null;
        since = [];
        return 'all clear';
      });
      expect(heard(runs)).toEqual(expected);
    }),
  );
});

it('no notice is sent again before the all-clear, even if problems end and come back', () => {
  const of = (...codes: string[]): Looked[] =>
    CODES.map((merchantCode) => ({
      merchantCode,
      day: DAY,
      missing: codes.includes(merchantCode) ? 'no run' : null,
    }));
  const runs = [of('a', 'b'), of('b'), of('a'), of(), of(), of('a')];
  expect(heard(runs)).toEqual(['trouble', null, null, 'all clear', null, 'trouble']);
});

it('no all-clear is sent for a merchant that the watch no longer checks on that day', () => {
  const told = withNotified(nothingNotified(DAY), [{ merchantCode: 'a', day: DAY, missing: 'no run' }], []);
  const later = { merchantCode: 'a', day: '2026-11-21', missing: null };
  const other = { merchantCode: 'b', day: DAY, missing: null };
  expect(isWellAgain(told, [later, other])).toBe(false);
  // A merchant that is no longer expected is no longer missing.
  expect(isWellAgain(told, [other])).toBe(true);
});
