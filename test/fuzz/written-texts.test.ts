import { parse } from 'csv-parse/sync';
import { XMLParser } from 'fast-xml-parser';
import PostalMime from 'postal-mime';
import { bareAddress } from '#registry/mail-address.ts';
import { composeMail } from '#mail/message/mime.ts';
import { renderOpsNotice } from '#mail/notices/render-ops-notice.ts';
import { aNotice, noticeOf, aLine } from '#support/rendering/alerts.ts';
import { oneLine } from '#mail/formatters/outside-text.ts';
import { renderAlert } from '#alerts/rendering/render-alert.ts';
import { renderReport } from '#page/rendering/report/render-report.ts';
import { outlineOf, parseExactJson } from '#records/json/exact-json.ts';
import { invoiceSchema, refundSchema } from '#records/rows/contract-records.ts';
import { csvColumns } from '#records/rows/contract-columns.ts';
import { invoiceRecord, refundRecord, csvLine, jsonLine } from '#support/records/records.ts';
import { withoutBreaks } from '#support/rendering/mail-html.ts';
import { HOSTILE_NAMES, aManifest, aReport } from '#support/rendering/reports.ts';
import { HOSTILE_TEXTS } from '#support/lake/lake-world.ts';
import { mutatedText, runs } from '#support/fuzz/mutations.ts';
import { membersOf, fc, forAll, forAllAsync, ANY_CHARACTER } from '#support/assertions/index.ts';

const hostile = fc.oneof(
  fc.constantFrom(...HOSTILE_NAMES, ...Object.values(HOSTILE_TEXTS)),
  fc.string({ unit: ANY_CHARACTER, maxLength: 400 }),
  fc.string({
    unit: fc.constantFrom('<', '>', '&', '"', "'", '=', ';', '\r', '\n', '\t', ' ', '-', '\uFEFF', 'é', 'ن'),
    maxLength: 60,
  }),
);

/** The text as the lake's CSV has it: a row is one line, and the escape character never occurs in data. */
const csvText = (value: string) =>
  value
    .replace(/\r\n|\r|\n/g, '\\n')
    .replaceAll('\uE000', '\uFFFD')
    .toWellFormed();
it.each([
  ['invoices', invoiceSchema, invoiceRecord()],
  ['refunds', refundSchema, refundRecord()],
] as const)(
  'a row of the lake of %s reads back from JSON and from CSV, whatever members the record has',
  (table, schema, record) => {
    let rows = 0;
    forAll([mutatedText(record), hostile], runs(500), (text, value) => {
      if (outlineOf(text).levels > 100) return;
      const sent = parseExactJson(text);
      if (!schema.safeParse(sent).success) return;
      rows += 1;
      const record = { ...membersOf(sent), token: value };
      const line = jsonLine(table, record);
      expect(line).not.toMatch(/[\r\n]/);
      expect(JSON.stringify(parseExactJson(line))).toBe(line);
      const csv = `${csvLine(table, record)}\n`;
      expect(csv.split('\n')).toHaveLength(2);
      const [cells] = parse(csv, {});
      expect(cells).toHaveLength(csvColumns(table).length);
      expect(cells?.[csvColumns(table).indexOf('token')]).toBe(csvText(value));
    });
    expect(rows).toBeGreaterThan(50);
  },
);

const xml = new XMLParser({
  unpairedTags: ['meta', 'br'],
  ignoreAttributes: true,
  processEntities: true,
  htmlEntities: true,
  trimValues: false,
  parseTagValue: false,
  preserveOrder: true,
  stopNodes: ['*.style'],
});

/** All text that a page shows, element by element, in the order of the page; read by a parser that knows no HTML. */
function shownTexts(html: string): string[] {
  const page = html.replace(/^<!doctype html>\n/, '');
  const texts: string[] = [];
  const walk = (node: unknown): void => {
    if (Array.isArray(node)) node.forEach(walk);
    else if (typeof node === 'object' && node !== null) {
      for (const [name, value] of Object.entries(node)) {
        if (name === '#text') texts.push(String(value));
        else walk(value);
      }
    }
  };
  walk(xml.parse(page));
  return texts;
}

it('the HTML of a mail shows a hostile value unchanged, as text', () =>
  forAll([hostile], runs(100), (value) => {
    const shown = oneLine(value);
    const report = renderReport(
      aReport({
        merchant: { name: value },
        manifest: aManifest({ balanced: false, differences: [{ what: value, service: value, rows: value }] }),
      }),
    );
    const alert = renderAlert({
      merchant: { ...aReport().merchant, name: value },
      day: '2026-11-20',
      checkedAt: '2026-11-21T03:00:00Z',
      replyTo: null,
      lines: [
        aLine({
          ...{ rule: value, measure: value, value, title: `${value}.`, note: value },
          bound: { side: 'above', at: value },
        }),
      ],
    });
    for (const { html, text } of [report, alert]) {
      const texts = shownTexts(withoutBreaks(html));
      if (shown.trim() !== '' && shown.length < 100) expect(texts).toContain(shown);
      expect(text).not.toMatch(/[^\P{Cc}\n]/u);
    }
    const notice = renderOpsNotice(noticeOf(value), { stage: 'prod', bucket: 'daybook' });
    shownTexts(notice.html);
  }));

describe('a message', () => {
  const address = fc.constantFrom('a@example.com', '"odd one"@example.com', 'x+y@mail.example.com');
  it('reads back as it was composed, with the expected headers and no other', async () => {
    const parts = fc.record({
      name: hostile,
      address,
      subject: hostile,
      text: hostile,
      filename: hostile,
      content: fc.uint8Array({ maxLength: 300 }),
      header: hostile,
    });
    await forAllAsync(
      [parts],
      runs(200),
      async ({ name, address: to, subject, text, filename, content, header }) => {
        const raw = await composeMail({
          from: `${name.replaceAll(/[<>]/g, '')} <daybook@example.com>`,
          to,
          subject,
          text,
          html: renderOpsNotice(aNotice({ happened: subject, meaning: [text] }), { bucket: 'daybook' }).html,
          attachments: [{ filename, content, contentType: 'text/csv' }],
          headers: { 'X-Value': oneLine(header) },
          at: 0,
        });
        const head = Buffer.from(raw).toString('latin1').split('\r\n\r\n')[0] ?? '';
        expect(head).toMatch(/^[\x20-\x7e\r\n\t]*$/);
        const names = head
          .split('\r\n')
          .filter((line) => !/^[ \t]/.test(line))
          .map((line) => line.split(':')[0]?.toLowerCase());
        const expected = 'auto-submitted content-type date from message-id mime-version to'.split(' ');
        if (oneLine(subject, 200) !== '') expected.push('subject');
        expect(names.filter((known) => known !== 'x-value').sort()).toEqual(expected.sort());
        const mail = await PostalMime.parse(raw);
        expect(mail.from?.address).toBe(bareAddress('<daybook@example.com>'));
        expect(mail.to?.map((recipient) => recipient.address)).toEqual([to]);
        expect(mail.subject ?? '').toBe(oneLine(subject, 200));
        expect(mail.attachments).toHaveLength(1);
        const attached = mail.attachments[0]?.content;
        if (!(attached instanceof ArrayBuffer)) throw new Error('the attachment has no bytes');
        expect(Buffer.from(attached)).toEqual(Buffer.from(content));
      },
    );
  });
});
