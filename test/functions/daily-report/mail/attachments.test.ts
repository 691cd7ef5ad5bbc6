import { randomBytes } from 'node:crypto';
import { parse } from 'csv-parse/sync';
import PostalMime from 'postal-mime';
import { afterAll, assert, beforeAll, describe, expect, it } from 'vitest';
import { DayAttachments } from '#functions/daily-report/mail/day-attachments.ts';
import type { BuiltAttachments } from '#functions/daily-report/mail/day-attachments.ts';
import { ATTACHMENT_COLUMNS } from '#rendering/attachments/attachment-columns.ts';
import { merchantSettings } from '#domain/registry/merchants.ts';
import { parseRegistry } from '#domain/registry/registry.ts';
import { CODE, DAY, DaybookWorld } from '#support/world/daybook-world.ts';
import { aManifest } from '#support/rendering/reports.ts';
import { invoiceRecord } from '#support/domain/sample-records.ts';
import { readWorkbook } from '#support/readers/read-workbook.ts';
import { defined } from '#support/assertions/defined.ts';
import { matcher } from '#support/assertions/matcher.ts';
import { attachmentBytes } from '#support/readers/attachment-bytes.ts';

const INVOICES = 45;
const HOSTILE = '=HYPERLINK("https://example.com","click")';

