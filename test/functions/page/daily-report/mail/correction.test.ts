import PostalMime from 'postal-mime';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ledgerKey, manifestKey } from '#records/storage/keys.ts';
import { dataFile } from '#records/revision/manifest.ts';
import { BUCKET, CODE, DAY, DaybookWorld } from '#support/world/daybook-world.ts';
import { daybookHeadersIn } from '#support/readers/daybook-headers-in.ts';
import { defined } from '#support/assertions/defined.ts';

let world: DaybookWorld;
let unpaid: number;
beforeEach(async () => {
  world = await DaybookWorld.start();
  world.payments.data.seedDay(CODE, DAY, { invoices: 30, refunds: 2 });
  unpaid = world.payments.data.insertInvoice(CODE, DAY);
});
afterEach(() => world.close());

function firstInvoice(): number {
  return defined(world.payments.data.truth(CODE, DAY).invoices.ids[0]);
}

it('a row that differs makes a revision, but no mail when no figure has changed', async () => {
  await world.report();
  world.payments.data.updateInvoice(CODE, firstInvoice(), { visited_count: 99 });
  const second = await world.report();
  expect(second).toMatchObject({
    revision: 2,
    unchanged: false,
    mail: { status: 'skipped', reason: 'no figure has changed since the last mail' },
  });
  expect(world.sendRequests()).toBe(1);
  expect((await world.ledger(2)).status).toBe('skipped');
  expect((await world.manifest(2)).previous).toBe(`days/day=${DAY}/merchant=${CODE}/r0001.json`);
});

it('a changed figure sends a correction that shows the old figure', async () => {
  const first = await world.report();
  world.payments.data.updateInvoice(CODE, unpaid, { invoice_status: 1 });
  const second = await world.report();
  expect(second).toMatchObject({ revision: 2, mail: { status: 'sent' } });
  const mail = defined(world.mails('correction')[0]);
  for (const [kind, revision] of [
    ['report', 1],
    ['correction', 2],
  ] as const) {
    const { pull } = await world.manifest(revision);
    expect(await daybookHeadersIn(defined(world.mails(kind)[0]).raw)).toEqual({
      'x-daybook-kind': kind,
      'x-daybook-reference': `${CODE} ${DAY} ${revision}`,
      'x-daybook-pull': pull,
      'x-daybook-manifest': `days/day=${DAY}/merchant=${CODE}/r000${revision}.json`,
    });
  }
  const { subject, text } = await PostalMime.parse(mail.raw);
  expect(subject?.toLowerCase()).toContain('correction');
  expect(text).toMatch(new RegExp(`${defined(first.counts.paid)}\\D{1,12}${defined(second.counts.paid)}`));
});

it('compares with the revision that was mailed last, not with the previous revision', async () => {
  const first = await world.report();
  // A revision with other figures that was mailed to nobody.
  world.payments.data.updateInvoice(CODE, unpaid, { invoice_status: 1 });
  expect((await world.report({ send: false })).mail.status).toBe('skipped');
  world.payments.data.insertInvoice(CODE, DAY, { invoice_status: 1 });
  const third = await world.report();
  expect(third).toMatchObject({ revision: 3, mail: { status: 'sent' } });
  expect(third.counts.paid).toBe(defined(first.counts.paid) + 2);
  const { text = '' } = await PostalMime.parse(defined(world.mails('correction')[0]).raw);
  const [, was, is] = /^.*\bPaid\b\D*(\d+)\D{1,12}(\d+)$/m.exec(text) ?? [];
  expect([was, is].map(Number)).toEqual([first.counts.paid, third.counts.paid]);
});

it('sends the full report if no earlier revision was mailed', async () => {
  expect((await world.report({ send: false })).mail).toMatchObject({ status: 'skipped' });
  expect((await world.ledger(1)).status).toBe('skipped');
  world.payments.data.updateInvoice(CODE, unpaid, { invoice_status: 1 });
  await world.report();
  expect(world.mails('report')).toHaveLength(1);
  expect(world.mails('correction')).toHaveLength(0);
});

it('never mails an older revision after a newer one', async () => {
  // The first run dies between its seal and its mail. A second run seals and mails the changes since then.
  world.aws.faults.add({
    service: 's3',
    operation: 'PutObject',
    key: /^mail\/.*r0001/,
    action: {
      kind: 'call',
      before: async () => {
        world.payments.data.updateInvoice(CODE, unpaid, { invoice_status: 1 });
        await world.report();
      },
    },
  });
  const slow = await world.report();
  expect(slow.revision).toBe(1);
  expect(slow.mail).toMatchObject({ status: 'skipped', reason: 'revision 2 came before it was mailed' });
  expect(world.mails('report').map((mail) => mail.tags['revision'])).toEqual(['2']);
});

it('a day that becomes balanced gets a new revision although no row differs', async () => {
  world.payments.behaviour.wrongStats = { paid: 1 };
  expect(await world.report()).toMatchObject({ revision: 1, balanced: false });
  world.payments.behaviour.wrongStats = {};
  const second = await world.report();
  expect(second).toMatchObject({ revision: 2, balanced: true, mail: { status: 'sent' } });
  expect((await world.manifest(2)).digest).toBe((await world.manifest(1)).digest);
});

/** Subject and text of the newest correction, as its reader sees them. */
async function newestCorrection(): Promise<{ subject: string; text: string; html: string; files: string[] }> {
  const { raw } = defined(world.mails('correction').at(-1));
  const { subject = '', text = '', html = '', attachments } = await PostalMime.parse(raw);
  return { subject, text, html, files: attachments.map(({ filename }) => filename ?? '') };
}

