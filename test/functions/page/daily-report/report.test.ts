import { createHash } from 'node:crypto';
import PostalMime from 'postal-mime';
import * as z from 'zod';
import { listedDifferences, type DailyReportAnswer } from '#page/daily-report/create-daily-report.ts';
import { listedMail } from '#page/send-page.ts';
import { dataFile, type Format } from '#records/revision/manifest.ts';
import { BUCKET, CODE, DAY, DaybookWorld, shareWorld } from '#support/world/daybook-world.ts';
import { python } from '#support/readers/python.ts';
import { defined, membersOf } from '#support/assertions/index.ts';

const INVOICES = 137;
const REFUNDS = 9;

const READ_JSON_LINES = `
import gzip, json, sys
print(json.dumps([json.loads(line) for line in gzip.open(sys.stdin.buffer, 'rt', encoding='utf-8')]))`;

const READ_CSV = `
import csv, gzip, json, sys
print(json.dumps(list(csv.DictReader(gzip.open(sys.stdin.buffer, 'rt', encoding='utf-8', newline='')))))`;

const READ_MAIL = `
import email, email.policy, json, sys
m = email.message_from_binary_file(sys.stdin.buffer, policy=email.policy.default)
print(json.dumps({
  'subject': m['subject'], 'to': m['to'], 'auto': m['auto-submitted'],
  'text': m.get_body(('plain',)).get_content(), 'html': m.get_body(('html',)).get_content(),
  'attachments': [{ 'name': a.get_filename(), 'text': a.get_content().decode('utf-8-sig') if isinstance(a.get_content(), bytes) else a.get_content() } for a in m.iter_attachments()],
}))`;

const ROWS = z.array(z.record(z.string(), z.unknown()));
const MAIL_AS_READ = z.object({ subject: z.string(), auto: z.string(), text: z.string(), html: z.string() });

