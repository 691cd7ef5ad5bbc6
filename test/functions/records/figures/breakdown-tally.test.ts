import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { BreakdownTally, paymentMethod } from '#records/figures/breakdown-tally.ts';
import {
  breakdownSchema,
  LONGEST_METHOD,
  MOST_NAMED,
  redactedBreakdown,
  type Breakdown,
} from '#records/figures/breakdown.ts';
import { InvoiceStateTotals, ofEachState, type TypeSettings } from '#records/figures/invoice-state-totals.ts';
import { isMembers, parseExactJson, type Members } from '#records/json/exact-json.ts';
import { redacted, redactedColumns } from '#records/rows/redaction.ts';
import { RowLines, beginningsOf } from '#records/rows/row-lines.ts';
import { takeSealedRow } from '#records/rows/read-sealed-row.ts';
import { invoiceRecord, sumOfTexts } from '#support/records/records.ts';
import { ANY_CHARACTER, fc, forAll } from '#support/assertions/index.ts';

const STATUSES = { '0': 'not_paid', '1': 'paid', '3': 'cancelled', '4': 'paid', '5': 'other' } as const;
const TYPES = ['1', '0', '6', '7'];
const SETTINGS: TypeSettings = { invoiceTypes: TYPES, invoiceStatuses: STATUSES };
/** How the JSON of some payment types is named. */
const METHODS = new Map<string, string | null>([
  ['"KNET"', 'KNET'],
  ['"Apple Pay"', 'Apple Pay'],
  ['"بطاقة"', 'بطاقة'],
  ['2', '2'],
  ['"2"', '2'],
  ['null', null],
  ['""', null],
]);
const STATES = { 0: 'notPaid', 1: 'paid', 3: 'cancelled', 4: 'paid', 5: 'other', 8: 'other' } as const;

interface Sent {
  type: string;
  status: keyof typeof STATES;
  amount: string;
  /** JSON of `transaction.payment_type`. */
  payment: string;
  admin: string;
  service: string;
}

const A_PAID: Sent = {
  type: '1',
  status: 1,
  amount: '12.500',
  payment: '"KNET"',
  admin: '0.150',
  service: '0.100',
};

/** The record as it comes from the service: parsed, with every member of the contract. */
function recordOf(sent: Sent): Members {
  const json = JSON.stringify(
    invoiceRecord({
      invoice_status: sent.status,
      amount: sent.amount,
      admin_charge: sent.admin,
      service_charge: sent.service,
      transaction: { ...Object(invoiceRecord()['transaction']), payment_type: 'HERE' },
    }),
  );
  const record = parseExactJson(json.replace('"HERE"', () => sent.payment));
  return isMembers(record) ? record : {};
}

const rowOf = (sent: Sent, redact: readonly string[] = []) =>
  redacted(recordOf(sent), redactedColumns(redact));

function pulled(rows: readonly Sent[], settings = SETTINGS, redact: readonly string[] = []): Breakdown {
  const tally = new BreakdownTally(settings);
  for (const sent of rows) {
    tally.add(sent.type, { invoice_status: sent.status, amount: sent.amount }, rowOf(sent, redact));
  }
  return tally.breakdown();
}

/** @param redact what the registry redacts when the rows are read */
function sealed(
  rows: readonly Sent[],
  settings = SETTINGS,
  sealedWith: readonly string[] = [],
  redact: readonly string[] = sealedWith,
): Breakdown {
  const tally = new BreakdownTally(settings);
  for (const sent of rows) {
    const own = beginningsOf({ merchantCode: '700001', day: '2026-11-20', queryType: sent.type });
    const { json } = new RowLines('invoices', new Map()).of(rowOf(sent, sealedWith), own);
    takeSealedRow(json.toString(), redactedColumns(redact), (row) => tally.addSealed(row));
  }
  return tally.breakdown();
}

const amount = fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }).map((units) => `${units}.125`);
const anySent: fc.Arbitrary<Sent> = fc.record({
  type: fc.constantFrom('1', '0', '6', '7', '9', '12'),
  status: fc.constantFrom(0, 1, 3, 4, 5, 8),
  amount,
  payment: fc.oneof(fc.constantFrom(...METHODS.keys()), fc.json()),
  admin: amount,
  service: amount,
});
const rows = fc.array(anySent, { maxLength: 40 });
const isPaid = ({ status }: Sent) => STATES[status] === 'paid';
const summed = (of: readonly Sent[]) => ({
  count: of.length,
  amount: sumOfTexts(of.map((sent) => sent.amount)),
});

