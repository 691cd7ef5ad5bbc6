import { csvFormatRow } from 'd3-dsv';
import { isMembers, parseExactJson, type Members } from '#records/json/exact-json.ts';
import { MisfitTally } from '#records/rows/drift-tallies.ts';
import { RowLines, beginningsOf } from '#records/rows/row-lines.ts';
import { SHAPES, OWN_COLUMNS } from '#records/rows/contract-columns.ts';
import { expectLinearTime, membersOf, fc, forAll } from '#support/assertions/index.ts';
import { inOrder, invoiceRecord, refundRecord, reversed, jsonLine } from '#support/records/records.ts';
import { runs } from '#support/fuzz/mutations.ts';
import { hostile, number, usualRecord } from '#support/records/random-records.ts';

const ORIGIN = { merchantCode: '70"0,001', day: '2026-11-20', queryType: '1' };
const OWN = { _merchant_code: ORIGIN.merchantCode, _day: ORIGIN.day, _query_type: ORIGIN.queryType };

/** The same lines for all records of a test, as for those of a pull. */
function linesWith(unknown = new Map<string, string>()) {
  const lines = new RowLines('invoices', unknown);
  return (record: Members) => {
    const { json, csv, isAsShown } = lines.of(record, beginningsOf(ORIGIN));
    return { json: json.toString(), csv: csv.toString(), isAsShown };
  };
}

const parsed = (text: string) => membersOf(parseExactJson(text));

/** What both lines must be, for a record with the contract's members in its order: JSON and CSV as libraries print them. */
function expectedOf(record: Members): { json: string; csv: string } {
  const cells = Object.entries(record).flatMap(([name, value]) =>
    SHAPES.invoices.some((member) => member.name === name && member.members !== null)
      ? Object.values(membersOf(value))
      : [value],
  );
  const cell = (value: unknown) => {
    if (value === null) return '';
    const text = typeof value === 'string' ? value : JSON.stringify(inOrder(value));
    return text.replaceAll(/\r\n|\r|\n/g, '\\n').replaceAll('\ue000', '\ufffd');
  };
  const row = Object.fromEntries(
    Object.entries(record).map(([name, value]) => [
      name,
      isMembers(value) && name !== 'rentperiod'
        ? Object.fromEntries(Object.entries(value).map(([inner, member]) => [inner, inOrder(member)]))
        : inOrder(value),
    ]),
  );
  return {
    json: JSON.stringify({ ...OWN, ...row }),
    csv: Buffer.from(csvFormatRow([...Object.values(OWN), ...cells.map(cell)])).toString(),
  };
}

const record = fc
  .tuple(usualRecord, hostile, hostile, hostile)
  .map(([usual, description, url, name]): Members => {
    return { ...usual, description, url, customer: { name, email: description, phone_number: url } };
  });

describe('the lines of a record', () => {
  it('are what libraries print, byte by byte, whatever its texts and numbers are', () => {
    const of = linesWith();
    forAll([record], runs(500), (usual) => {
      const sent = parsed(JSON.stringify(usual));
      expect(of(sent)).toEqual({ ...expectedOf(sent), isAsShown: true });
    });
  });

  it('say whether the record is as the contract shows it', () => {
    const of = linesWith();
    const value = fc.oneof(fc.constantFrom(undefined, null, true, '', 'x', {}, [], ['x']), number);
    const name = fc.constantFrom(...SHAPES.invoices.map((member) => member.name));
    forAll([record, name, value], runs(500), (usual, changed, other) => {
      const sent = parsed(JSON.stringify({ ...usual, [changed]: other === undefined ? null : other }));
      if (other === undefined) Reflect.deleteProperty(sent, changed);
      const misfits = new MisfitTally();
      misfits.add(sent, SHAPES.invoices);
      expect(of(sent).isAsShown).toBe(misfits.list().length === 0);
    });
  });

  it('are those of a new record after one that is refused, and after a long one', () => {
    const of = linesWith();
    const usual = of(invoiceRecord());
    const names = Array.from({ length: 102 }, (_, index) => 'a'.repeat(index));
    const twins = Object.fromEntries(
      names.flatMap((name) => [`x${name}`, `X${name}`]).map((name) => [name, 0]),
    );
    expect(() => of(invoiceRecord(twins))).toThrow('differ from another by case only');
    expect(of(invoiceRecord())).toEqual(usual);
    for (const unit of ['x', ',"', '\n', 'ق', '🧾']) {
      const description = unit.repeat(100_000);
      expect(membersOf(JSON.parse(of(invoiceRecord({ description })).json))['description']).toBe(description);
    }
    expect(of(invoiceRecord())).toEqual(usual);
  });

  it.each([
    ['a text of ordinary characters', (size: number) => ({ description: 'a'.repeat(size) })],
    ['a text with a control character at its end', (size) => ({ description: `${'a'.repeat(size)}\n` })],
    [
      'a text of commas with a character of private use at its end',
      (size) => ({ url: `${','.repeat(size)}\ue000` }),
    ],
    ['a text of quotes and backslashes', (size) => ({ url: '"\\'.repeat(size / 2) })],
    ['a text of line breaks', (size) => ({ url: '\r\n'.repeat(size / 2) })],
    ['a text of lone surrogates', (size) => ({ url: '\ud800'.repeat(size) })],
    ['a text in place of a number', (size) => ({ sms_status: ',"'.repeat(size / 2) })],
    ['a list of texts', (size) => ({ payment_method: Array.from({ length: size / 10 }, () => '') })],
    [
      'unknown members',
      (size) => Object.fromEntries(Array.from({ length: size / 200 }, (_, at) => [`n${at}`, at])),
    ],
    [
      'members that are numbers',
      (size) => Object.fromEntries(Array.from({ length: size / 200 }, (_, at) => [at, 'x'.repeat(100)])),
    ],
  ] satisfies [string, (size: number) => Members][])(
    'take time in proportion to %s',
    async (_what, members) => {
      const of = linesWith();
      await expectLinearTime((size) => of(invoiceRecord(members(size))), 200_000);
    },
  );
});

