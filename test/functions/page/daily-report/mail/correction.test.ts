import { ledgerKey, manifestKey } from '#records/storage/keys.ts';
import { dataFile } from '#records/revision/manifest.ts';
import { knownErrors } from '#sandbox/aws/index.ts';
import { BUCKET, CODE, DAY, useWorld } from '#support/world/daybook-world.ts';
import { daybookHeadersIn } from '#support/readers/mail-source.ts';
import { defined, textLike } from '#support/assertions/index.ts';

const world = useWorld();
let unpaid: number;
beforeEach(() => {
  world.payments.data.seedDay(CODE, DAY, { invoices: 30, refunds: 2 });
  unpaid = world.payments.data.insertInvoice(CODE, DAY);
});

/** The day's report is mailed, and then an invoice is paid. */
async function reportAndPay(): Promise<void> {
  await world.report();
  world.payments.data.updateInvoice(CODE, unpaid, { invoice_status: 1 });
}

const CANNOT_LIST = 'We cannot list the invoices and refunds that changed.';

describe('a correction', () => {
  it('lists the invoices and refunds that changed, and not those of which the mail shows nothing', async () => {
    await world.putRegistry({ [CODE]: { attachCsv: true } });
    await world.report();
    const { data } = world.payments;
    const { invoices, refunds } = data.truth(CODE, DAY);
    const refund = defined(refunds.ids[0]);
    data.updateInvoice(CODE, defined(invoices.ids[0]), { visited_count: 99 });
    data.updateInvoice(CODE, unpaid, { invoice_status: 1, amount: '7.250' });
    const added = data.insertInvoice(CODE, DAY, { invoice_status: 3, amount: '4.000' });
    data.updateRefund(CODE, refund, { status: 2 });
    expect(await world.report()).toMatchObject({ revision: 2, mail: { status: 'sent' } });
    for (const [kind, revision] of [
      ['report', 1],
      ['correction', 2],
    ] as const) {
      expect(await daybookHeadersIn(defined(world.mails(kind)[0]).raw)).toEqual({
        'x-daybook-kind': kind,
        'x-daybook-reference': `${CODE} ${DAY} ${revision}`,
        'x-daybook-pull': (await world.manifest(revision)).pull,
        'x-daybook-manifest': manifestKey(DAY, CODE, revision),
      });
    }
    const { subject, text, attachments } = await world.lastMail('correction');
    expect(subject).toMatch(/^Correction: 7\.250 KWD more came in · /);
    const rows = text.match(/^ {4}(?:Invoice|Refund) .*/gm) ?? [];
    expect(rows).toEqual([
      textLike(new RegExp(`Invoice ${unpaid}: Unpaid → Paid · .*7\\.250.KWD$`)),
      textLike(new RegExp(`Invoice ${added}: new: Cancelled · 4\\.000.KWD$`)),
      textLike(new RegExp(`Refund ${refund}: \\w+ → Rejected · `)),
    ]);
    expect(attachments).toHaveLength(1);
    expect(text).toContain('invoices of this day are attached (CSV).');
    expect(text).not.toMatch(/days\/|\.gz|Largest unpaid|Revision/);
  });

  it('compares the rows with the revision that was mailed last, though others came between', async () => {
    await reportAndPay();
    await world.report({ send: false });
    const added = world.payments.data.insertInvoice(CODE, DAY, { invoice_status: 1 });
    await world.report({ send: false });
    world.payments.data.updateInvoice(CODE, added, { invoice_status: 3 });
    expect(await world.report()).toMatchObject({ revision: 4, mail: { status: 'sent' } });
    expect(await world.ledger(4)).toMatchObject({ kind: 'correction', corrects: 1 });
    const { text } = await world.lastMail('correction');
    expect(text).toContain(`Invoice ${unpaid}: Unpaid → Paid`);
    expect(text).toContain(`Invoice ${added}: new: Cancelled`);
  });

  it('shows nothing of a redacted column', async () => {
    await world.putRegistry({ [CODE]: { redact: ['customer_name', 'reference_number', 'customer_email'] } });
    await world.report();
    const customer = { name: 'Noura Secretive', email: 'noura@secretive.example', phone_number: '965' };
    const secretive = { invoice_status: 1, reference_number: 'SECRETIVE-7', customer };
    world.payments.data.updateInvoice(CODE, unpaid, secretive);
    await world.report();
    const { subject, text, html } = await world.lastMail('correction');
    for (const part of [subject, text, html]) expect(part).not.toMatch(/secretive/i);
  });

  it('is the same mail when it is sent again, though the mail that it corrects has bounced since', async () => {
    await reportAndPay();
    await world.report();
    const ledger = await world.ledger(1);
    const recipients = ledger.recipients.map((entry) => ({ ...entry, status: 'bounced' }));
    const bounced = { ...ledger, status: 'bounced', recipients };
    await world.aws.s3.write(BUCKET, ledgerKey(DAY, CODE, 1), JSON.stringify(bounced));
    expect(await world.report({ resend: true })).toMatchObject({ mail: { status: 'sent' } });
    const [first, again] = world.mails('correction');
    expect(defined(again).raw.toString()).toBe(defined(first).raw.toString());
  });

  it('has the figures alone, and says so, when the earlier rows or their manifest are spoilt or gone', async () => {
    await reportAndPay();
    await world.report();
    expect((await world.lastMail('correction')).text).not.toContain(CANNOT_LIST);
    const first = await world.manifest(1);
    for (const key of [dataFile(first, 'invoices', 'json').key, manifestKey(DAY, CODE, 1)]) {
      await world.aws.s3.write(BUCKET, key, 'spoilt');
      expect(await world.report({ resend: true })).toMatchObject({ mail: { status: 'sent' } });
      const { subject, text } = await world.lastMail('correction');
      expect(subject).toMatch(/^Correction: \S+ KWD more came in · /u);
      expect(text).toContain(CANNOT_LIST);
      expect(text).toMatch(/Paid invoices: \d+ → \d+/);
    }
  });

  it('does not leave out the rows because S3 fails for a while: the run fails, and the next one lists them', async () => {
    await reportAndPay();
    const { key } = dataFile(await world.manifest(1), 'invoices', 'json');
    world.awsDoes(knownErrors.s3.slowDown, { operation: 'GetObject', times: 20, key: new RegExp(key) });
    await expect(world.report()).rejects.toMatchObject({ name: 'StorageError' });
    expect(world.mails('correction')).toEqual([]);
    world.aws.faults.clear();
    await world.report();
    expect((await world.lastMail('correction')).text).toContain(`Invoice ${unpaid}: Unpaid → Paid`);
  });
});
