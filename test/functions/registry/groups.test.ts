import { allGroups, groupSettings, membersOf } from '#registry/groups.ts';
import { allMerchants } from '#registry/merchants.ts';
import { InvalidGroupError, RegistryError, UnknownGroupError } from '#registry/registry-errors.ts';
import { parseRegistry } from '#registry/registry.ts';
import { fc, forAll } from '#support/assertions/index.ts';
import { registryText } from '#support/plan/running-plan.ts';

type Members = Record<string, unknown>;

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

const SHOPS = {
  name: 'shops',
  merchants: ['700002', '700001'],
  recipients: ['owner@example.com'],
  language: 'ar',
  daily: true,
};

function textOf(groups: unknown, defaults: Members = {}): string {
  const merchants = ['700001', '700002', '710001'].map((merchantCode) => ({ merchantCode }));
  return registryText(merchants, { defaults, groups });
}
const registryOf = (groups: unknown, defaults?: Members) => parseRegistry(textOf(groups, defaults));
const settingsOf = (group: Members, defaults?: Members) =>
  groupSettings(registryOf([{ ...SHOPS, ...group }], defaults), 'shops');

describe('the settings of a group', () => {
  it('are its own, and the product’s for what it leaves out', () => {
    expect(groupSettings(registryOf([{ name: 'all', merchants: 'all', recipients: [] }]), 'all')).toEqual({
      name: 'all',
      merchants: 'all',
      recipients: [],
      language: 'en',
      branding: {},
      timeZone: 'Asia/Kuwait',
      daily: false,
      waitFor: 12 * HOUR,
      correctFor: 45 * DAY,
      attachXlsx: true,
    });
    const whole = {
      ...SHOPS,
      merchants: { prefix: '70' },
      branding: { senderName: 'Gulf Pay' },
      timeZone: 'Asia/Dubai',
      weekly: { on: 'sunday', at: '08:00' },
      monthly: { onDay: 28, at: '09:00' },
      attachXlsx: false,
    };
    const durations = { waitFor: 7 * DAY, correctFor: 366 * DAY };
    const settings = settingsOf({ ...whole, waitFor: '7d', correctFor: '366d' });
    expect(settings).toEqual({ ...whole, ...durations });
  });

  it('are inherited from the defaults: language, branding, time zone and durations', () => {
    const defaults = {
      language: 'ar',
      timeZone: 'Asia/Riyadh',
      branding: { senderName: 'Gulf Pay', footer: false },
      statements: { weekly: { on: 'monday', at: '10:00' }, waitFor: '1d', correctFor: '10d' },
      // These are for merchants.
      recipients: ['everybody@example.com'],
      attachXlsx: false,
      name: 'x',
    };
    const group = { name: 'all', merchants: 'all', recipients: [], branding: { senderName: 'Owners' } };
    expect(groupSettings(registryOf([group], defaults), 'all')).toEqual({
      name: 'all',
      merchants: 'all',
      recipients: [],
      language: 'ar',
      branding: { senderName: 'Owners', footer: false },
      timeZone: 'Asia/Riyadh',
      daily: false,
      waitFor: DAY,
      correctFor: 10 * DAY,
      attachXlsx: true,
    });
    const durations = { waitFor: 2 * HOUR, correctFor: 10 * DAY };
    expect(settingsOf({ waitFor: '2h' }, defaults)).toMatchObject({ language: 'ar', ...durations });
  });

  it.each<[Members, string, string]>([
    [{ name: undefined, merchants: 7 }, 'merchants', 'must be "all", { "prefix": "70" } or a list of codes'],
    [{ merchants: undefined }, 'merchants', 'must be "all", { "prefix": "70" } or a list of codes'],
    [{ merchants: null }, 'merchants', 'must be "all"'],
    [{ merchants: [] }, 'merchants', 'must name a merchant'],
    [{ merchants: ['700001', 700002] }, 'merchants[1]', 'must be letters, digits and "-"'],
    [{ merchants: ['__proto__'] }, 'merchants[0]', 'must be letters, digits and "-"'],
    [{ merchants: {} }, 'merchants.prefix', 'is missing, must be letters, digits'],
    [{ merchants: { prefix: '' } }, 'merchants.prefix', 'must be letters, digits'],
    [{ recipients: undefined }, 'recipients', 'is missing, must be array'],
    [{ recipients: ['nobody'] }, 'recipients[0]', 'must be a valid email'],
    [
      { recipients: Array.from({ length: 101 }, (_, index) => `a${index}@example.com`) },
      'recipients',
      'has more than 100 addresses',
    ],
    [{ language: 'fr' }, 'language', 'must be one of ar, en, given "fr"'],
    [{ branding: { colour: 'red' } }, 'branding.colour', 'must be a colour such as'],
    [{ timeZone: 'Kuwait City' }, 'timeZone', 'is not a time zone'],
    [{ daily: 'true' }, 'daily', 'must be boolean'],
    [{ weekly: true }, 'weekly', 'must be object'],
    [{ monthly: { onDay: 31, at: '08:00' } }, 'monthly.onDay', 'is out of bounds (at most 28), given 31'],
    [{ waitFor: '8d' }, 'waitFor', 'must be at most 7d, given "8d"'],
    [{ attachXlsx: 1 }, 'attachXlsx', 'must be boolean'],
  ])('cannot be %j', (members, path, reason) => {
    const { name = SHOPS.name, ...others } = members;
    const registry = registryOf([{ ...SHOPS, name, ...others }]);
    expect(() => groupSettings(registry, 'shops')).toThrow(InvalidGroupError);
    expect(() => groupSettings(registry, 'shops')).toThrow(`group shops is not usable: ${path}: ${reason}`);
    const { groups, rejected, leftOut } = allGroups(registry);
    expect({ groups, leftOut }).toEqual({ groups: [], leftOut: 1 });
    expect(rejected[0]?.path).toBe(`groups[0].${path}`);
    expect(rejected[0]?.reason).toMatch(/ \(group shops\)$/);
  });

  it('are not those of a group that does not exist', () => {
    const registry = registryOf([SHOPS]);
    for (const name of ['shop', 'SHOPS', '__proto__', 'constructor', '']) {
      expect(() => groupSettings(registry, name)).toThrow(UnknownGroupError);
    }
    expect(() => groupSettings(registryOf(undefined), 'shops')).toThrow('the registry has no group shops');
  });

  it('are refused with every problem, the first one as the path', () => {
    const read = () => settingsOf({ weekly: { on: 1, at: 1 }, daily: 1 }, { language: 'fr' });
    expect(read).toThrow(
      expect.objectContaining({ name: 'InvalidGroupError', group: 'shops', path: 'daily' }),
    );
    expect(read).toThrow(/daily: .*weekly\.on: .*weekly\.at: /);
    // Its own language replaces the bad default.
    expect(read).not.toThrow('defaults.language');
  });
});

