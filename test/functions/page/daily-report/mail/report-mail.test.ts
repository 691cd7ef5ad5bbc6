import PostalMime from 'postal-mime';
import { afterEach, describe, expect, it } from 'vitest';
import { formatAmount, parseAmount } from '#records/money/money.ts';
import { BUCKET, CODE, DAY, DaybookWorld } from '#support/world/daybook-world.ts';
import { defined } from '#support/assertions/defined.ts';
import { sealedRecords } from '#support/daily-report/sealed-rows.ts';

let world: DaybookWorld;
afterEach(() => world.close());

const mailed = () => PostalMime.parse(defined(world.mails('report')[0]).raw);

async function mailText(): Promise<string> {
  const { text = '' } = await mailed();
  return text.replaceAll('\u00A0', ' ');
}

it('a refund whose date is none is in no figure, is named, and a net that may lack it is unknown', async () => {
  world = await DaybookWorld.start({
    defaults: { refunds: { source: 'watchlist', statuses: { '0': 'pending', '1': 'approved' } } },
  });
  const { data } = world.payments;
  data.seedDay(CODE, DAY, { invoices: 5, refunds: 0 });
  const ids = ['0000-00-00', '2026-02-30']
    .map((refund_at, status) => data.insertRefund(CODE, DAY, { amount: '4.000', status, refund_at }))
    .toSorted((one, other) => one - other)
    .map(String);
  await world.aws.s3.write(BUCKET, `config/refunds/${CODE}.json`, JSON.stringify(ids));
  const answer = await world.report();
  expect(answer).toMatchObject({ balanced: true, refunds: { count: 0, total: '0.000' } });
  expect((await world.manifest(1)).drift.refundsWithoutDay).toEqual({
    count: 2,
    total: '8.000',
    byStatus: { approved: { count: 1, total: '4.000' }, pending: { count: 1, total: '4.000' } },
    ids,
  });
  const text = await mailText();
  expect(text).toContain(
    `2 refunds have no usable date, so they are in no figure: Approved 1 (4.000 KWD), Pending 1 (4.000 KWD). Ask your provider about refunds ${ids.join(', ')}.`,
  );
  expect(text).toContain('Came in less refunds: unknown');
});

it('two paid invoices with one reference, amount and customer are named by number, and the money stays', async () => {
  world = await DaybookWorld.start();
  const { data } = world.payments;
  data.seedDay(CODE, DAY, { invoices: 5, refunds: 0 });
  const same = {
    amount: '7.250',
    invoice_status: 1,
    reference_number: 'R-7',
    customer: { name: 'Noura Hostile', email: '', phone_number: '96555500001' },
  };
  const ids = [1, 2].map(() => data.insertInvoice(CODE, DAY, same)).toSorted((a, b) => b - a);
  await world.report();
  const { amounts } = await world.manifest(1);
  expect(amounts?.paid).toBe(data.truth(CODE, DAY).invoices.byStatus['1']?.total);
  const text = await mailText();
  expect(text).toMatch(
    new RegExp(
      `Invoices (${ids.join(' and ')}|${ids.toReversed().join(' and ')}) may be one sale that was paid twice: same`,
    ),
  );
  expect(text).not.toContain('Noura');
});

it('a mail has the brand of the merchant, then of the defaults, then of the stage', async () => {
  world = await DaybookWorld.start({
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
  const mail = await mailed();
  expect(mail.from).toEqual({ name: 'Gulf Pay', address: 'daybook@mail.example.com' });
  expect(mail.html).toContain('>Gulf Pay</bdi></p>');
  expect(mail.text).toContain('To get no more of these mails, write to stop@example.com.');
  expect(mail.text).toContain('Sent by Gulf Pay.\nBlock 3, Kuwait City');
  expect(`${mail.text}${mail.html}`).not.toMatch(/Daybook|The stage/);
  // The mail is the same for all recipients.
  expect(`${mail.text}${mail.html}`).not.toContain('a@merchants.example');
});

/** The day as it is mailed, in usual blanks and digits. */
async function mailedText(defaults: Record<string, unknown>): Promise<string> {
  world = await DaybookWorld.start({ defaults });
  world.payments.data.seedDay(CODE, DAY, { invoices: 40, refunds: 3 });
  await world.report();
  return (await mailText()).replaceAll(',', '');
}

/** The sum over the paid rows that were sealed. */
async function paidSum(columns: readonly string[]): Promise<bigint> {
  const rows = await sealedRecords(world, 'invoices');
  return rows
    .filter((row) => String(row['invoice_status']) === '1')
    .flatMap((row) => columns.map((column) => parseAmount(String(row[column]))))
    .reduce((sum, charge) => sum + charge, 0n);
}

describe('a merchant who bears charges', () => {
  it('gets their sum over the paid invoices, and a net less the charges', async () => {
    const text = await mailedText({ charges: ['admin_charge', 'service_charge'] });
    const charges = await paidSum(['admin_charge', 'service_charge']);
    expect(charges).toBeGreaterThan(0n);
    expect(text).toContain(`\nCharges: ${formatAmount(charges)} KWD\n`);
    const refunded = defined((await world.manifest(1)).refunds.byStatus['approved']).total;
    const net = (await paidSum(['amount'])) - parseAmount(refunded) - charges;
    expect(text).toContain(`\nNet: ${formatAmount(net)} KWD\n`);
  });

  it('gets no correction when the charges alone have changed', async () => {
    await mailedText({ charges: ['admin_charge'] });
    const rows = await sealedRecords(world, 'invoices');
    const paid = defined(rows.find((row) => String(row['invoice_status']) === '1'));
    world.payments.data.updateInvoice(CODE, Number(String(paid['id'])), { admin_charge: '9.999' });
    expect(await world.report()).toMatchObject({ revision: 2, mail: { status: 'skipped' } });
    expect(world.mails('correction')).toEqual([]);
  });

  it('is told that they are unknown when the column is redacted', async () => {
    const text = await mailedText({ charges: ['admin_charge'], redact: ['admin_charge'] });
    expect(text).toContain('\nCharges: unknown\nNet: unknown (The reason is below)\n');
    expect(text).toContain('We do not know the charges of every payment.');
  });
});
