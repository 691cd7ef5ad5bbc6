import PostalMime from 'postal-mime';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { defined } from '#support/assertions/defined.ts';
import { CODE, DAY, DaybookWorld } from '#support/world/daybook-world.ts';

let world: DaybookWorld;
beforeEach(async () => {
  world = await DaybookWorld.start();
  await world.putEmptyHistories();
  world.payments.data.insertInvoice(CODE, DAY, {
    invoice_status: 1,
    amount: '65.000',
    admin_charge: '0.500',
  });
  world.payments.data.insertInvoice(CODE, DAY, { invoice_status: 3, amount: '7.000' });
});
afterEach(() => world.close());

/** A registry that means something else by everything. */
function changeRegistry(members: Record<string, unknown> = {}): Promise<void> {
  return world.putRegistry({
    [CODE]: {
      currency: 'SAR',
      timeZone: 'Asia/Dubai',
      charges: ['admin_charge'],
      invoiceStatuses: { 0: 'not_paid', 1: 'cancelled', 3: 'paid' },
      ...members,
    },
  });
}

/** Amounts have a no-break space before their currency. */
function plain(text = ''): string {
  return text.replaceAll('\u00A0', ' ');
}

async function lastText(kind: string): Promise<string> {
  return plain((await PostalMime.parse(defined(world.mails(kind).at(-1)).raw)).text);
}

it('a page says what its figures mean', async () => {
  await world.report();
  expect(await world.manifest(1)).toMatchObject({
    currency: 'KWD',
    timeZone: 'Asia/Kuwait',
    invoiceStatuses: { 0: 'not_paid', 1: 'paid', 3: 'cancelled' },
    refundStatuses: { 0: 'pending', 1: 'approved', 2: 'rejected' },
    charges: [],
  });
});

it('a page is previewed as it was sealed', async () => {
  await world.putRegistry({ [CODE]: { attachCsv: true } });
  await world.report();
  await changeRegistry({ attachCsv: true });
  await world.report({ to: ['ops@example.com'] });
  const { text, attachments } = await PostalMime.parse(defined(world.mails('preview').at(-1)).raw);
  expect(plain(text)).toContain('65.000 KWD');
  expect(plain(text)).not.toContain('SAR');
  expect(attachments).toHaveLength(1);
});

it('a later revision keeps the meaning, and so does its correction', async () => {
  await world.report();
  await changeRegistry();
  world.payments.data.insertInvoice(CODE, DAY, { invoice_status: 1, amount: '12.000' });
  expect(await world.report()).toMatchObject({
    revision: 2,
    amounts: { paid: '77.000', cancelled: '7.000' },
  });
  const { currency, timeZone, charges, invoiceStatuses } = await world.manifest(2);
  expect({ currency, timeZone, charges, invoiceStatuses }).toEqual({
    currency: 'KWD',
    timeZone: 'Asia/Kuwait',
    charges: [],
    invoiceStatuses: { 0: 'not_paid', 1: 'paid', 3: 'cancelled' },
  });
  const text = await lastText('correction');
  expect(text).toContain('77.000 KWD');
  expect(text).not.toContain('SAR');
});

it('a status without a word gets one in the next revision', async () => {
  world.payments.data.insertInvoice(CODE, DAY, { invoice_status: 8, amount: '3.000' });
  expect(await world.report()).toMatchObject({ amounts: { paid: '65.000', other: '3.000' } });
  await changeRegistry({ invoiceStatuses: { 0: 'not_paid', 1: 'cancelled', 3: 'paid', 8: 'paid' } });
  expect(await world.report()).toMatchObject({ revision: 2, amounts: { paid: '68.000', other: '0.000' } });
  expect(await world.manifest(2)).toMatchObject({
    currency: 'KWD',
    invoiceStatuses: { 0: 'not_paid', 1: 'paid', 3: 'cancelled', 8: 'paid' },
  });
});