describe('the groups of a registry', () => {
  it('are none when it does not name any, and a mistake is the registry’s when they are no list', () => {
    expect(allGroups(registryOf(undefined))).toEqual({ groups: [], rejected: [], leftOut: 0 });
    expect(() => registryOf({})).toThrow(RegistryError);
    expect(() => registryOf('all')).toThrow('groups: must be array');
  });

  it('are used in their order, without the bad ones, and no bad one stops a merchant', () => {
    const named = (name: string, more = {}) => ({ ...SHOPS, name, ...more });
    const bad = named('a', { daily: 1 });
    const registry = registryOf([7, named('b'), null, named('a b'), bad, named('c'), []]);
    const found = allGroups(registry);
    expect(found.groups.map(({ name }) => name)).toEqual(['b', 'c']);
    expect(found.leftOut).toBe(5);
    expect(found.rejected).toEqual([
      { path: 'groups[0]', reason: 'must be object, given 7' },
      { path: 'groups[2]', reason: 'must be object, given null' },
      { path: 'groups[3].name', reason: 'must be letters, digits and "-", 64 at most' },
      { path: 'groups[4].daily', reason: 'must be boolean, given 1 (group a)' },
      { path: 'groups[6]', reason: 'must be object, given a list' },
    ]);
    expect(allMerchants(registry)).toMatchObject({ leftOut: 0, rejected: [] });
  });

  it('with one name are not used, none of them: recipients of the wrong one would see its merchants', () => {
    const other = { ...SHOPS, merchants: 'all' };
    const registry = registryOf([SHOPS, { ...SHOPS, name: 'x' }, other]);
    const { groups, rejected, leftOut } = allGroups(registry);
    expect(groups.map(({ name }) => name)).toEqual(['x']);
    expect(leftOut).toBe(2);
    const reason = 'is the name of more than one group, and none of them is used (group shops)';
    expect(rejected).toEqual([
      { path: 'groups[0].name', reason },
      { path: 'groups[2].name', reason },
    ]);
    expect(() => groupSettings(registry, 'shops')).toThrow('name: appears 2 times');
    // Also when one of them is not usable.
    expect(allGroups(registryOf([SHOPS, { ...SHOPS, daily: 1 }])).groups).toEqual([]);
  });

  it('in which a name appears twice are not used', () => {
    const text = textOf([SHOPS]).replace('"language":"ar"', '"language":"ar","language":"en"');
    const registry = parseRegistry(text);
    expect(allGroups(registry)).toEqual({
      groups: [],
      rejected: [{ path: 'groups[0].language', reason: 'appears twice (group shops)' }],
      leftOut: 1,
    });
    expect(() => groupSettings(registry, 'shops')).toThrow('language: appears twice');
    expect(allMerchants(registry).leftOut).toBe(0);
    const twice = textOf([SHOPS]).replace('"groups":', '"groups":[],"groups":');
    expect(() => parseRegistry(twice)).toThrow('groups: appears twice');
  });

  it('that inherit a bad default are not used, and the default is named once', () => {
    const defaults = { language: 'fr', statements: { waitFor: '1y', weekly: { on: 'noday', at: '08:00' } } };
    const { language: _language, ...plain } = SHOPS;
    const groups: Members[] = ['a', 'b'].map((name) => ({ ...plain, name, waitFor: '1h' }));
    groups.push({ ...SHOPS, name: 'c' }, { ...SHOPS, waitFor: '1h' });
    const found = allGroups(registryOf(groups, defaults));
    // The bad weekly is no group's.
    expect(found.groups.map(({ name }) => name)).toEqual(['shops']);
    expect(found.rejected.map(({ path, reason }) => `${path}: ${reason}`)).toEqual([
      'defaults.language: must be one of ar, en, given "fr"; 2 groups inherit it (a, b)',
      'defaults.statements.waitFor: must be hours or days such as "12h" or "45d"; 1 group inherits it (c)',
    ]);
    const own = { ...SHOPS, name: 'own', waitFor: '1h', correctFor: '1d' };
    const whole = allGroups(registryOf([SHOPS, own], { statements: 7 }));
    expect(whole.groups.map(({ name }) => name)).toEqual(['own']);
  });

  it('are a thousand at most: the others are not used, and all merchants are', () => {
    const groups = Array.from({ length: 1_002 }, (_, index) => ({ ...SHOPS, name: `g${index}` }));
    const registry = registryOf(groups);
    const reason = 'has more than 1000 groups: the ones after these are not used';
    const { groups: used, ...others } = allGroups(registry);
    expect(used).toHaveLength(1_000);
    expect(others).toEqual({ leftOut: 2, rejected: [{ path: 'groups', reason }] });
    expect(() => groupSettings(registry, 'g1000')).toThrow(UnknownGroupError);
    expect(allMerchants(registry).leftOut).toBe(0);
  });

  it('name twenty problems of one group, and show no address and no name of anybody', () => {
    const codes = Array.from({ length: 20_000 }, () => 'canary@example.com');
    const { rejected } = allGroups(registryOf([{ ...SHOPS, merchants: codes, recipients: ['canary'] }]));
    expect(rejected).toHaveLength(21);
    expect(JSON.stringify(rejected)).not.toContain('canary');
  });

  it('are not affected by members that every JavaScript object has', () => {
    const shops = JSON.stringify(SHOPS);
    const group = shops.replace('{', '{"__proto__":{"daily":1,"merchants":"all"},"constructor":1,');
    const text = textOf([]).replace('"groups":[]', `"groups":[${group},{"__proto__":${shops}}]`);
    const { groups, leftOut } = allGroups(parseRegistry(text));
    expect(groups).toEqual([settingsOf({})]);
    expect(leftOut).toBe(1);
  });
});

