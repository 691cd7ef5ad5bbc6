import { describe, expect, test } from 'vitest';
import { chooseRegistry, registryCopy } from '#registry/registry-choice.ts';
import { RegistryError } from '#registry/registry-errors.ts';
import { fc, forAll } from '#support/assertions/for-all.ts';
import { registryText as textOf } from '#support/plan/merchants.ts';

const KEY = 'config/merchants.json';
const LAST_GOOD = 'config/last-good/merchants.json';

function codes(from: number, to: number): { merchantCode: string }[] {
  return Array.from({ length: to - from }, (_, index) => ({ merchantCode: String(700_000 + from + index) }));
}

/** The registry that is used, by the number of its entries, and the alarm. */
function choose(current: string | undefined, lastGood: string | undefined) {
  const chosen = chooseRegistry(
    registryCopy(KEY, '"new"', current),
    registryCopy(LAST_GOOD, '"old"', lastGood),
  );
  return { entries: chosen.registry.merchants.length, alarm: chosen.alarm };
}

describe('the registry that is used', () => {
  test('is the current one, with or without a last good one', () => {
    expect(choose(textOf(codes(0, 3)), undefined)).toEqual({ entries: 3, alarm: null });
    expect(choose(textOf(codes(0, 3)), textOf(codes(0, 2)))).toEqual({ entries: 3, alarm: null });
  });

  test('does not include a byte order mark', () => {
    expect(choose(`\uFEFF${textOf(codes(0, 3))}`, undefined)).toEqual({ entries: 3, alarm: null });
  });

  test.each([
    ['is not JSON', '{', 'the registry is not JSON'],
    ['lacks a member', '{"merchants":[]}', 'the registry is not usable: service: must be object'],
    ['is missing', undefined, `there is no registry at ${KEY}`],
  ])('is the last good one when the current one %s', (_, current, why) => {
    const { entries, alarm } = choose(current, textOf(codes(0, 2)));
    expect(entries).toBe(2);
    expect(alarm).toContain(why);
    expect(alarm).toContain(`${LAST_GOOD} (version old), is used until there is a usable one`);
  });

  test('is the current one whatever is wrong with its groups, unless they are no list', () => {
    const withGroups = (groups: unknown) => textOf(codes(0, 3), { groups });
    expect(choose(withGroups([7, {}, null]), textOf(codes(0, 3)))).toEqual({ entries: 3, alarm: null });
    // All groups are gone: they are not counted as merchants are.
    expect(choose(textOf(codes(0, 3)), withGroups([{ name: 'a' }]))).toEqual({ entries: 3, alarm: null });
    const { alarm } = choose(withGroups({}), textOf(codes(0, 2)));
    expect(alarm).toContain('groups: must be array');
  });

  test('does not exist when neither is usable: the error is about the current one', () => {
    expect(() => choose(undefined, undefined)).toThrow(new RegistryError(`there is no registry at ${KEY}`));
    expect(() => choose('{', '[]')).toThrow(
      new RegistryError('the registry is not JSON (line 1, column 2: the text ends too early)'),
    );
  });

  test('is the last good one when more than 5 % of its merchants are missing in the current one, whatever merchants are new', () =>
    forAll(
      [fc.integer({ min: 0, max: 200 }), fc.integer({ min: 0, max: 200 }), fc.integer({ min: 0, max: 300 })],
      (before, gone, added) => {
        fc.pre(gone <= before);
        const { alarm } = choose(textOf(codes(gone, before + added)), textOf(codes(0, before)));
        expect(alarm !== null).toBe(gone * 20 > before);
      },
    ));

  test('comes with an alarm that says how many merchants are missing, names some, and says how to accept the change', () => {
    expect(choose(textOf(codes(12, 100)), textOf(codes(0, 100)))).toEqual({
      entries: 100,
      alarm:
        'the registry config/merchants.json (version new) lacks 12 of the 100 merchants of the last good one ' +
        '(700000, 700001, 700002, 700003, 700004, 700005, 700006, 700007, 700008, 700009, …), which is more than 5 %. ' +
        'The last good one, config/last-good/merchants.json (version old), is used. ' +
        'If those merchants are meant to be gone, push the registry with --accept-removals.',
    });
  });

  test('is chosen by codes: an entry with another error is not missing, and a code that appears twice counts once', () => {
    const before = textOf([...codes(0, 10), { merchantCode: '700000' }]);
    const unusable = codes(0, 9).map((entry) => ({ ...entry, timeZone: 'Nowhere' }));
    expect(choose(textOf([...unusable, ...codes(9, 10)]), before).alarm).toBeNull();
    const numbers = textOf(codes(0, 10).map(({ merchantCode }) => ({ merchantCode: Number(merchantCode) })));
    expect(choose(numbers, before).alarm).toContain('lacks 10 of the 10');
  });

  test('is never one without a usable entry: a mistake in the defaults makes all entries unusable', () => {
    const spoilt = textOf(codes(0, 10).map((entry) => ({ ...entry, timeZone: 'Nowhere' })));
    expect(choose(spoilt, textOf(codes(0, 10))).alarm).toContain('no entry of the registry');
  });

  test('comes with an alarm that repeats nothing of an entry without a valid code', () => {
    const hostile = textOf([{ merchantCode: '<script>' }, null, 'x', { merchantCode: { a: 1 } }]);
    expect(choose(textOf([]), hostile).alarm).toBeNull();
  });
});
