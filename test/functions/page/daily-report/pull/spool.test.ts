import { createHash, randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { createGzip, gunzipSync } from 'node:zlib';
import type { Members } from '#records/json/exact-json.ts';
import { TableSpool } from '#page/daily-report/pull/pull-day.ts';
import { membersOf, fc, forAllAsync, ANY_CHARACTER } from '#support/assertions/index.ts';
import { invoiceRecord, csvLine, jsonLine } from '#support/records/records.ts';
import { Spool, SpoolFullError } from '#page/daily-report/pull/spool.ts';
import { nameOfProcess } from '#runtime/running-process.ts';

function openSpool(mostBytes?: number): Spool {
  const spool = new Spool(mostBytes);
  onTestFinished(() => spool.discard());
  return spool;
}

/** A text without line breaks. */
const line = fc.oneof(
  fc.string({ unit: ANY_CHARACTER, maxLength: 30 }).map((text) => text.replaceAll('\n', '')),
  fc.constantFrom('شركة '.repeat(30_000), 'x'.repeat(90_000), '🧾'.repeat(50_000), 'y'.repeat(300_000)),
);

describe('a spooled file', () => {
  it('holds every line in UTF-8, short lines and lines longer than a buffer', () =>
    forAllAsync([fc.array(line, { maxLength: 40 })], { numRuns: 40 }, async (lines) => {
      const spool = new Spool();
      const writer = spool.writer('invoices', 'json');
      writer.addHeader('head');
      for (const text of lines) writer.addRow(Buffer.from(text));
      await writer.room();
      const { packed, rows, bytes, sha256 } = await writer.finish();
      const file = 'path' in packed ? await readFile(packed.path) : packed.content;
      expect(rows).toBe(lines.length);
      expect(bytes).toBe(file.length);
      expect(sha256).toBe(createHash('sha256').update(file).digest('hex'));
      const whole = ['head', ...lines].map((text) => `${text}\n`).join('');
      expect(gunzipSync(file).equals(Buffer.from(whole, 'utf8'))).toBe(true);
      await spool.discard();
    }));

  it('has the same bytes in memory as on the disk', async () => {
    const table = fc.array(fc.string({ maxLength: 200 }).map((text) => text.replaceAll('\n', '')));
    await forAllAsync([table], { numRuns: 60 }, async (lines) => {
      const spool = new Spool();
      const writer = spool.writer('invoices', 'json');
      for (const text of lines) writer.addRow(Buffer.from(text));
      const { packed } = await writer.finish();
      const gzip = createGzip({ level: 3, memLevel: 9, chunkSize: 64 * 1024 });
      const streamed = buffer(gzip);
      for (const text of lines) gzip.write(`${text}\n`);
      gzip.end();
      expect('content' in packed && packed.content.equals(await streamed)).toBe(true);
      await spool.discard();
    });
  });

  it('is on the disk only when it is larger than a buffer', async () => {
    const spool = openSpool();
    const [small, large] = [spool.writer('invoices', 'json'), spool.writer('invoices', 'csv')];
    for (let row = 0; row < 1_000; row += 1) {
      if (row < 20) small.addRow(Buffer.from('x'.repeat(1_000)));
      large.addRow(Buffer.from('x'.repeat(1_000)));
    }
    expect((await small.finish()).packed).toHaveProperty('content');
    expect((await large.finish()).packed).toHaveProperty('path');
  });

  it('does not find those of a dead process, also when its number is that of this one, and leaves those of others', () => {
    const left = (owner: string) => {
      const directory = join(tmpdir(), `daybook-spool-${owner}-${randomUUID().slice(0, 8)}`);
      mkdirSync(directory);
      onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
      writeFileSync(join(directory, 'invoices.json.gz'), 'left');
      return directory;
    };
    // The first is as earlier versions named them. The second process began with the machine.
    const dead = [
      left(`${process.pid}`),
      left(`${process.pid}.0`),
      left(`${process.ppid}.0`),
      left('4194305.7'),
    ];
    const alive = [left(nameOfProcess()), left(nameOfProcess(process.ppid))];
    const writer = openSpool().writer('invoices', 'json');
    writer.addRow(Buffer.from('x'.repeat(900_000)));
    writer.addRow(Buffer.from('y'));
    expect([...dead, ...alive].map((directory) => existsSync(directory))).toEqual([
      ...dead
        .map(() => !existsSync('/proc/self/stat'))
        .with(0, false)
        .with(3, false),
      ...alive.map(() => true),
    ]);
  });

  it('reports that the disk is full, and does not wait for ever', async () => {
    const spool = openSpool(10_000);
    const writer = spool.writer('invoices', 'json');
    const fill = async () => {
      for (let row = 0; row < 200_000; row += 1) {
        writer.addRow(Buffer.from(createHash('sha256').update(String(row)).digest('hex').repeat(10)));
        await writer.room();
      }
    };
    await expect(fill()).rejects.toThrow(SpoolFullError);
    await expect(writer.finish()).rejects.toThrow(SpoolFullError);
  });
});

const ORIGIN = { merchantCode: '700001', day: '2026-11-20', queryType: '1' };

const invoice = (id: number, members: Members = {}) => ({ ...invoiceRecord(members), id });

/** What comes of the pages of a pull. */
async function pulled(
  pages: readonly (readonly ReturnType<typeof invoice>[])[],
  redact: readonly string[] = [],
) {
  const table = new TableSpool('invoices', openSpool(), redact);
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
