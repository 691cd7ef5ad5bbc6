import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { parseExactJson } from '#domain/json/exact-json.ts';
import { listAsSent } from '#domain/records/as-sent.ts';
import { invoiceSchema } from '#domain/records/invoice.ts';
import { invoiceListSchema } from '#payments/invoices/invoice-list-schema.ts';
import { membersOf } from '#support/assertions/members.ts';
import { invoiceRecord } from '#support/domain/sample-records.ts';

const schema = invoiceListSchema(listAsSent(invoiceSchema));

type Members = Record<string, unknown>;

const COUNTS = ['total_invoice_count', 'invoice_paid', 'invoice_not_paid', 'invoice_cancelled'];

/** An answer with every member of the contract, and some that it does not know. */
function answer(): Members {
  return {
    stats: { total_invoice_count: 1, invoice_paid: '0', invoice_not_paid: 1, invoice_cancelled: null, of: 1 },
    order_stats: { total_invoice_count: 0, invoice_paid: '', invoice_not_paid: 0, invoice_cancelled: null },
    invoices: {
      data: [invoiceRecord()],
      pagination: {
        total: 1,
        count: 1,
        per_page: 15,
        current_page: 1,
        total_pages: 1,
        page_url: 'https://pay.example.com/?page=1',
        next_page_url: null,
        previous_page_url: null,
        last_page_url: null,
      },
      links: [],
    },
    currency: 'KWD',
  };
}

/** Puts a value in place of a member; `undefined` leaves the member out. */
function put(members: Members, [name = '', ...inner]: readonly string[], value: unknown): void {
  if (inner.length > 0) put(membersOf(members[name]), inner, value);
  else if (value === undefined) Reflect.deleteProperty(members, name);
  else members[name] = value;
}

/** Values as JSON, around all limits. `undefined` stands for a missing member. */
const VALUES = [
  ...['0', '-0', '1', '-1', '7', '1000000000000', '1000000000001', '1e12', '1.0', '1.5', '-1.5'],
  ...['9007199254740991', '9007199254740992', '9007199254740993', '-9007199254740993', '1e21', '1e400'],
  ...['""', '"0"', '"12"', '"007"', '"123456789012"', '"1234567890123"', '"1.5"', '"-1"', '"1e3"'],
  ...['" 1"', '"1 "', '"1\\n"', '"+1"', '"0x1"', '"١"', '"NaN"', '"text"'],
  ...['null', 'true', 'false', '[]', '[1]', '{}', '{"0":1}', undefined],
];

const COUNT = ['0', '-0', '1', '7', '1000000000000', '1e12', '1.0'];
const ANY_INTEGER = [...COUNT, '-1', '1000000000001', '9007199254740991'];
const TEXT = VALUES.filter((json) => json?.startsWith('"') === true);

/** What each member may be (docs/contract.md, 2.2 Invoice list response). */
const ACCEPTED: readonly (readonly [path: string, accepted: readonly (string | undefined)[]])[] = [
  ...COUNTS.map(
    (name) => [`stats.${name}`, [...COUNT, '"0"', '"12"', '"007"', '"123456789012"', 'null']] as const,
  ),
  ...COUNTS.map((name) => [`order_stats.${name}`, [...ANY_INTEGER, ...TEXT, 'null']] as const),
  ['invoices.pagination.total', COUNT],
  ['invoices.pagination.total_pages', COUNT],
  ['invoices.pagination.count', [...COUNT, '1000000000001', '9007199254740991']],
  ['invoices.pagination.per_page', ANY_INTEGER],
  ['invoices.pagination.current_page', ANY_INTEGER],
  ['invoices.pagination.page_url', TEXT],
  ['invoices.pagination.next_page_url', [...TEXT, 'null']],
  ['invoices.pagination.previous_page_url', [...TEXT, 'null']],
];

/** How often the schema reads a member of an answer. */
function readsOf(path: readonly string[], value: unknown): number {
  let reads = 0;
  const sent = answer();
  const holder = path.slice(0, -1).reduce((members, name) => membersOf(members[name]), sent);
  Object.defineProperty(holder, path.at(-1) ?? '', {
    enumerable: true,
    get: () => {
      reads += 1;
      return value;
    },
  });
  schema.safeParse(sent);
  return reads;
}

function valueOf(json: string | undefined): unknown {
  return json === undefined ? undefined : parseExactJson(json);
}