describe('for any rows, the breakdown has', () => {
  it('exact sums of each type and state, types in the order of the registry and others last', () =>
    forAll([rows], (all) => {
      const byType = Map.groupBy(all, ({ type }) => type);
      const inOrder = new Set([...TYPES.filter((type) => byType.has(type)), ...byType.keys()]);
      const expected = [...inOrder].map((type) => {
        const of = byType.get(type) ?? [];
        const inState = ofEachState((state) => summed(of.filter(({ status }) => STATES[status] === state)));
        return { type, all: summed(of), states: inState };
      });
      expect(pulled(all).byType).toEqual(expected);
    }));

  it('exact sums of each method of the paid ones, sorted, with the unknown ones last', () =>
    forAll([rows], (all) => {
      const plain = all.filter(({ payment }) => METHODS.has(payment));
      const byMethod = Map.groupBy(plain.filter(isPaid), ({ payment }) => METHODS.get(payment) ?? null);
      const inOrder = [...new Set(METHODS.values())].filter((method) => method !== null).sort();
      const expected = [...inOrder, null].flatMap((method) => {
        const of = byMethod.get(method);
        return of === undefined ? [] : [{ method, ...summed(of) }];
      });
      expect(pulled(plain).byMethod).toEqual(expected);
    }));

  it('exact sums of each charge of the paid ones', () =>
    forAll([rows], (all) => {
      const paid = all.filter(isPaid);
      expect(pulled(all).charges).toEqual([
        { column: 'admin_charge', total: sumOfTexts(paid.map(({ admin }) => admin)) },
        { column: 'service_charge', total: sumOfTexts(paid.map(({ service }) => service)) },
      ]);
    }));

  it('the same content from a pull and from the sealed rows, whatever is redacted', () => {
    const columns = ['transaction', 'Transaction_Payment_Type', 'admin_charge', 'SERVICE_CHARGE', 'customer'];
    forAll([rows, fc.subarray(columns), fc.boolean()], (all, redact, namesStates) => {
      const settings = namesStates ? SETTINGS : { ...SETTINGS, invoiceStatuses: undefined };
      const found = pulled(all, settings, redact);
      expect(sealed(all, settings, redact)).toEqual(found);
      // The files may be older than the entry in the registry, and so may the breakdown itself.
      expect(sealed(all, settings, [], redact)).toEqual(found);
      expect(redactedBreakdown(pulled(all, settings), redactedColumns(redact))).toEqual(found);
    });
  });

  it('what its schema allows, and it is read from a manifest as it was sealed', () =>
    forAll([rows], (all) => {
      const found = pulled(all);
      expect(breakdownSchema.parse(JSON.parse(JSON.stringify(found)))).toEqual(found);
    }));
});

describe('the breakdown of a day', () => {
  it('says how often each status without a name came, digit for digit', () => {
    const totals = new InvoiceStateTotals(STATUSES);
    for (const invoice_status of [17, -1, 17, JSON.rawJSON('9007199254740993')])
      totals.add({ invoice_status, amount: '1.000' });
    expect(totals.states().other).toEqual({ count: 4, amount: '4.000' });
    expect(totals.unknownStatuses.counts()).toEqual({ '-1': 1, '17': 2, '9007199254740993': 1 });
  });

  it('has types alone when the registry does not name the statuses', () => {
    expect(pulled([A_PAID, A_PAID], { invoiceTypes: ['1'] })).toEqual({
      byType: [{ type: '1', all: { count: 2, amount: '25.000' }, states: null }],
      byMethod: null,
      charges: null,
    });
  });

  it('names the largest of very many methods, and adds up all others', () => {
    const many = Array.from({ length: 3_000 }, (_, index) => ({ ...A_PAID, payment: `"method ${index}"` }));
    const { byMethod } = pulled([
      ...many,
      { ...A_PAID, payment: '"method 7"' },
      { ...A_PAID, payment: 'null' },
    ]);
    expect(byMethod).toHaveLength(MOST_NAMED + 1);
    expect(byMethod).toContainEqual({ method: 'method 7', count: 2, amount: '25.000' });
    expect(byMethod?.at(-1)).toEqual({ method: null, count: 2_981, amount: '37262.500' });
  });

  it('reads `_query_type` of a sealed row only, never one that the service sent', () => {
    const tally = new BreakdownTally(SETTINGS);
    tally.add('6', { invoice_status: 1, amount: '1.000' }, { ...rowOf(A_PAID), _query_type: '0' });
    expect(tally.breakdown().byType.map(({ type }) => type)).toEqual(['6']);
  });
});

