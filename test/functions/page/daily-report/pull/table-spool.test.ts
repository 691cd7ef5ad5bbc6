import { readFile } from 'node:fs/promises';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Members } from '#records/json/exact-json.ts';
import { Spool } from '#page/daily-report/pull/spool.ts';
import { TableSpool } from '#page/daily-report/pull/pull-day.ts';
import { membersOf } from '#support/assertions/members.ts';
import { invoiceRecord } from '#support/domain/sample-records.ts';
import { csvLine, jsonLine } from '#support/domain/sample-rows.ts';

const ORIGIN = { merchantCode: '700001', day: '2026-11-20', queryType: '1' };

const invoice = (id: number, members: Members = {}) => ({ ...invoiceRecord(members), id });

/** What comes of the pages of a pull. */
async function pulled(
  pages: readonly (readonly ReturnType<typeof invoice>[])[],
  redact: readonly string[] = [],
) {
  const spool = new Spool();
  onTestFinished(() => spool.discard());
  const table = new TableSpool('invoices', spool, redact);
  const taken: unknown[] = [];
  for (const page of pages) await table.add(page, ORIGIN, (row, record) => taken.push([row, record]));
  const files = (await table.finish()).map(async ({ packed }) => {
    const bytes = 'path' in packed ? await readFile(packed.path) : packed.content;
    return gunzipSync(bytes).toString().split('\n').slice(0, -1);
  });
  const [json, csv] = await Promise.all(files);
  return { json, csv, taken, digest: table.digest.value(), misfits: table.misfits.list() };
}

describe('a table of a pull', () => {
  it('leaves out columns, and still counts what of them is not as the contract shows it', async () => {
    const customer = { name: 7, email: 'e', phone_number: '1' };
    const { json, csv, taken, misfits } = await pulled(
      [[invoice(1, { customer }), invoice(2)]],
      ['customer_name'],
    );
    const other = membersOf(invoiceRecord()['customer']);
    const rows = [
      invoice(1, { customer: { ...customer, name: null } }),
      invoice(2, { customer: { ...other, name: null } }),
    ];
    expect(json).toEqual(rows.map((row) => jsonLine('invoices', row)));
    expect(csv?.slice(1)).toEqual(rows.map((row) => csvLine('invoices', row)));
    expect(taken).toEqual([
      [rows[0], invoice(1, { customer })],
      [rows[1], invoice(2)],
    ]);
    expect(misfits).toEqual([{ field: 'customer.name', kind: 'number', count: 1, ids: ['1'] }]);
  });

  it('counts it also where the contract allows null in place of what is left out', async () => {
    const { misfits } = await pulled([[invoice(1, { spliturl: 7 }), invoice(2)]], ['spliturl']);
    expect(misfits).toEqual([{ field: 'spliturl', kind: 'number', count: 1, ids: ['1'] }]);
  });
});