const CANNOT_LIST = 'We cannot list the invoices and refunds that changed.';

describe('a correction', () => {
  it('lists the invoices and refunds that changed, and not those of which the mail shows nothing', async () => {
    await world.putRegistry({ [CODE]: { attachCsv: true } });
    await world.report();
    const { data } = world.payments;
    const [refund] = data.truth(CODE, DAY).refunds.ids;
    data.updateInvoice(CODE, firstInvoice(), { visited_count: 99 });
    data.updateInvoice(CODE, unpaid, { invoice_status: 1, amount: '7.250' });
    const added = data.insertInvoice(CODE, DAY, { invoice_status: 3, amount: '4.000' });
    data.updateRefund(CODE, defined(refund), { status: 2 });
    expect(await world.report()).toMatchObject({ revision: 2, mail: { status: 'sent' } });
    const { subject, text, files } = await newestCorrection();
    expect(subject).toMatch(/^Correction: 7\.250 KWD more came in · /);
    const rows = text.match(/^ {4}(?:Invoice|Refund) .*/gm) ?? [];
    expect(rows).toHaveLength(3);
    expect(rows[0]).toMatch(new RegExp(`Invoice ${unpaid}: Unpaid → Paid · .*7\\.250.KWD$`));
    expect(rows[1]).toMatch(new RegExp(`Invoice ${added}: new: Cancelled · 4\\.000.KWD$`));
    expect(rows[2]).toMatch(new RegExp(`Refund ${defined(refund)}: \\w+ → Rejected · `));
    expect(files).toHaveLength(1);
    expect(text).toContain('invoices of this day are attached (CSV).');
    expect(text).not.toMatch(/days\/|\.gz|Largest unpaid|Revision/);
  });

  it('compares the rows with the revision that was mailed last, though others came between', async () => {
    await world.report();
    world.payments.data.updateInvoice(CODE, unpaid, { invoice_status: 1 });
    await world.report({ send: false });
    const added = world.payments.data.insertInvoice(CODE, DAY, { invoice_status: 1 });
    await world.report({ send: false });
    world.payments.data.updateInvoice(CODE, added, { invoice_status: 3 });
    expect(await world.report()).toMatchObject({ revision: 4, mail: { status: 'sent' } });
    expect(await world.ledger(4)).toMatchObject({ kind: 'correction', corrects: 1 });
    const { text } = await newestCorrection();
    expect(text).toContain(`Invoice ${unpaid}: Unpaid → Paid`);
    expect(text).toContain(`Invoice ${added}: new: Cancelled`);
  });

  it('shows nothing of a redacted column', async () => {
    await world.putRegistry({ [CODE]: { redact: ['customer_name', 'reference_number', 'customer_email'] } });
    await world.report();
    const customer = {
      name: 'Noura Secretive',
      email: 'noura@secretive.example',
      phone_number: '96550000000',
    };
    world.payments.data.updateInvoice(CODE, unpaid, {
      invoice_status: 1,
      reference_number: 'SECRETIVE-7',
      customer,
    });
    await world.report();
    const { subject, text, html } = await newestCorrection();
    for (const part of [subject, text, html]) expect(part).not.toMatch(/secretive/i);
  });

  it('is the same mail when it is sent again, though the mail that it corrects has bounced since', async () => {
    await world.report();
    world.payments.data.updateInvoice(CODE, unpaid, { invoice_status: 1 });
    await world.report();
    const bounced = await world.ledger(1);
    bounced.status = 'bounced';
    bounced.recipients = bounced.recipients.map((entry) => ({ ...entry, status: 'bounced' }));
    await world.aws.s3.write(BUCKET, ledgerKey(DAY, CODE, 1), JSON.stringify(bounced));
    expect(await world.report({ resend: true })).toMatchObject({ mail: { status: 'sent' } });
    const [first, again] = world.mails('correction');
    expect(defined(again).raw.toString()).toBe(defined(first).raw.toString());
  });

  it('has the figures alone, and says so, when the earlier rows or their manifest are spoilt or gone', async () => {
    await world.report();
    world.payments.data.updateInvoice(CODE, unpaid, { invoice_status: 1 });
    await world.report();
    expect((await newestCorrection()).text).not.toContain(CANNOT_LIST);
    const first = await world.manifest(1);
    for (const key of [dataFile(first, 'invoices', 'json').key, manifestKey(DAY, CODE, 1)]) {
      await world.aws.s3.write(BUCKET, key, 'spoilt');
      expect(await world.report({ resend: true })).toMatchObject({ mail: { status: 'sent' } });
      const { subject, text } = await newestCorrection();
      expect(subject).toMatch(/^Correction: \S+ KWD more came in · /u);
      expect(text).toContain(CANNOT_LIST);
      expect(text).toMatch(/Paid invoices: \d+ → \d+/);
    }
  });

  it('does not leave out the rows because S3 fails for a while: the run fails, and the next one lists them', async () => {
    await world.report();
    world.payments.data.updateInvoice(CODE, unpaid, { invoice_status: 1 });
    const { key } = dataFile(await world.manifest(1), 'invoices', 'json');
    world.aws.faults.add({
      service: 's3',
      operation: 'GetObject',
      key: new RegExp(key),
      times: 20,
      action: { kind: 'error', status: 503, code: 'SlowDown' },
    });
    await expect(world.report()).rejects.toMatchObject({ name: 'StorageError' });
    expect(world.mails('correction')).toEqual([]);
    world.aws.faults.clear();
    await world.report();
    expect((await newestCorrection()).text).toContain(`Invoice ${unpaid}: Unpaid → Paid`);
  });
});