describe('a report, from secret to inbox', () => {
  const world = shareWorld({ behaviour: { invoiceAnswers: 'encrypted' }, defaults: { attachCsv: true } });
  let answer: DailyReportAnswer;
  beforeAll(async () => {
    world.payments.data.seedDay(CODE, DAY, { invoices: INVOICES, refunds: REFUNDS });
    answer = await world.report();
  });

  const keyOf = async (format: Format) => dataFile(await world.manifest(1), 'invoices', format).key;
  const rowsOf = async (program: string, format: Format) =>
    ROWS.parse(await python(program, defined(await world.aws.s3.read(BUCKET, await keyOf(format)))));

  it('answers with the service’s figures, and seals exact sums in a manifest that describes its files', async () => {
    const { invoices, refunds, refundsOfSales } = world.payments.data.truth(CODE, DAY);
    const [paid, notPaid, cancelled] = ['1', '0', '3'].map((status) => defined(invoices.byStatus[status]));
    expect(answer).toMatchObject({
      ...{ merchantCode: CODE, day: DAY, revision: 1, unchanged: false, balanced: true, differences: [] },
      counts: {
        ...{ total: INVOICES, other: 0 },
        ...{ paid: paid?.count, notPaid: notPaid?.count, cancelled: cancelled?.count },
      },
      refunds: {
        ...{ count: refunds.count, total: refunds.total, saleBasis: { total: refundsOfSales.total } },
        byStatus: { approved: refunds.byStatus['1'] },
      },
      manifestKey: `days/day=${DAY}/merchant=${CODE}/r0001.json`,
      mail: { status: 'sent' },
    });
    const { amounts, files } = await world.manifest(1);
    const totals = { paid: paid?.total, notPaid: notPaid?.total, cancelled: cancelled?.total };
    expect(amounts).toEqual({ ...totals, other: '0.000' });
    expect(files.map((file) => [file.table, file.format, file.rows])).toEqual([
      ['invoices', 'json', INVOICES],
      ['invoices', 'csv', INVOICES],
      ['refunds', 'json', REFUNDS],
      ['refunds', 'csv', REFUNDS],
    ]);
    for (const { key, bytes, sha256 } of files) {
      const stored = defined(await world.aws.s3.read(BUCKET, key));
      expect(stored.length).toBe(bytes);
      expect(createHash('sha256').update(stored).digest('hex')).toBe(sha256);
    }
  });

  it('writes every invoice once, in JSON lines that Python can read', async () => {
    const rows = await rowsOf(READ_JSON_LINES, 'json');
    const ids = rows.map((row) => Number(row['id']));
    expect(ids.toSorted((a, b) => a - b)).toEqual(world.payments.data.truth(CODE, DAY).invoices.ids);
    expect(rows.every((row) => row['_merchant_code'] === CODE && row['_day'] === DAY)).toBe(true);
    expect([...new Set(rows.map((row) => row['_query_type']))]).toEqual(['1', '0', '6', '7']);
  });

  it('writes the same rows as CSV that Python can read, one line for each row', async () => {
    const rows = await rowsOf(READ_CSV, 'csv');
    const json = await rowsOf(READ_JSON_LINES, 'json');
    expect(rows.map((row) => row['id'])).toEqual(json.map((row) => String(row['id'])));
    expect(rows.map((row) => row['amount'])).toEqual(json.map((row) => row['amount']));
    expect(rows.map((row) => row['customer_name'])).toEqual(
      json.map((row) => String(membersOf(row['customer'])['name']).replaceAll('\n', '\\n')),
    );
    const text = await world.text(await keyOf('csv'));
    expect(text.split('\n')).toHaveLength(INVOICES + 2);
    expect(text.startsWith('_merchant_code,_day,_query_type,id,')).toBe(true);
  });

  it('sends one mail with the figures, which two parsers read in the same way', async () => {
    expect(world.sendRequests()).toBe(1);
    const mail = defined(world.mails('report')[0]);
    expect(mail.destinations).toEqual([`owner-${CODE}@merchants.example`]);
    expect(mail.tags).toMatchObject({ kind: 'report', merchant: CODE, day: DAY, revision: '1' });
    const parsed = await PostalMime.parse(mail.raw);
    const read = MAIL_AS_READ.parse(await python(READ_MAIL, mail.raw));
    expect(parsed.subject).toBe(read.subject);
    expect(parsed.subject).toContain(' · 20 Nov · ');
    const { received, refunds } = await world.manifest(1);
    assert.exists(received);
    expect(read.text).toContain(' came in\n');
    for (const text of [read.text, read.html.replaceAll(/<[^>]+>/g, '')]) {
      expect(text.replaceAll(',', '')).toContain(received.sum);
      expect(text.replaceAll(',', '')).toContain(defined(refunds.byStatus['approved']).total);
    }
    expect(read.auto).toBe('auto-generated');
  });
});

it('an empty day is sealed with four files and mailed, unless the merchant wants no mails about empty days', async () => {
  const world = await DaybookWorld.ofTest();
  const answer = await world.report();
  expect(answer).toMatchObject({ balanced: true, counts: { total: 0 }, mail: { status: 'sent' } });
  const { files } = await world.manifest(1);
  expect(files.map((file) => file.rows)).toEqual([0, 0, 0, 0]);
  expect(await world.text(defined(files[1]).key)).toMatch(/^_merchant_code,.*\n$/);
  await world.putRegistry({ [CODE]: { skipEmpty: true } });
  const skipped = await world.report({ day: '2026-11-19' });
  expect(skipped.mail).toEqual({ status: 'skipped', reason: 'the day is empty', messageIds: [] });
});

it('an answer names at most a hundred differences, like the manifest, and the last one says how many more there are', async () => {
  const world = await DaybookWorld.ofTest();
  world.payments.data.seedDay(CODE, DAY, { invoices: 3, refunds: 0 });
  const refundIds = Array.from({ length: 130 }, (_, index) => (900_000 + index).toString());
  const { differences, balanced } = await world.report({ refundIds, send: false });
  expect(balanced).toBe(false);
  expect(differences).toHaveLength(100);
  const found = { name: 'knownRefunds', rows: null };
  expect(differences.at(0)).toEqual({ ...found, what: 'refund 900000', service: 'not found' });
  const more = 'more of the comparison knownRefunds';
  expect(differences.at(-1)).toEqual({ ...found, what: more, service: 31 });
  expect((await world.manifest(1)).differences).toEqual(differences);
  expect(await world.report({ refundIds, send: false })).toMatchObject({ unchanged: true, revision: 1 });
});

