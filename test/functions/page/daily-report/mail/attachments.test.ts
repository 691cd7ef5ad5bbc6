import { randomBytes } from 'node:crypto';
import { parse } from 'csv-parse/sync';
import { DayAttachments } from '#page/daily-report/mail/composers.ts';
import type { BuiltAttachments } from '#page/compose-page-mail.ts';
import { formatAmount } from '#records/money/money.ts';
import { sumOf } from '#mail/formatters/figure-formatter.ts';
import { textsIn } from '#mail/texts/texts.ts';
import { pageSettings } from '#page/page-settings.ts';
import { merchant } from '#support/plan/running-plan.ts';
import { CODE, DAY, shareWorld } from '#support/world/daybook-world.ts';
import { aManifest } from '#support/rendering/reports.ts';
import { invoiceRecord } from '#support/records/records.ts';
import { readWorkbook } from '#support/readers/read-workbook.ts';
import { defined } from '#support/assertions/index.ts';
import { attachmentBytes } from '#support/readers/mail-source.ts';

const INVOICES = 45;
const REFUNDS = 2;
const HOSTILE = '=HYPERLINK("https://example.com","click")';

/** The date or time of a number in a spreadsheet, to the second, as long as the other text. */
function timeOf(serial: string, like: string): string {
  const at = new Date(Math.round((Number(serial) - 25_569) * 86_400) * 1_000);
  return at.toISOString().replace('T', ' ').slice(0, like.length);
}

