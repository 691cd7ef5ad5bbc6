import { describe, expect, it } from 'vitest';
import { readEntry } from '#registry/entry.ts';
import { merchantSchema, OWN_MEMBERS } from '#registry/registry-schema.ts';
import { fc, forAll } from '#support/assertions/for-all.ts';

type Members = Record<string, unknown>;
const MERGED = ['refunds', 'balance', 'branding', 'attachments', 'statements'];

/** What an entry means: its members over the defaults, and then the schema. */
function asDocumented(defaults: Members, own: Members) {
  const inherited = Object.entries(defaults).filter(([name]) => !OWN_MEMBERS.includes(name));
  const merged: Members = { ...Object.fromEntries(inherited), ...own };
  for (const name of MERGED) {
    const [under, over] = [defaults[name], own[name]];
    if (isObject(under) && isObject(over)) merged[name] = { ...under, ...over };
  }
  return merchantSchema.safeParse(merged);
}

function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const bad = fc.constantFrom<unknown>(null, 7, 'x', [], {}, [null], { a: 1 });
const or = (...good: unknown[]) =>
  fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...good) }, { weight: 1, arbitrary: bad });
const some = (members: Record<string, fc.Arbitrary<unknown>>) => fc.record(members, { requiredKeys: [] });
const inherited = {
  reportAt: or('06:00', '07:30'),
  timeZone: or('Asia/Kuwait', 'UTC'),
  recipients: or([], ['a@example.com']),
  lookbackDays: or([], [1, 2]),
  attachCsv: or(true, false),
  invoiceStatuses: or({ 1: 'paid' }, {}),
  alerts: or([], [7]),
  refunds: fc.oneof(some({ source: or('list', 'both'), statuses: or({ 1: 'approved' }, {}) }), bad),
  balance: fc.oneof(some({ ignore: or([], ['statsPaid']) }), bad),
  branding: fc.oneof(some({ senderName: or('Gulf Pay'), footer: or(true), other: bad }), bad),
  attachments: fc.oneof(some({ paymentMethods: or({ 1: 'KNET' }, {}) }), bad),
  weekStart: or('sunday', 'monday'),
  statements: fc.oneof(
    some({
      weekly: or({ on: 'sunday', at: '08:00' }, { on: 'friday', at: '08:00' }),
      monthly: or({ onDay: 1, at: '09:00' }),
      waitFor: or('12h', '2d'),
    }),
    bad,
  ),
  stranger: bad,
};
const defaults = some({ ...inherited, name: or('All'), merchantCode: or('9') });
const entry = fc.oneof(
  {
    weight: 9,
    arbitrary: some({ ...inherited, merchantCode: or('700001'), name: or('Cafe'), secretId: or('s') }),
  },
  { weight: 1, arbitrary: bad },
);

describe('an entry', () => {
  it('is what its members over the defaults are, whichever of them are wrong', () =>
    forAll([defaults, entry], { numRuns: 2_000 }, (under, own) => {
      const read = readEntry(under, own, ['merchants', 0]);
      if (!isObject(own)) {
        expect(read).toMatchObject({ problems: [{ at: ['merchants', 0], reason: 'must be object' }] });
        return;
      }
      const parsed = asDocumented(under, own);
      expect(read.settings).toEqual(parsed.data);
      const found = [
        ...(read.problems ?? []).map(({ at }) => at.slice(2)),
        ...(read.inherited ?? []).flatMap(({ problems }) => problems.map(({ at }) => at.slice(1))),
      ];
      const issues = (parsed.error?.issues ?? []).map(({ path }) => path);
      const text = (paths: readonly (readonly PropertyKey[])[]) => paths.map((path) => path.join('.')).sort();
      expect(text(found)).toEqual(text(issues));
    }));

  it('does not get a member of another entry, though they share the defaults', () => {
    const given = { refunds: { statuses: { 1: 'approved' } }, lookbackDays: [1] };
    const one = readEntry(given, { merchantCode: '1', refunds: { source: 'both' }, attachCsv: true }, []);
    const other = readEntry(given, { merchantCode: '2', name: 'B' }, []);
    expect(one.settings).toMatchObject({ refunds: { source: 'both', statuses: { 1: 'approved' } } });
    expect(one.settings?.name).toBeUndefined();
    expect(other.settings).toMatchObject({ refunds: { source: 'list' }, attachCsv: false, name: 'B' });
  });
});
