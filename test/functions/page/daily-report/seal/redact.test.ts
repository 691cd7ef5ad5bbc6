import { parse } from 'csv-parse/sync';
import { csvColumns } from '#records/rows/contract-columns.ts';
import { CODE, DAY, useWorld } from '#support/world/daybook-world.ts';
import { failureOf } from '#support/daily-report/failed-run.ts';
import { sealedLines, sealedRecords } from '#support/daily-report/sealed-rows.ts';
import { invoiceRecord } from '#support/records/records.ts';
import { defined, membersOf } from '#support/assertions/index.ts';
import { attachmentBytes } from '#support/readers/mail-source.ts';

const CUSTOMER = { name: 'canary-05', email: 'canary-06@example.org' };
const INVOICE = {
  invoice_status: 1,
  transaction: { ...membersOf(invoiceRecord()['transaction']), payment_type: 'canary-15' },
  token: 'canary-01',
  access_key: 'canary-02',
  url: 'https://pay.example.com/canary-03',
  description: 'canary-04',
  customer: { ...CUSTOMER, phone_number: 'canary-07', civil_id: 'canary-08' },
  products: [{ id: 1, name: 'canary-09' }],
  nickname: 'canary-10',
  Token: 'canary-11',
  notes: { private: [{ text: 'canary-12' }] },
};
const REFUND = { token: 'canary-13', remarks: 'canary-14' };
const REDACT = [
  ...['token', 'access_key', 'url', 'description', 'customer_name', 'customer_email', 'nickname'],
  ...['customer_phone_number', 'customer_civil_id', 'products_name', 'notes_private_text', 'remarks'],
  'transaction_payment_type',
];

const world = useWorld({ perPage: 5 });
let invoice: number;
beforeEach(() => {
  const { data } = world.payments;
  data.seedDay(CODE, DAY, { invoices: 12, refunds: 2 });
  invoice = data.insertInvoice(CODE, DAY, INVOICE);
  data.insertRefund(CODE, DAY, REFUND);
});

function redact(columns: readonly unknown[], more: Record<string, unknown> = {}): Promise<void> {
  return world.putRegistry({ [CODE]: { redact: columns, attachCsv: true, ...more } });
}

async function attachments(): Promise<string[]> {
  const mails = await world.readMails();
  return mails.flatMap((mail) => mail.attachments.map((file) => attachmentBytes(file).toString()));
}

/** Every object in the bucket and every mail, in readable form. */
async function everything(): Promise<string> {
  const texts = await Promise.all(world.keys().map((key) => world.text(key)));
  const mails = (await world.readMails()).flatMap(({ text, html }) => [text, html]);
  return [...texts, ...mails, ...(await attachments())].join('\n');
}

describe('a redacted value', () => {
  it('appears nowhere, keeps its member, column and cell, and makes no revision when it changes', async () => {
    await redact(REDACT);
    const { invoices, refunds } = world.payments.data.truth(CODE, DAY);
    const figures = { counts: { total: invoices.count }, refunds: { count: refunds.count } };
    expect(await world.report()).toMatchObject({ balanced: true, ...figures });
    expect(await everything()).not.toMatch(/canary/i);
    const rows = await sealedRecords(world, 'invoices');
    expect(rows.find(({ id }) => id === invoice)).toMatchObject({
      token: null,
      Token__2: null,
      nickname: null,
      customer: { name: null, email: null, phone_number: null, civil_id: null },
      products: [{ id: 1, name: null }],
    });
    const table: string[][] = parse((await sealedLines(world, 'invoices', 'csv')).join('\n'));
    const [header = [], ...cells] = table;
    expect(header).toEqual(csvColumns('invoices'));
    expect(cells.map((row) => row[header.indexOf('customer_name')])).toEqual(Array(13).fill(''));
    const [attached, ...others] = await attachments();
    expect(others).toEqual([]);
    const lines: string[][] = parse(defined(attached), { bom: true });
    expect(new Set(lines.map((line) => line.length)).size).toBe(1);
    expect(lines).toHaveLength(14);
    // Nobody could see such a change.
    world.payments.data.updateInvoice(CODE, invoice, { description: 'canary-99' });
    expect(await world.report()).toMatchObject({ revision: 1, unchanged: true });
    world.payments.data.updateInvoice(CODE, invoice, { visited_count: 77 });
    expect(await world.report()).toMatchObject({ revision: 2, unchanged: false });
  });

  it('is there without the setting, so the other tests can fail', async () => {
    await redact([]);
    await world.report();
    const found = new Set((await everything()).match(/canary-\d\d/g));
    expect(found.size).toBe(15);
    expect((await world.manifest(1)).breakdown?.byMethod).toContainEqual(
      expect.objectContaining({ method: 'canary-15' }),
    );
  });

  it('is also left out of the attachment if the day was sealed before', async () => {
    await redact([]);
    await world.report({ send: false });
    await redact(REDACT);
    await world.report({ resend: true });
    const attached = defined((await attachments())[0]);
    expect(attached.split('\r\n').length).toBeGreaterThan(13);
    expect(attached).not.toMatch(/canary/);
  });
});

it('a changed setting makes a revision at the next pull, but never a mail', async () => {
  await redact([]);
  expect(await world.report()).toMatchObject({ revision: 1, mail: { status: 'sent' } });
  await redact(REDACT);
  expect(await world.report()).toMatchObject({ revision: 2, mail: { status: 'skipped' } });
  expect((await sealedLines(world, 'invoices', 'json', 2)).join()).not.toMatch(/canary/);
  await redact([]);
  expect(await world.report()).toMatchObject({ revision: 3, mail: { status: 'skipped' } });
  expect(world.mails()).toHaveLength(1);
});

it('alerts on invoices about to expire still use redacted columns', async () => {
  const rule = { name: 'soon', measure: 'expiringUnpaid', withinDays: 7, above: 0 };
  const check = () => world.alertCheck({ now: `${DAY}T20:59:00Z`, day: DAY, dryRun: true });
  await redact([], { alerts: [rule] });
  await world.report({ send: false });
  const { transitions } = await check();
  expect(transitions).toHaveLength(1);
  await redact([...REDACT, 'customer', 'transaction', 'products'], { alerts: [rule] });
  expect(await world.report({ send: false })).toMatchObject({ revision: 2 });
  expect((await check()).transitions).toEqual(transitions);
});

it('a name that cannot be redacted is reported by its path, and nothing is sealed', async () => {
  for (const [columns, path] of [
    [['token', 'amount'], 'redact[1]'],
    [['Invoice_Status'], 'redact[0]'],
    [['_day'], 'redact[0]'],
    [['customer.name'], 'redact[0]'],
    [[7], 'redact[0]'],
    [[''], 'redact[0]'],
  ] as const) {
    await redact(columns);
    expect(await failureOf(world.report())).toMatchObject({ name: 'InvalidMerchantError', path });
  }
  expect(world.keys('days/')).toEqual([]);
});
