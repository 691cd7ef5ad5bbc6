import { csvFormatRow } from 'd3-dsv';
import { describe, expect, it } from 'vitest';
import { isMembers, parseExactJson, type Members } from '#records/json/exact-json.ts';
import { MisfitTally } from '#records/rows/drift-tallies.ts';
import { RowLines, beginningsOf } from '#records/rows/row-lines.ts';
import { SHAPES } from '#records/rows/contract-columns.ts';
import { expectLinearTime } from '#support/assertions/linear-time.ts';
import { membersOf } from '#support/assertions/members.ts';
import { invoiceRecord } from '#support/domain/sample-records.ts';
import { runs } from '#support/fuzz/mutations.ts';
import { hostile, number, usualRecord } from '#support/rows/records.ts';
import { fc, forAll } from '#support/assertions/for-all.ts';

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

/** The value with the members of each object ordered by name. */
function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (!isMembers(value)) return value;
  const names = Object.keys(value).sort();
  return Object.fromEntries(names.map((name) => [name, inOrder(value[name])]));
}

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
    const twins = Object.fromEntries(
      Array.from({ length: 102 }, (_, index) => ['a'.repeat(index), 0]).flatMap(([name, zero]) => [
        [`x${String(name)}`, zero],
        [`X${String(name)}`, zero],
      ]),
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
