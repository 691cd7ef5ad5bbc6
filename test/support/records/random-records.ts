import * as fc from 'fast-check';
import * as z from 'zod';
import type { Members } from '#records/json/exact-json.ts';
import { invoiceSchema } from '#records/rows/contract-records.ts';
import * as contract from '#records/rows/contract-types.ts';
import { ANY_CHARACTER } from '../assertions/index.ts';

const UNIT = fc.constantFrom(
  ...['"', ',', '\\', '/', '\n', '\r', '\t', '\b', '\0', '\u001f', '\u007f', ' ', 'a', 'é', 'ق', 'नी', '🧾'],
  ...['\ue000', '\ue001', '\uefff', '\ufeff', '\u2028', '\u2029', '\ud800', '\udfff'],
  ...[':', '{', '}', '[', ']'],
);

/** Texts that need care in JSON or CSV. */
export const hostile: fc.Arbitrary<string> = fc.oneof(
  { weight: 3, arbitrary: fc.string({ unit: 'grapheme-ascii', maxLength: 12 }) },
  { weight: 3, arbitrary: fc.string({ unit: UNIT, maxLength: 12 }) },
  fc.string({ unit: ANY_CHARACTER, maxLength: 12 }),
  fc.constantFrom('', '__proto__', 'null', '\r\n', '","', '\\"', '\\u0041', '"}],"id":1', '=1+1'),
  fc.constantFrom('x'.repeat(5_000), '"'.repeat(300), '\\'.repeat(301), 'é,\n'.repeat(200)),
);

const tame: fc.Arbitrary<string> = fc.oneof(
  fc.string({ unit: 'grapheme-ascii', maxLength: 12 }),
  fc.constantFrom('نورة', 'two coffees, hot', '{"result":true}', 'a/b', '🧾'),
);

function digits(least: number, most: number): fc.Arbitrary<string> {
  return fc
    .string({
      unit: fc.constantFrom(...Array.from('0123456789')),
      minLength: least,
      maxLength: most,
    })
    .map((text) => text.replace(/^0+(?=\d)/, ''));
}

const signed = (text: fc.Arbitrary<string>) =>
  fc.tuple(fc.constantFrom('', '', '-'), text).map(([sign, number]) => `${sign}${number}`);

/** Numbers as a service may write them, with the digits that it writes. */
export const number: fc.Arbitrary<unknown> = fc.oneof(
  signed(digits(1, 20)).map((text) => JSON.rawJSON(text)),
  fc
    .tuple(
      signed(digits(1, 18)),
      fc.constantFrom('.0', '.50', '.125', 'e2', 'E-3', '.5e+3', 'e400', '.1e-400'),
    )
    .map(([whole, rest]) => JSON.rawJSON(`${whole}${rest}`)),
  fc
    .constantFrom('-0', '9007199254740991', '9007199254740992', '9007199254740993', '1e21', '1e-7')
    .map((text): unknown => JSON.rawJSON(text)),
);

const integer = fc.oneof(
  { weight: 8, arbitrary: fc.nat({ max: 999 }).map((value): unknown => value) },
  fc.integer({ min: -999_999_999, max: 999_999_999 }),
  signed(digits(1, 15))
    .filter((text) => text !== '-0')
    .map((text): unknown => JSON.rawJSON(text)),
);

const amount = fc
  .tuple(fc.constantFrom('', '', '', '-'), digits(1, 30), fc.nat({ max: 999 }))
  .map(([sign, whole, rest]) => `${sign}${whole}.${rest.toString().padStart(3, '0')}`);
const date = fc.constantFrom('2026-11-20', '0000-00-00', '9999-99-99');
const datetime = date.map((day) => `${day} 23:59:59`);

function openValue(text: fc.Arbitrary<string>, names: fc.Arbitrary<string>): fc.Arbitrary<unknown> {
  const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
    tree: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      { weight: 3, arbitrary: text },
      { weight: 3, arbitrary: number },
      fc.constantFrom(null, true, false),
      fc.array(tie('tree'), { maxLength: 3 }),
      fc
        .array(fc.tuple(names, tie('tree')), { maxLength: 4 })
        .map((members) => Object.fromEntries(new Map(members))),
    ),
  }));
  return fc.oneof({ weight: 3, arbitrary: fc.constant(null) }, tree);
}

const open = openValue(tame, fc.constantFrom('id', 'name', 'price', 'Quantity', 'Auth', '7', '__proto__'));

/** Values of the contract's types, and of members without one. */
const VALUES = new Map<unknown, fc.Arbitrary<unknown>>([
  [contract.integer, integer],
  [contract.amount, amount],
  [contract.date, date],
  [contract.datetime, datetime],
  [contract.texts, fc.array(fc.constantFrom('1', '2', '10', 'knet'), { maxLength: 4 })],
  [contract.unspecified, open],
]);

function valueOf(schema: unknown): fc.Arbitrary<unknown> {
  if (schema instanceof z.ZodNullable) return fc.option(valueOf(schema.unwrap()));
  if (schema instanceof z.ZodObject) return fc.record(membersOf(schema));
  if (schema instanceof z.ZodArray) return fc.array(open, { maxLength: 3 });
  return VALUES.get(schema) ?? tame;
}

function membersOf({ shape }: z.ZodObject): Record<string, fc.Arbitrary<unknown>> {
  return Object.fromEntries(Object.entries(shape).map(([name, member]) => [name, valueOf(member)]));
}

/** Records as the contract shows them. No names of an object differ by case only. */
export const usualRecord: fc.Arbitrary<Members> = fc.record(membersOf(invoiceSchema.unwrap()));