const BEGINNINGS = { _merchant_code: '700001', _day: '2026-11-20', _query_type: '1' };

function lineOf(record: Record<string, unknown>, unknown = new Map<string, string>()): string {
  return jsonLine('invoices', record, unknown);
}

/** The row of an invoice with these additional JSON members, and the names that the contract does not know. */
function withMembers(members: string): { line: string; names: Record<string, string> } {
  const unknown = new Map<string, string>();
  const text = `${JSON.stringify(invoiceRecord()).slice(0, -1)},${members}}`;
  const line = lineOf(membersOf(parseExactJson(text)), unknown);
  return { line, names: Object.fromEntries(unknown) };
}

describe('a row', () => {
  it('of a refund has no query type', () => {
    const row = membersOf(JSON.parse(jsonLine('refunds', refundRecord())));
    expect(row).toEqual({ ...BEGINNINGS, _query_type: null, ...refundRecord() });
  });

  it('is the same in whatever order its members come, whatever their names', () => {
    const name = fc.oneof(
      fc.stringMatching(/^[a-cA-C0-9_]{0,3}$/).filter((given) => !(given in {})),
      fc.constantFrom('name', 'amount', 'Amount', 'é', 'É', '__proto__'),
    );
    const { tree: value } = fc.letrec((tie) => ({
      tree: fc.oneof(
        { depthSize: 'small' },
        fc.constantFrom(null, 1, 'x', true),
        fc.array(tie('tree'), { maxLength: 3 }),
        fc.dictionary(name, tie('tree'), { maxKeys: 4, noNullPrototype: true }),
      ),
    }));
    forAll(
      [value, value, fc.dictionary(name, value, { maxKeys: 2 })],
      { numRuns: 1_000 },
      (rentperiod, product, more) => {
        const customer = { name: 'N', email: 'e', phone_number: '1', ...more };
        const record = invoiceRecord({ rentperiod, products: [product], customer });
        const names = [new Map<string, string>(), new Map<string, string>()] as const;
        const line = lineOf(record, names[0]);
        expect(lineOf(membersOf(reversed(record)), names[1])).toBe(line);
        expect(names[1]).toEqual(names[0]);
      },
    );
  });

  it('does not change the record', () => {
    const record = invoiceRecord({ zebra: { b: 1, a: 2 } });
    const before = JSON.stringify(record);
    lineOf(record);
    expect(JSON.stringify(record)).toBe(before);
  });
});