describe('a merchant who wants both a CSV and a workbook', () => {
  const world = shareWorld({
    behaviour: { invoiceAnswers: 'encrypted' },
    defaults: {
      attachCsv: true,
      attachXlsx: true,
      language: 'ar',
      redact: ['customer_phone_number'],
      attachments: { paymentMethods: { 1: 'KNET', 2: 'Credit Card', 9: 'Apple Pay' } },
    },
    environment: { MAIL_REPLY_TO: 'answers@example.com', MAIL_UNSUBSCRIBE: 'stop@example.com' },
  });
  beforeAll(async () => {
    world.payments.data.seedDay(CODE, DAY, { invoices: INVOICES, refunds: REFUNDS });
    world.payments.data.insertInvoice(CODE, DAY, {
      invoice_status: 0,
      amount: '987654.321',
      url: 'https://pay.example.com/largest',
      description: HOSTILE,
      customer: { name: 'constructor', email: '', phone_number: '555' },
    });
    await world.report();
    await world.report({ resend: true });
  });

  const mailed = () => world.readMails('report');
  const contentOf = (mail: Awaited<ReturnType<typeof mailed>>[number], index: number) =>
    attachmentBytes(defined(mail.attachments[index]));

  it('gets both, named after the day and the merchant, in a mail that can be answered and is the same when sent again', async () => {
    const { attachments, text, html, replyTo, headers } = defined((await mailed())[0]);
    const names = ['csv', 'xlsx'].map((ending) => `invoices-${DAY}-r1-Al-Noor-Trading.${ending}`);
    expect(attachments.map(({ filename }) => filename)).toEqual(names);
    const workbook = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
    expect(attachments[1]?.mimeType).toBe(workbook);
    for (const part of ['مرفق: CSV، XLSX (', '987,654.321', 'https://pay.example.com/largest'])
      expect(text).toContain(part);
    expect(html).toContain('href="https://pay.example.com/largest"');
    expect(replyTo).toEqual([{ name: '', address: 'answers@example.com' }]);
    expect(headers.find(({ key }) => key === 'list-unsubscribe')?.value).toBe(
      `<mailto:stop@example.com?subject=Unsubscribe%20${CODE}>`,
    );
    const [first, second] = world.mails('report').map(({ raw }) => Buffer.from(raw));
    expect(defined(second)).toEqual(first);
  });

  it('finds the same rows in both: as they were sent in the CSV, in words and as numbers in the workbook', async () => {
    const mail = defined((await mailed())[0]);
    const [heads = [], ...table]: string[][] = parse(contentOf(mail, 0), { bom: true });
    const { sheets } = readWorkbook(contentOf(mail, 1));
    const sheet = defined(sheets[1]);
    const [sheetHeads = [], ...rows] = sheet.rows.slice(0, -1);
    expect(table).toHaveLength(INVOICES + 1);
    expect(rows).toHaveLength(INVOICES + 1);
    const texts = textsIn('ar');
    const inWords = (head: string) => texts.say('columns.inWords', { column: head });
    for (const [place, head] of sheetHeads.entries()) {
      const from = heads.includes(inWords(head)) ? heads.indexOf(inWords(head)) : heads.indexOf(head);
      expect([head, from]).not.toEqual([head, -1]);
      for (const [index, row] of table.entries()) {
        const text = defined(row[from]).replace(/^'(?=[=+])/, '');
        const cell = defined(rows[index]?.[place]);
        const isNumber = sheet.cells.get(`${String.fromCharCode(65 + place)}${index + 2}`)?.type === 'n';
        const isDate = /^\d{4}-\d{2}-\d{2}/.test(text);
        if (isDate || /^\d+\.\d{3}$/.test(text)) expect([head, text, isNumber]).toEqual([head, text, true]);
        const shown = isDate ? timeOf(cell, text) : cell;
        const expected = isNumber && !isDate ? String(Number(text)) : text;
        expect([head, index, shown]).toEqual([head, index, expected]);
      }
    }
    expect(rows.flat()).toContain(HOSTILE);
    expect(rows.flat()).toContain('constructor');
    expect(sheet.rows.flat()).not.toContain('555');
    expect(rows.flat()).toContain('غير مدفوعة');
    expect(rows.flat().some((cell) => cell.startsWith('كي نت'))).toBe(true);
  });

  it('finds the totals of the day, the summary before them and the refunds in words, all in Arabic', async () => {
    const { sheets } = readWorkbook(contentOf(defined((await mailed())[0]), 1));
    expect(sheets.map(({ name }) => name)).toEqual(['الملخص', 'الفواتير', 'المبالغ المستردة']);
    const [summary, invoices, refunds] = sheets;
    const { counts, amounts, received } = await world.manifest(1);
    const number = (amount?: string) => String(Number(amount));
    expect(summary?.rows).toContainEqual(['مدفوعة حتى الآن', String(counts.paid), number(amounts?.paid)]);
    expect(summary?.rows).toContainEqual(['المحصَّل', '', number(received?.sum)]);
    const amount = defined(invoices?.rows[0]).indexOf(textsIn('ar').say('columns.amount'));
    expect(invoices?.rows.at(-1)?.[amount]).toBe(number(formatAmount(sumOf(defined(amounts)))));
    expect(invoices?.xml).toMatch(/rightToLeft="1"/);
    expect(refunds?.rows).toHaveLength(REFUNDS + 2);
    for (const row of refunds?.rows.slice(1, -1) ?? [])
      expect(['مقبولة', 'قيد الانتظار', 'مرفوضة']).toContain(row[2]);
  });
});

describe('the size limit of a mail', () => {
  function attachmentsOf(members: Record<string, unknown>, invoices: number, refunds = 0): DayAttachments {
    const rows = { invoices, refunds };
    const files = aManifest().files.map((file) => ({ ...file, rows: rows[file.table] }));
    const lines = () => assert.fail('read again');
    return new DayAttachments({ lines }, pageSettings({}, merchant(members)), aManifest({ files }));
  }

  async function built(
    members: Record<string, unknown>,
    given: Iterable<Record<string, unknown>>,
    books?: BuiltAttachments,
  ): Promise<BuiltAttachments> {
    const rows = [...given];
    const attachments = attachmentsOf(members, rows.length);
    for (const row of rows) attachments.add('invoices', row);
    return attachments.build(undefined, books);
  }

  /** Rows with texts that cannot be compressed. Each row also adds about its length to a workbook. */
  function* noise(rows: number, bytes: number): Generator<Record<string, unknown>> {
    for (let row = 0; row < rows; row += 1) {
      yield invoiceRecord({ description: randomBytes(bytes / 2).toString('hex') });
    }
  }

  it('leaves out a workbook of more refunds than can be written, and reads none of them', () => {
    expect(attachmentsOf({ attachXlsx: true }, 10_000, 10_001).hasRefunds).toBe(false);
  });

  const same = (count: number, changes: Record<string, unknown> = {}) =>
    Array.from({ length: count }, () => invoiceRecord(changes));
  const both = { attachCsv: true, attachXlsx: true };

  const xlsx = { attachXlsx: true };
  const longer = { description: 'x'.repeat(4_000) };

  it.each<[string, Record<string, boolean>, Iterable<Record<string, unknown>>, string[]]>([
    ['a workbook with more rows than can be written', xlsx, same(20_001), ['too-big xlsx 20001']],
    ['a workbook with longer texts than can be written', xlsx, noise(2_100, 4_000), ['too-big xlsx 2100']],
    ['a CSV beside a workbook', both, same(1_900, longer), ['too-big csv 1900', 'attached xlsx 1900']],
    ['a workbook beside a CSV', both, noise(1_500, 4_000), ['attached csv 1500', 'too-big xlsx 1500']],
    ['nothing of the same workbook alone', xlsx, noise(1_500, 4_000), ['attached xlsx 1500']],
  ])('leaves out %s', async (_what, members, rows, described) => {
    const build = await built(members, rows);
    const sizes = build.described.map((one) => 'rows' in one && `${one.kind} ${one.format} ${one.rows}`);
    expect(sizes).toEqual(described);
    const formats = described.flatMap((one) => /^attached (\w+)/.exec(one)?.[1] ?? []);
    expect(build.files.map(({ filename }) => filename)).toEqual(
      formats.map((format) => `invoices-${DAY}-r1-${CODE}.${format}`),
    );
  });

  it('leaves out a CSV when import files leave no room for it', async () => {
    const file = { filename: 'books', contentType: 'text/csv', content: Buffer.alloc(2_000_000) };
    const books: BuiltAttachments = { files: [file], described: [{ kind: 'books', layout: 'odoo' }] };
    expect(await built({ attachCsv: true }, noise(1_500, 4_000), books)).toEqual({
      files: [file],
      described: [{ kind: 'too-big', format: 'csv', rows: 1_500 }, ...books.described],
    });
  });
});
