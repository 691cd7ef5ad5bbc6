import { expect, it } from 'vitest';
import { CODE, DAY, DaybookWorld } from '#support/world/daybook-world.ts';

let world: DaybookWorld;

const mailText = async () => (await world.lastMail('report')).text;

it('two paid invoices with one reference, amount and customer are named by number, and the money stays', async () => {
  world = await DaybookWorld.ofTest();
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
  world = await DaybookWorld.ofTest({
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
  world = await DaybookWorld.ofTest({ defaults: { charges: ['admin_charge'] } });
  const id = world.payments.data.insertInvoice(CODE, DAY, { invoice_status: 1, admin_charge: '0.500' });
  await world.report();
  expect(await mailText()).toContain('\nCharges: 0.500 KWD\n');
  world.payments.data.updateInvoice(CODE, id, { admin_charge: '9.999' });
  expect(await world.report()).toMatchObject({ revision: 2, mail: { status: 'skipped' } });
  expect(world.mails('correction')).toEqual([]);
});