describe('members that the contract does not know', () => {
  it('are kept after the others, sorted by name, and reported', () => {
    const unknown = new Map<string, string>();
    const customer = { name: 'N', email: 'e', phone_number: '1', vip: true };
    const row = membersOf(
      JSON.parse(lineOf(invoiceRecord({ zebra: [1, { a: null }], ant: 'x', customer }), unknown)),
    );
    expect(Object.keys(row).slice(-2)).toEqual(['ant', 'zebra']);
    expect(row).toMatchObject({ ant: 'x', zebra: [1, { a: null }], customer });
    expect(Object.fromEntries(unknown)).toEqual({
      ant: 'ant',
      zebra: 'zebra',
      'customer.vip': 'customer.vip',
    });
  });

  it('are numbers where they came as numbers', () => {
    expect(withMembers('"far":1e400,"rate":1.10').line).toContain('"far":null,"rate":1.1}');
  });

  const customer = { name: 'N', email: 'e', phone_number: '1', Name: 'M', _day: 'own names are free here' };

  it.each<[string, Record<string, unknown>, string[], Record<string, string>]>([
    ['a member of the contract', { Amount: '1' }, ['"Amount__2":"1"'], { Amount: 'Amount__2' }],
    ['Daybook’s own day', { _day: 'x' }, ['"_day__2":"x"'], { _day: '_day__2' }],
    [
      'Daybook’s own member in capitals',
      { _Merchant_Code: 1 },
      ['"_Merchant_Code__2":1'],
      { _Merchant_Code: '_Merchant_Code__2' },
    ],
    ['a name with accents', { ÉTÉ: 1, été: 2 }, ['"ÉTÉ":1,"été__2":2'], { ÉTÉ: 'ÉTÉ', été: 'été__2' }],
    [
      'one inside an object of the contract',
      { customer },
      ['"phone_number":"1","Name__2":"M","_day":"own names are free here"}'],
      { 'customer.Name': 'customer.Name__2', 'customer._day': 'customer._day' },
    ],
    [
      'one inside an object that the contract does not know',
      { extra: { list: [{ Key: 1, key: 2 }], A: 1, a: 2 } },
      ['"extra":{"A":1,"a__2":2,"list":[{"Key":1,"key__2":2}]}'],
      { extra: 'extra', 'extra.a': 'extra.a__2', 'extra.list.key': 'extra.list.key__2' },
    ],
    [
      'one inside a member whose shape the contract does not show',
      { products: [{ ID: 1, id: 2 }], rentperiod: { to: 1, To: 2 } },
      ['"products":[{"ID":1,"id__2":2}]', '"rentperiod":{"To":2,"to__2":1}'],
      { 'products.id': 'products.id__2', 'rentperiod.to': 'rentperiod.to__2' },
    ],
  ])('get a number if their names are equal in lower case to %s', (_what, members, written, names) => {
    const unknown = new Map<string, string>();
    const line = lineOf(invoiceRecord(members), unknown);
    for (const part of written) expect(line).toContain(part);
    expect(Object.fromEntries(unknown)).toEqual(names);
  });

  it('may have names that JavaScript objects already have', () => {
    const { line, names } = withMembers(
      '"__proto__":{"x":1},"constructor":2,"hasOwnProperty":3,"deep":{"__proto__":4}',
    );
    expect(line).toContain('"__proto__":{"x":1},"constructor":2,"deep":{"__proto__":4},"hasOwnProperty":3');
    expect(Object.keys(names).sort()).toEqual(['__proto__', 'constructor', 'deep', 'hasOwnProperty']);
  });

  it('come before all others if their names are numbers, as in days that are already sealed', () => {
    const { line } = withMembers('"10":{"b":1,"9":2},"9":"x","x":1,"__proto__":2');
    expect(line).toMatch(/^\{"9":"x","10":\{"9":2,"b":1\},"_merchant_code":"700001","_day":"2026-11-20",/);
    expect(line).toMatch(/"_query_type":"1","id":501,.*,"__proto__":2,"x":1\}$/);
  });

  it('never have equal names in lower case, whatever their names are', () => {
    const name = fc.oneof(
      fc.constantFrom(...'Amount AMOUNT amount__2 _day _DAY__2 __proto__ constructor İ K'.split(' ')),
      fc.string({ unit: fc.constantFrom('a', 'A', '_', '2'), maxLength: 4 }),
    );
    forAll([fc.dictionary(name, fc.integer())], (extra) => {
      const row = lineOf({ ...extra, ...invoiceRecord() });
      const names = Object.keys(membersOf(JSON.parse(row))).map((written) => written.toLowerCase());
      expect(new Set(names).size).toBe(names.length);
      const kept = Object.keys(extra).filter((written) => !(written in invoiceRecord()) || written in {});
      expect(names).toHaveLength(OWN_COLUMNS.length + Object.keys(invoiceRecord()).length + kept.length);
    });
  });
});