const withCodes = (codes: readonly unknown[]) => ({
  merchants: codes.map((merchantCode) => ({ merchantCode })),
});

describe('the merchants of a group', () => {
  it('are also those whose entries cannot be used, but no entry without a code', () => {
    const registry = { merchants: [{ merchantCode: '1', reportAt: 7 }, { merchantCode: '1' }, {}, 7, null] };
    expect(membersOf({ merchants: 'all' }, registry).codes).toEqual(['1']);
  });

  it('are exactly the merchants that the group says, whatever the registry has', () => {
    const letters = fc.constantFrom('1', '7', 'a', '-');
    const code = fc.oneof(
      { weight: 9, arbitrary: fc.string({ unit: letters, minLength: 1, maxLength: 3 }) },
      fc.constant('constructor'),
    );
    const members = fc.oneof(
      fc.constant('all' as const),
      fc.record({ prefix: code }),
      fc.array(code, { minLength: 1 }),
    );
    forAll([fc.array(code), members], (codes, merchants) => {
      const { codes: found, unknown } = membersOf({ merchants }, withCodes(codes));
      const known = [...new Set(codes)];
      const isMember = (one: string) =>
        merchants === 'all' ||
        ('prefix' in merchants ? one.startsWith(merchants.prefix) : merchants.includes(one));
      expect(found).toEqual(known.filter(isMember));
      const named = Array.isArray(merchants) ? merchants : [];
      expect(unknown).toEqual([...new Set(named)].filter((one) => !known.includes(one)));
    });
  });
});
