import PostalMime from 'postal-mime';
import { afterEach, expect, it } from 'vitest';
import { CODE, DAY, DaybookWorld } from '#support/world/daybook-world.ts';
import { defined } from '#support/assertions/defined.ts';

let world: DaybookWorld;
afterEach(() => world.close());

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
  const mail = await PostalMime.parse(defined(world.mails('report')[0]).raw);
  expect(mail.from).toEqual({ name: 'Gulf Pay', address: 'daybook@mail.example.com' });
  expect(mail.html).toContain('>Gulf Pay</bdi></p>');
  expect(mail.text).toContain('To get no more of these mails, write to stop@example.com.');
  expect(mail.text).toContain('Sent by Gulf Pay.\nBlock 3, Kuwait City');
  expect(`${mail.text}${mail.html}`).not.toMatch(/Daybook|The stage/);
  // The mail is the same for all recipients.
  expect(`${mail.text}${mail.html}`).not.toContain('a@merchants.example');
});
