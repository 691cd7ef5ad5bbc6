import { chooseRegistry, registryCopy, goodCopyOf } from '#registry/registry-choice.ts';
import { RegistryError, InvalidMerchantError } from '#registry/registry-errors.ts';
import { fc, forAll, defined, membersOf, elementsOf } from '#support/assertions/index.ts';
import { registryText as textOf } from '#support/plan/running-plan.ts';
import { allMerchants, merchantSettings } from '#registry/merchants.ts';

const KEY = 'config/merchants.json';
const LAST_GOOD = 'config/last-good/merchants.json';

function codes(from: number, to: number): { merchantCode: string }[] {
  return Array.from({ length: to - from }, (_, index) => ({ merchantCode: String(700_000 + from + index) }));
}

const currentCopy = (text?: string) => registryCopy(KEY, '"new"', text);
const lastGoodCopy = (text?: string) => registryCopy(LAST_GOOD, '"old"', text);

/** The registry that is used, by the number of its entries, and the alarm. */
function choose(current?: string, lastGood?: string) {
  const { registry, alarm } = chooseRegistry(currentCopy(current), lastGoodCopy(lastGood));
  return { entries: registry.merchants.length, alarm };
}

describe('the registry that is used', () => {
  test('is the current one, with or without a last good one', () => {
    expect(choose(textOf(codes(0, 3)))).toEqual({ entries: 3, alarm: null });
    expect(choose(textOf(codes(0, 3)), textOf(codes(0, 2)))).toEqual({ entries: 3, alarm: null });
  });

  test('does not include a byte order mark', () => {
    expect(choose(`\uFEFF${textOf(codes(0, 3))}`)).toEqual({ entries: 3, alarm: null });
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
    expect(() => choose()).toThrow(new RegistryError(`there is no registry at ${KEY}`));
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

type Entry = Record<string, unknown>;

const VICTIM = { merchantCode: '700001', name: 'Al Noor', recipients: ['owner@example.com'] };
const OTHER = { merchantCode: '700002', recipients: ['other@example.com'] };
const INTRUDER = { merchantCode: '700001', recipients: ['intruder@example.com'] };

function chosen(current: readonly Entry[], lastGood: readonly Entry[] | undefined, more: Entry = {}) {
  const before = lastGoodCopy(lastGood === undefined ? undefined : textOf(lastGood));
  return chooseRegistry(currentCopy(textOf(current, more)), before).registry;
}

describe('a merchant code that appears twice in the registry', () => {
  test.each([
    ['after it', [VICTIM, OTHER, INTRUDER], 0, 2],
    ['before it', [INTRUDER, OTHER, VICTIM], 2, 0],
  ])(
    'keeps the entry of the last good registry, and the error names the one %s',
    (_, entries, kept, rejected) => {
      const registry = chosen(entries, [VICTIM, OTHER]);
      expect(merchantSettings(registry, '700001').recipients).toEqual(['owner@example.com']);
      const { merchants, rejected: left } = allMerchants(registry);
      expect(merchants.map(({ merchantCode, recipients }) => [merchantCode, recipients]).toSorted()).toEqual([
        ['700001', ['owner@example.com']],
        ['700002', ['other@example.com']],
      ]);
      const reason = `appears in the registry more than once (merchant 700001); merchants[${kept}] is used, because the last good registry has the same entry`;
      expect(left).toEqual([{ path: `merchants[${rejected}].merchantCode`, reason }]);
    },
  );

  test('keeps the entry with its members in any order, but only with exactly the same members', () => {
    const same = { recipients: ['owner@example.com'], name: 'Al Noor', merchantCode: '700001' };
    expect(merchantSettings(chosen([INTRUDER, same], [VICTIM]), '700001').name).toBe('Al Noor');
    const nearly = chosen([INTRUDER, { ...VICTIM, attachCsv: true }], [VICTIM]);
    expect(() => merchantSettings(nearly, '700001')).toThrow(InvalidMerchantError);
  });

  test.each([
    ['there is no last good registry', undefined],
    ['the last good registry does not have it', [OTHER]],
    ['the last good registry has another entry', [{ ...VICTIM, name: 'Before' }]],
    ['the last good registry has it twice, too', [VICTIM, INTRUDER]],
  ])('has no usable entry if %s', (_, lastGood) => {
    const registry = chosen([VICTIM, OTHER, INTRUDER], lastGood);
    expect(() => merchantSettings(registry, '700001')).toThrow('appears 2 times');
    expect(allMerchants(registry)).toMatchObject({
      merchants: [{ merchantCode: '700002' }],
      rejected: [{ path: 'merchants[0].merchantCode' }, { path: 'merchants[2].merchantCode' }],
    });
  });

  test('is left out if the kept entry is no longer usable; no other entry replaces it', () => {
    const well = { ...OTHER, timeZone: 'UTC' };
    const registry = chosen([VICTIM, INTRUDER, well], [VICTIM, well], { defaults: { timeZone: 'Nowhere' } });
    expect(() => merchantSettings(registry, '700001')).toThrow('timeZone');
    expect(allMerchants(registry).merchants.map(({ merchantCode }) => merchantCode)).toEqual(['700002']);
  });

  test('cannot choose its entry by any text in the registry', () => {
    const kept = { 700001: 2 };
    const registry = chosen([VICTIM, OTHER, INTRUDER], [VICTIM, OTHER], { kept, 'Symbol(kept)': kept });
    expect(merchantSettings(registry, '700001').recipients).toEqual(['owner@example.com']);
  });

  test('never gets an entry that the last good registry does not have, whatever is added', () => {
    const entry = fc.record({
      merchantCode: fc.constantFrom('A', 'B', 'C'),
      name: fc.constantFrom('one', 'two', 'three'),
    });
    forAll(
      [fc.uniqueArray(entry, { selector: ({ merchantCode }) => merchantCode }), fc.array(entry)],
      (good, added) => {
        const registry = chosen([...added, ...good], good);
        const codes = Map.groupBy([...added, ...good], ({ merchantCode }): string => merchantCode);
        const { merchants } = allMerchants(registry);
        expect(new Set(merchants.map(({ merchantCode }) => merchantCode)).size).toBe(merchants.length);
        for (const { merchantCode, name } of merchants) {
          if (defined(codes.get(merchantCode)).length > 1)
            expect(good).toContainEqual({ merchantCode, name });
          expect(merchantSettings(registry, merchantCode).name).toBe(name);
        }
        // No merchant of the last good registry is lost, because each of its entries is still in the registry.
        expect(merchants.map(({ merchantCode }) => merchantCode)).toEqual(
          expect.arrayContaining(good.map(({ merchantCode }) => merchantCode)),
        );
      },
    );
  });
});

describe('the copy that is kept as the last good registry', () => {
  const goodOf = (text: string, before: string) => goodCopyOf(currentCopy(text), lastGoodCopy(before), text);
  const good = (current: readonly Entry[], lastGood: readonly Entry[]) =>
    goodOf(textOf(current), textOf(lastGood));
  const BOTH = textOf([VICTIM, OTHER]);

  test('is the unchanged text if no code appears twice', () => {
    const spaced = `\uFEFF${JSON.stringify(JSON.parse(textOf([VICTIM])), null, 2)}`;
    expect(goodCopyOf(currentCopy(spaced), registryCopy('l', null, undefined), spaced)).toBe(spaced);
  });

  test('shows which entry is used: the other entries of its code are left out', () => {
    const kept = defined(good([INTRUDER, OTHER, VICTIM], [VICTIM]));
    expect(JSON.parse(kept)).toEqual(JSON.parse(textOf([OTHER, VICTIM])));
    const { merchants } = membersOf(JSON.parse(kept));
    expect(good([INTRUDER, OTHER, VICTIM], elementsOf(merchants).map(membersOf))).toBe(kept);
  });

  test('has the entry that was used before if the registry no longer has it', () => {
    const edited = { ...VICTIM, name: 'Al Noor Trading' };
    const kept = defined(good([edited, OTHER, INTRUDER], [VICTIM]));
    expect(JSON.parse(kept)).toEqual(JSON.parse(BOTH));
  });

  test('is not written if an entry has a name twice: rewritten, the entry would look valid', () => {
    const spoilt = textOf([VICTIM, INTRUDER, OTHER]).replace(
      '"recipients":["other@example.com"]',
      '"recipients":["other@example.com"],"recipients":["intruder@example.com"]',
    );
    expect(choose(spoilt, BOTH).alarm).toBeNull();
    expect(goodOf(spoilt, BOTH)).toBeUndefined();
    // The unchanged text shows its error.
    const single = spoilt.replace(`${JSON.stringify(INTRUDER)},`, '');
    expect(goodOf(single, BOTH)).toBe(single);
  });

  test('keeps the groups, and is not written if a group has a name twice', () => {
    const groups = [{ name: 'shops', merchants: 'all', recipients: ['chief@example.com'] }];
    const text = textOf([INTRUDER, OTHER, VICTIM], { groups });
    expect(JSON.parse(defined(goodOf(text, BOTH)))).toEqual(JSON.parse(textOf([OTHER, VICTIM], { groups })));
    const spoilt = text.replace('"merchants":"all"', '"merchants":["700001"],"merchants":"all"');
    // Rewritten, the group would look valid, with merchants that perhaps nobody meant.
    expect(goodOf(spoilt, BOTH)).toBeUndefined();
  });

  test('has all entries of a code if nobody can know which one to use, so the merchant is not lost', () => {
    const all = [VICTIM, INTRUDER, OTHER];
    expect(JSON.parse(defined(good(all, [OTHER])))).toEqual(JSON.parse(textOf(all)));
  });
});