describe('an answer of the invoice list', () => {
  it.each(ACCEPTED)('may have exactly these values as %s: %j', (member, accepted) => {
    const path = member.split('.');
    const taken = VALUES.filter((json) => {
      const changed = answer();
      put(changed, path, valueOf(json));
      const { success, data, error } = schema.safeParse(changed);
      // An accepted answer is passed on itself. A refused one says where it is wrong.
      if (success) expect(data).toBe(changed);
      else expect(error.issues.map((issue) => issue.path)).toEqual([path]);
      return success;
    });
    expect(taken.toSorted()).toEqual(accepted.toSorted());
  });

  it('is returned itself, with the members that the contract does not know', () => {
    const sent = answer();
    expect(schema.parse(sent)).toBe(sent);
    expect(sent).toEqual(answer());
  });

  it.each([
    ['stats', []],
    ['order_stats', []],
    ['invoices', []],
    ['invoices.pagination', []],
    ['invoices.data', {}],
  ])('is refused with another kind of value as %s', (member, other) => {
    const path = member.split('.');
    for (const value of [undefined, null, 1, '1', true, other]) {
      const changed = answer();
      put(changed, path, value);
      expect(schema.safeParse(changed).error?.issues).toMatchObject([{ path }]);
    }
  });

  it.each([undefined, null, 1, 'x', [], [answer()]])('cannot be %j', (value) => {
    expect(schema.safeParse(value).error?.issues).toMatchObject([{ path: [] }]);
  });

  it('names the first invoice that does not follow the contract, and its member', () => {
    const sent = answer();
    put(sent, ['invoices', 'data'], [invoiceRecord(), invoiceRecord({ amount: 1 })]);
    expect(schema.safeParse(sent).error?.issues).toMatchObject([
      { path: ['invoices', 'data', 1, 'amount'], message: 'must be string' },
    ]);
  });
});

describe('the check and zod', () => {
  const LAST = ['invoices', 'pagination', 'previous_page_url'];

  it.each(ACCEPTED)('accept the same values for %s', (member, accepted) => {
    const path = member.split('.');
    for (const json of accepted) {
      // A second read would mean that the check refused it and zod decided.
      expect(readsOf(path, valueOf(json))).toBe(1);
      // Here zod decides. It refuses only the last member, so it accepts this one.
      const wrongAtTheEnd = answer();
      put(wrongAtTheEnd, path, valueOf(json));
      put(wrongAtTheEnd, LAST, 1);
      expect(schema.safeParse(wrongAtTheEnd).error?.issues).toMatchObject([{ path: LAST }]);
    }
  });
});

describe('the limits of the members', () => {
  const integer = z.int();
  const count = integer.min(0).max(1e12);
  /** The same rule once more, as zod alone checks it. */
  function ruleOf(member: string): z.ZodType {
    if (member.startsWith('stats.')) return z.union([count, z.string().regex(/^\d{1,12}$/), z.null()]);
    if (member.startsWith('order_stats.')) return z.union([integer, z.string(), z.null()]);
    const name = member.split('.').at(-1) ?? '';
    if (name === 'page_url') return z.string();
    if (name.endsWith('_url')) return z.string().nullable();
    if (name.startsWith('total')) return count;
    return name === 'count' ? integer.min(0) : integer;
  }

  const rules = ACCEPTED.map(([member]) => ({ path: member.split('.'), rule: ruleOf(member) }));
  const value = fc.oneof(
    fc.jsonValue({ maxDepth: 1 }),
    fc.integer({ min: -2, max: 2 }),
    fc.maxSafeInteger(),
    fc.integer({ min: -3, max: 3 }).map((near) => 1e12 + near),
    fc.stringMatching(/^\d{0,14}$/),
    fc.constantFrom<unknown>(undefined, Number.NaN, Infinity, JSON.rawJSON('9007199254740993')),
  );

  it('are those of zod, for any value', () => {
    let accepted = 0;
    fc.assert(
      fc.property(fc.constantFrom(...rules), value, ({ path, rule }, any) => {
        const changed = answer();
        put(changed, path, any);
        const { success } = schema.safeParse(changed);
        expect(success).toBe(rule.safeParse(any).success);
        accepted += Number(success);
      }),
      { numRuns: 2_000 },
    );
    expect(accepted).toBeGreaterThan(400);
  });
});
