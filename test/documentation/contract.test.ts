import * as z from 'zod';
import { describe, expect, it } from 'vitest';
import { amount, date, datetime, integer } from '#records/rows/contract-types.ts';
import { invoiceSchema, refundSchema } from '#records/rows/contract-records.ts';
import { membersOf, namesIn, rowsOf, sectionOf } from '#support/documentation/markdown.ts';
import { textOf } from '#support/documentation/documents.ts';

const text = textOf('docs/contract.md');
const MARKS = /_(given|published|assumed|unknown)_/;

/** The names of the page for the named types. */
const NAMED = new Map<unknown, string>([
  [amount, 'amount'],
  [date, 'date'],
  [datetime, 'datetime'],
  [integer, 'integer'],
]);

const RECORDS: [string, Record<string, z.core.$ZodType>][] = [
  ['2.3 Invoice record', invoiceSchema.unwrap().shape],
  ['2.4 Refund record', refundSchema.unwrap().shape],
];

/** The members of a record and their types. A row may be about several. */
const typesIn = (section: string) =>
  rowsOf(section, 'member').flatMap(([members = '', type]) =>
    namesIn(members).map((member) => [member, type] as const),
  );

describe('docs/contract.md', () => {
  it.each(RECORDS)('has the members of the schema, in its order: %s', (heading, shape) => {
    expect(membersOf(sectionOf(text, heading), 'member')).toEqual(Object.keys(shape));
  });

  it.each(RECORDS)('has the types of the schema: %s', (heading, shape) => {
    for (const [member, type] of typesIn(sectionOf(text, heading))) {
      const named = NAMED.get(shape[member]);
      if (named !== undefined) expect(`${member} ${type}`).toBe(`${member} ${named}`);
      else expect([...NAMED.values()]).not.toContain(type);
    }
  });

  it.each(RECORDS)('names the members of each object: %s', (heading, shape) => {
    const section = sectionOf(text, heading);
    for (const [member, type] of typesIn(section)) {
      if (type !== 'object, see below') continue;
      const inner = shape[member];
      if (!(inner instanceof z.ZodObject)) throw new Error(`${member} is not an object in the code`);
      const [, told = ''] = section.split(`\`${member}\` `).slice(-2);
      const named = namesIn(section.slice(section.lastIndexOf(told)));
      expect(Object.keys(inner.shape).filter((name) => !named.includes(name))).toEqual([]);
    }
  });

  it('gives the source of every statement', () => {
    const statements = text
      .slice(text.indexOf('## 1 '))
      .split(/\n(?=- |\d\. |\n)/)
      .map((statement) => statement.replaceAll('\n', ' ').trim())
      .filter((statement) => /^(- |\d\. )/.test(statement));
    expect(statements.length).toBeGreaterThan(30);
    expect(statements.filter((statement) => !MARKS.test(statement))).toEqual([]);
  });
});
