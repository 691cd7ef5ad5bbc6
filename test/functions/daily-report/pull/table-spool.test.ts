import { readFile } from 'node:fs/promises';
import { gunzipSync } from 'node:zlib';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BreakdownTally } from '#domain/figures/breakdown-tally.ts';
import { TranscodedInvoice } from '#domain/transcoding/transcoded-invoice.ts';
import type { PulledInvoice } from '#domain/transcoding/transcoded-invoice.ts';
import { Spool } from '#functions/daily-report/pull/spool.ts';
import { TableSpool } from '#functions/daily-report/pull/table-spool.ts';
import { WHOLE, parsedAnswer, parsedBesideRecords } from '#payments/envelope/parsed-answer.ts';
import { linesOfInvoices } from '#payments/invoices/lines-of-invoices.ts';
import { runs } from '#support/fuzz/mutations.ts';
import { invoice } from '#support/hostile-shapes/answers.ts';
import { ORIGIN, answerOf } from '#support/transcoding/both-ways.ts';
import { easyStyle, printed } from '#support/transcoding/printed.ts';
import { usualRecord } from '#support/transcoding/records.ts';

type Way = 'parsed' | 'transcoded';
const EXCHANGE = { operation: 'invoice list' };

function invoicesOf(answer: Buffer, way: Way, reading: ReturnType<typeof linesOfInvoices>): PulledInvoice[] {
  const records = reading.inBytes?.(ORIGIN.queryType);
  const parsed =
    way === 'parsed'
      ? parsedAnswer(answer.toString(), EXCHANGE, WHOLE)
      : parsedBesideRecords(answer, EXCHANGE, { ...WHOLE, records });
  return reading.answer.parse(Reflect.get(Object(parsed?.body), 'response')).invoices.data;
}

/** All that comes of the pages of a pull: the bytes of both files, the digest, and the breakdown. */
async function pulled(answers: readonly Buffer[], way: Way, redact: string[]): Promise<unknown> {
  const spool = new Spool();
  const reading = linesOfInvoices(ORIGIN.merchantCode, ORIGIN.day, redact);
  const table = new TableSpool('invoices', spool, redact);
  const breakdown = new BreakdownTally({
    invoiceTypes: ['1'],
    invoiceStatuses: { '0': 'paid', '1': 'paid' },
  });
  for (const answer of answers) {
    const invoices = invoicesOf(answer, way, reading);
    for (const each of invoices) expect(each instanceof TranscodedInvoice).toBe(way === 'transcoded');
    await table.add(invoices, ORIGIN, (row, each) => breakdown.add('1', each, row));
    reading.taken?.(invoices);
  }
  const files = await table.finish();
  const contents = files.map(async ({ packed, rows }) => {
    const bytes = 'path' in packed ? await readFile(packed.path) : packed.content;
    return { rows, text: gunzipSync(bytes).toString('latin1') };
  });
  const written = {
    files: await Promise.all(contents),
    digest: table.digest.value(),
    breakdown: breakdown.breakdown(),
  };
  await spool.discard();
  return written;
}

describe('a table of transcoded invoices', () => {
  it('has the files, the digest and the breakdown of parsed invoices', async () => {
    const record = fc.tuple(usualRecord, easyStyle).map(([value, style]) => printed(value, style));
    const answers = fc.array(fc.array(record, { maxLength: 4 }), { maxLength: 3 });
    const redact = fc.constantFrom<string[][]>(
      [],
      ['customer_name', 'admin_charge'],
      ['transaction_payment_type'],
    );
    await fc.assert(
      fc.asyncProperty(answers, redact, async (pages, columns) => {
        const pull = pages.map((records) => answerOf(...records));
        expect(await pulled(pull, 'transcoded', columns)).toEqual(await pulled(pull, 'parsed', columns));
      }),
      runs(100),
    );
  });

  it('has them also when its lines need several buffers, and a buffer of their own', async () => {
    const long = (index: number, bytes: number) =>
      invoice(index).replace('two coffees', () => `${'ق, \\"x\\"'.repeat(bytes / 10)}\\n`);
    const pages = [
      answerOf(...Array.from({ length: 400 }, (_, index) => invoice(index))),
      answerOf(invoice(1_000), long(1_001, 60_000), long(1_002, 300_000), invoice(1_003)),
      answerOf(),
      answerOf(
        long(1_004, 255_000),
        ...Array.from({ length: 300 }, (_, index) => long(2_000 + index, 1_000)),
      ),
    ];
    expect(await pulled(pages, 'transcoded', [])).toEqual(await pulled(pages, 'parsed', []));
  });
});