it('the lists of an answer are short, whatever refund ids and recipients there are, and short ones are whole', () => {
  const difference = { what: `refund ${'9'.repeat(30)}`, service: 'not found', rows: null };
  const mail = { status: 'sent' as const, messageIds: ['m'.repeat(72), 'n'.repeat(72)] };
  expect([listedDifferences([difference]), listedMail(mail)]).toEqual([[difference], mail]);
  const messageIds = Array.from({ length: 10_000 }, () => 'm'.repeat(72));
  const differences = Array.from({ length: 100_000 }, () => difference);
  const text = JSON.stringify([listedDifferences(differences), listedMail({ ...mail, messageIds })]);
  // A person reads it.
  expect(Buffer.byteLength(text)).toBeLessThan(64 * 1024);
});

it('two paid invoices with one reference, amount and customer are named by number, and the money stays', async () => {
  const world = await DaybookWorld.ofTest();
  const { data } = world.payments;
  data.seedDay(CODE, DAY, { invoices: 5, refunds: 0 });
  const same = {
    amount: '7.250',
    invoice_status: 1,
    reference_number: 'R-7',
    customer: { name: 'Noura Hostile', email: '', phone_number: '96555500001' },
  };
  const ids = [1, 2].map(() => data.insertInvoice(CODE, DAY, same));
  await world.report();
  expect((await world.manifest(1)).amounts?.paid).toBe(data.truth(CODE, DAY).invoices.byStatus['1']?.total);
  const { text } = await world.lastMail('report');
  const named = [ids, ids.toReversed()].map((both) => both.join(' and ')).join('|');
  expect(text).toMatch(new RegExp(`Invoices (${named}) may be one sale that was paid twice: same`));
  expect(text).not.toContain('Noura');
});

it('a mail has the brand of the merchant, then of the defaults, then of the stage', async () => {
  const world = await DaybookWorld.ofTest({
    environment: {
      MAIL_FROM: 'Daybook <daybook@mail.example.com>',
      MAIL_UNSUBSCRIBE: 'stop@example.com',
      BRANDING_SENDER_NAME: 'The stage',
      BRANDING_ADDRESS: 'Block 3, Kuwait City',
      BRANDING_FOOTER: 'false',
    },
  });
  await world.putRegistry({
    [CODE]: { recipients: ['a@merchants.example'], branding: { senderName: 'Gulf Pay' } },
  });
  world.payments.data.seedDay(CODE, DAY, { invoices: 5, refunds: 1 });
  await world.report();
  const mail = await world.lastMail('report');
  expect(mail.from).toEqual({ name: 'Gulf Pay', address: 'daybook@mail.example.com' });
  expect(mail.html).toContain('>Gulf Pay</bdi></p>');
  expect(mail.text).toContain('To get no more of these mails, write to stop@example.com.');
  expect(mail.text).toContain('Sent by Gulf Pay.\nBlock 3, Kuwait City');
  expect(`${mail.text}${mail.html}`).not.toMatch(/Daybook|The stage/);
  // The mail is the same for all recipients.
  expect(`${mail.text}${mail.html}`).not.toContain('a@merchants.example');
});

it('a merchant who bears charges gets no correction when the charges alone have changed', async () => {
  const world = await DaybookWorld.ofTest({ defaults: { charges: ['admin_charge'] } });
  const id = world.payments.data.insertInvoice(CODE, DAY, { invoice_status: 1, admin_charge: '0.500' });
  await world.report();
  expect((await world.lastMail('report')).text).toContain('\nCharges: 0.500 KWD\n');
  world.payments.data.updateInvoice(CODE, id, { admin_charge: '9.999' });
  expect(await world.report()).toMatchObject({ revision: 2, mail: { status: 'skipped' } });
  expect(world.mails('correction')).toEqual([]);
});
