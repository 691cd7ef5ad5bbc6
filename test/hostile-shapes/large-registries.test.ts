import { rulesOfRegistry } from '#registry/alert-rules.ts';
import { allGroups, membersOf, type GroupMembers } from '#registry/groups.ts';
import { allMerchants, merchantSettings } from '#registry/merchants.ts';
import { chooseRegistry, registryCopy } from '#registry/registry-choice.ts';
import { parseRegistry } from '#registry/registry.ts';
import { unknownMembers } from '#registry/unknown-members.ts';

type Members = Record<string, unknown>;

const SHOPS = {
  name: 'shops',
  merchants: ['700002', '700001'],
  recipients: ['owner@example.com'],
  language: 'ar',
  daily: true,
};

function textOf(merchants: readonly Members[], groups: readonly Members[] = []): string {
  return JSON.stringify({ service: { baseUrl: 'https://pay.example.com' }, merchants, groups });
}

/** All that `plan` looks at in a registry. @returns how much it found */
function findingsOf(defaultMembers: Members, entries: number, own: Members): number {
  const merchants = Array.from({ length: entries }, (_, index) => ({ merchantCode: `${index}`, ...own }));
  const registry = { ...parseRegistry(textOf([])), defaults: defaultMembers, merchants };
  const { merchants: usable, rejected } = allMerchants(registry);
  rulesOfRegistry(registry);
  return usable.length + rejected.length + unknownMembers(registry).length;
}

/** Does the work in little processor time. Quadratic work would take minutes. */
function quickly<T>(work: () => T): T {
  const { user: begun } = process.threadCpuUsage();
  const done = work();
  expect(process.threadCpuUsage().user - begun).toBeLessThan(5_000_000);
  return done;
}

describe('ten thousand entries', () => {
  const many = (value: unknown) => Object.fromEntries(Array.from({ length: 900 }, (_, i) => [`${i}`, value]));
  const numbers = Array.from({ length: 400_000 }, () => 0);
  const rule = { name: 'a b', measure: 'unpaid', severity: 'x', forChecks: 0 };
  it.each<[string, Members, Members]>([
    [
      'every member wrong',
      {},
      { reportAt: 1, language: 1, lookbackDays: [0, 0], alerts: [rule, rule], x: 1 },
    ],
    ['a default of very many wrong values', { lookbackDays: numbers, recipients: numbers }, {}],
    [
      'a default of many wrong statuses',
      { refunds: { statuses: many('A') }, invoiceStatuses: many('A') },
      {},
    ],
    [
      'a default of many statuses',
      { refunds: { statuses: many('a') }, invoiceStatuses: many('paid') },
      { refunds: {} },
    ],
    ['very many unknown defaults', Object.fromEntries(numbers.map((_, i) => [`x${i}`, 1])), {}],
  ])('are read in linear time: %s', (_what, defaultMembers, own) => {
    // Quadratic work would exceed the time of a test.
    expect(findingsOf(defaultMembers, 10_000, own)).toBeGreaterThan(0);
  });
});

it('groups are read in time and room whatever they hold', () => {
  const many = Array.from({ length: 100_000 }, () => 7);
  const long = Object.fromEntries(many.map((value, index) => [`member${index}`, value]));
  const hostile = [
    { ...SHOPS, name: 'a', recipients: many },
    { ...SHOPS, name: 'b', merchants: many },
    { ...SHOPS, name: 'c', ...long },
    { ...SHOPS, name: 'd', branding: long },
    { ...SHOPS, name: 'e', weekly: long },
    { ...SHOPS, name: 'f', merchants: long },
  ];
  const { groups, rejected } = allGroups(parseRegistry(textOf([], hostile)));
  expect(groups.map(({ name }) => name)).toEqual(['c', 'd']);
  expect(rejected.map(({ path, reason }) => `${path}: ${reason}`)).toEqual([
    'groups[0].recipients: has more than 1000 values, given a list (group a)',
    'groups[1].merchants: has more than 20000 codes, given a list (group b)',
    'groups[4].weekly: has more than 1000 values, given an object (group e)',
    'groups[5].merchants.prefix: is missing, must be letters, digits and "-", 64 at most (group f)',
  ]);
  const nested = `${'['.repeat(97)}${']'.repeat(97)}`;
  const text = textOf([], [SHOPS]).replace('"daily":true', `"daily":${nested}`);
  expect(allGroups(parseRegistry(text)).rejected[0]?.path).toBe('groups[0].daily');
  expect(() => parseRegistry(text.replace(nested, `[${nested}]`))).toThrow('nests deeper');
});

it('the merchants of groups are found quickly: a thousand groups of twenty thousand merchants', () => {
  const registry = {
    merchants: Array.from({ length: 20_000 }, (_, index) => ({ merchantCode: `${700_000 + index}` })),
  };
  const groups = Array.from({ length: 1_000 }, (_, index): GroupMembers => {
    if (index % 3 === 0) return 'all';
    return index % 3 === 1 ? { prefix: `70${index}` } : [`${700_000 + index}`, 'x'];
  });
  quickly(() => groups.forEach((merchants) => membersOf({ merchants }, registry)));
});

const OTHER = { merchantCode: '700002' };

/** The registry that is used. */
function chosen(current: readonly Members[], lastGood: readonly Members[]) {
  const before = registryCopy('config/last-good/merchants.json', '"old"', textOf(lastGood));
  return chooseRegistry(registryCopy('config/merchants.json', '"new"', textOf(current)), before).registry;
}

it('a code that comes again takes time in proportion to the length of the registry: one code ten thousand times beside a large entry', () => {
  const large = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`member${index}`, index]));
  const copies = Array.from({ length: 10_000 }, () => ({ merchantCode: 'A' }));
  const registry = quickly(() => chosen([...copies, OTHER], [{ merchantCode: 'A', ...large }, OTHER]));
  expect(allMerchants(registry).merchants.map(({ merchantCode }) => merchantCode)).toEqual(['700002']);
});

it('ten thousand merchants, each of them twice, take little time', () => {
  const entries = Array.from({ length: 10_000 }, (_, index) => ({
    merchantCode: `M${index}`,
    name: `n${index}`,
  }));
  const doubled = [...entries.map((entry) => ({ ...entry, name: 'x' })), ...entries];
  const registry = quickly(() => chosen(doubled, entries));
  expect(merchantSettings(registry, 'M9999').name).toBe('n9999');
});