const methodOf = (value: unknown) => paymentMethod({ transaction: { payment_type: value } });
const BREAKS_AND_CONTROLS = /[\p{Cc}\p{Zl}\p{Zp}]/u;

describe('the payment method of an invoice', () => {
  it.each([
    ['a text', 'Apple Pay', 'Apple Pay'],
    ['a text in Arabic', 'بطاقة', 'بطاقة'],
    ['a text with blanks at its ends', ' KNET ', ' KNET '],
    ['a whole number', 7, '7'],
    ['zero', 0, '0'],
    ['minus zero, as JSON writes it', -0, '0'],
    ['a fraction', 0.5, '0.5'],
    ['a large number', 1e21, '1e+21'],
    ['digits beyond 2^53', JSON.rawJSON('9007199254740993'), '9007199254740993'],
    ['a text with line breaks', 'a\r\nb\u2028c\u2029d\u0085e', 'a  b c d e'],
    ['a text with control characters', 'K\u0000N\u001bE\u007fT', 'K N E T'],
    ['a text with half a character', 'K\ud83dN', 'K\ufffdN'],
    ['the longest text', 'x'.repeat(60), 'x'.repeat(60)],
    ['a longer text, cut', 'x'.repeat(61), 'x'.repeat(60)],
    ['the longest text of characters of two units', '😀'.repeat(60), '😀'.repeat(60)],
    ['a longer text of such, cut between two', `x${'😀'.repeat(60)}`, `x${'😀'.repeat(59)}`],
  ])('is %s', (_what, value, method) => {
    expect(methodOf(value)).toBe(method);
  });

  it.each([
    ['null', null],
    ['not there', undefined],
    ['empty', ''],
    ['blank', ' \t\u00a0'],
    ['only line breaks', '\n\r\n'],
    ['blank where it is cut', `${' '.repeat(60)}KNET`],
    ['true', true],
    ['an object', { name: 'KNET' }],
    ['a list', ['KNET']],
    ['a number that JSON cannot write', Infinity],
  ])('is unknown when the member is %s', (_what, value) => {
    expect(methodOf(value)).toBeNull();
  });

  it('is unknown when the transaction is no object', () => {
    const transactions = [null, undefined, 'KNET', ['KNET'], JSON.rawJSON('9007199254740993')];
    expect(transactions.map((transaction) => paymentMethod({ transaction }))).toEqual(Array(5).fill(null));
  });

  it('is one line of whole characters, and the same when it is read again', () =>
    forAll([fc.string({ unit: ANY_CHARACTER, maxLength: 200 })], (text) => {
      const method = methodOf(text);
      if (method === null) return;
      expect(Array.from(method).length).toBeLessThanOrEqual(LONGEST_METHOD);
      expect(method.isWellFormed()).toBe(true);
      expect(method).not.toMatch(BREAKS_AND_CONTROLS);
      expect(methodOf(method)).toBe(method);
    }));

  it('is the same before and after the row was sealed, whatever JSON the service sends', () => {
    const value = fc.oneof(
      fc.json(),
      fc.constantFrom('1e400', '-1e400', '1e20', '1.5e19', '-0', '12345678901234567890', '0.1e-7'),
    );
    const payment = (line: string) => {
      const row = parseExactJson(line);
      return isMembers(row) ? paymentMethod(row) : undefined;
    };
    forAll([value], (json) => {
      const sent = `{"transaction":{"payment_type":${json}}}`;
      expect(payment(JSON.stringify(parseExactJson(sent)))).toBe(payment(sent));
    });
  });

  it('does not keep the whole of a long text in memory', () => {
    setFlagsFromString('--expose-gc');
    const used = () => {
      runInNewContext('gc()');
      return process.memoryUsage().heapUsed;
    };
    const before = used();
    const methods = new Set<string | null>();
    for (let row = 0; row < 200; row += 1) methods.add(methodOf(`${row} ${'x'.repeat(200_000)}`));
    expect(used() - before).toBeLessThan(10_000_000);
    expect(methods.size).toBe(200);
  });
});