describe('a merchant who wants both a CSV and a workbook', () => {
  let world: DaybookWorld;
  beforeAll(async () => {
    world = await DaybookWorld.start({
      behaviour: { invoiceAnswers: 'encrypted' },
      defaults: { attachCsv: true, attachXlsx: true, language: 'ar', redact: ['customer_phone_number'] },
      environment: { REPLY_TO: 'answers@example.com', UNSUBSCRIBE_ADDRESS: 'stop@example.com' },
    });
    world.payments.data.seedDay(CODE, DAY, { invoices: INVOICES, refunds: 2 });
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
  afterAll(() => world.close());

  const mailed = () => Promise.all(world.mails('report').map(({ raw }) => PostalMime.parse(raw)));
  const contentOf = (mail: Awaited<ReturnType<typeof mailed>>[number], index: number) =>
    attachmentBytes(defined(mail.attachments[index]));

  it('gets both, and the mail names both', async () => {
    const mail = defined((await mailed())[0]);
    const names = [`invoices-${CODE}-${DAY}-r1.csv`, `invoices-${CODE}-${DAY}-r1.xlsx`];
    expect(mail.attachments.map(({ filename }) => filename)).toEqual(names);
    expect(mail.attachments[1]?.mimeType).toBe(
      'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    );
    for (const name of names) expect(mail.text).toContain(name);
  });

  it('sees the largest unpaid invoice in the mail, with the link to pay it', async () => {
    const [mail] = await mailed();
    expect(mail?.text).toContain('987,654.321');
    expect(mail?.text).toContain('https://pay.example.com/largest');
    expect(mail?.html).toContain('href="https://pay.example.com/largest"');
  });

  it('finds the same rows in both, with amounts as numbers and without formulas', async () => {
    const mail = defined((await mailed())[0]);
    const table: string[][] = parse(contentOf(mail, 0), { bom: true });
    const { rows, cells, parts } = readWorkbook(contentOf(mail, 1), ATTACHMENT_COLUMNS.length);
    expect(rows).toHaveLength(INVOICES + 2);
    const amounts = ATTACHMENT_COLUMNS.map(({ holds }) => holds === 'amount');
    const alike = (row: string[]) =>
      row.map((text, index) => (amounts[index] && /^-?\d/.test(text) ? String(Number(text)) : text));
    const unguarded = table.map((row) => row.map((cell) => cell.replace(/^'(?=[=+])/, '')));
    expect(rows).toEqual(unguarded.map(alike));
    expect(rows.flat()).toContain(HOSTILE);
    expect(rows.flat()).toContain('constructor');
    expect(rows.flat()).not.toContain('555');
    expect(cells.get('F2')).toMatchObject({ type: 'n', format: '#,##0.000' });
    expect(parts.get('xl/worksheets/sheet1.xml')).toMatch(/rightToLeft="1"/);
    expect(parts.get('xl/worksheets/sheet1.xml')).not.toContain('<f');
  });

  it('gets the same bytes when the mail is sent again', async () => {
    const [first, again] = await mailed();
    assert.exists(again);
    assert.exists(first);
    expect(contentOf(again, 1)).toEqual(contentOf(first, 1));
    expect(Buffer.from(defined(world.mails('report')[1]).raw)).toEqual(
      Buffer.from(defined(world.mails('report')[0]).raw),
    );
  });

  it('can reply, and can ask to be removed from the list', async () => {
    const [mail] = await mailed();
    expect(mail?.replyTo).toEqual([{ name: '', address: 'answers@example.com' }]);
    expect(mail?.headers.find(({ key }) => key === 'list-unsubscribe')?.value).toBe(
      `<mailto:stop@example.com?subject=Unsubscribe%20${CODE}>`,
    );
  });

  it('finds the report, correction, preview and alert of a day in one thread', async () => {
    const rule = { name: 'any-unpaid', measure: 'unpaidCount', above: 0 };
    await world.putRegistry({ [CODE]: { alerts: [rule] } });
    await world.report({ to: [`owner-${CODE}@merchants.example`] });
    await world.alertCheck({ day: DAY });
    world.payments.data.insertInvoice(CODE, DAY, {});
    await world.report();
    const threads = new Map<string, Set<string | undefined>>();
    for (const { raw, tags } of world.mails()) {
      const { references, inReplyTo } = await PostalMime.parse(raw);
      expect(inReplyTo).toBe(references);
      threads.set(defined(tags['kind']), (threads.get(defined(tags['kind'])) ?? new Set()).add(references));
    }
    expect([...threads.keys()].sort()).toEqual(['alert', 'correction', 'preview', 'report']);
    expect(new Set([...threads.values()].flatMap((roots) => [...roots])).size).toBe(1);
  });
});

describe('the size limit of a mail', () => {
  const settings = (members: object) =>
    merchantSettings(
      parseRegistry(
        JSON.stringify({
          service: { baseUrl: 'https://pay.example.com' },
          merchants: [{ merchantCode: CODE, ...members }],
        }),
      ),
      CODE,
    );

  async function built(members: object, given: Iterable<Record<string, unknown>>): Promise<BuiltAttachments> {
    const rows = [...given];
    const attachments = new DayAttachments(settings(members), rows.length);
    for (const row of rows) attachments.add(row);
    return attachments.build(aManifest());
  }

  /** Rows with texts that cannot be compressed. Each row also adds about its length to a workbook. */
  function* noise(rows: number, bytes: number): Generator<Record<string, unknown>> {
    for (let row = 0; row < rows; row += 1) {
      yield { ...invoiceRecord(), description: randomBytes(bytes / 2).toString('hex') };
    }
  }

  const tooBig = (format: string) => ({ kind: 'too-big', format, rows: 428 });
  const attached = (format: string) =>
    matcher(expect.objectContaining({ kind: 'attached', format, rows: 428 }));

  it('leaves out a workbook with more rows than can be written', async () => {
    const row = invoiceRecord();
    const rows = (count: number) => Array.from({ length: count }, () => row);
    const { files, described } = await built({ attachXlsx: true }, rows(20_001));
    expect({ files, described }).toEqual({ files: [], described: [tooBig('xlsx')] });
  });

  it('leaves out a workbook with longer texts than can be written', async () => {
    expect((await built({ attachXlsx: true }, noise(2_100, 4_000))).described).toEqual([tooBig('xlsx')]);
  });

  it('leaves out a CSV while the workbook still fits', async () => {
    const row = { ...invoiceRecord(), description: 'x'.repeat(4_000) };
    const rows = Array.from({ length: 1_900 }, () => row);
    const { files, described } = await built({ attachCsv: true, attachXlsx: true }, rows);
    expect(described).toEqual([tooBig('csv'), attached('xlsx')]);
    expect(files.map(({ filename }) => filename)).toEqual([`invoices-${CODE}-${DAY}-r1.xlsx`]);
  });

  it('leaves out a workbook when the CSV leaves no room for it', async () => {
    const both = { attachCsv: true, attachXlsx: true };
    const { files, described } = await built(both, noise(1_500, 4_000));
    expect(described).toEqual([attached('csv'), tooBig('xlsx')]);
    expect(files.map(({ filename }) => filename)).toEqual([`invoices-${CODE}-${DAY}-r1.csv`]);
    expect((await built({ attachXlsx: true }, noise(1_500, 4_000))).described).toEqual([attached('xlsx')]);
  });
});
