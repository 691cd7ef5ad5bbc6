import { beforeEach, expect, it } from 'vitest';
import { manifestKey } from '#records/storage/keys.ts';
import { BUCKET, CODE, DAY, useWorld } from '#support/world/daybook-world.ts';

const world = useWorld();
beforeEach(async () => {
  await world.putEmptyHistories();
  world.payments.data.insertInvoice(CODE, DAY, {
    invoice_status: 1,
    amount: '65.000',
    admin_charge: '0.500',
  });
  world.payments.data.insertInvoice(CODE, DAY, { invoice_status: 3, amount: '7.000' });
});

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

it('a status without a word gets one in the next revision', async () => {
  world.payments.data.insertInvoice(CODE, DAY, { invoice_status: 8, amount: '3.000' });
  expect(await world.report()).toMatchObject({ amounts: { paid: '65.000', other: '3.000' } });
  const invoiceStatuses = { 0: 'not_paid', 1: 'cancelled', 3: 'paid', 8: 'paid' };
  await world.putRegistry({ [CODE]: { currency: 'SAR', charges: ['admin_charge'], invoiceStatuses } });
  expect(await world.report()).toMatchObject({ revision: 2, amounts: { paid: '68.000', other: '0.000' } });
  expect(await world.manifest(2)).toMatchObject({
    currency: 'KWD',
    charges: [],
    invoiceStatuses: { 0: 'not_paid', 1: 'paid', 3: 'cancelled', 8: 'paid' },
  });
});

it('the day is unchanged when its newest revision, of an earlier version, has no breakdown', async () => {
  await world.report();
  const { breakdown: _breakdown, ...earlier } = await world.manifest(1);
  await world.aws.s3.write(BUCKET, manifestKey(DAY, CODE, 1), JSON.stringify(earlier));
  const unchanged = { revision: 1, unchanged: true, mail: { status: 'already-sent' } };
  expect(await world.report()).toMatchObject(unchanged);
  world.payments.data.insertInvoice(CODE, DAY, { invoice_status: 1, amount: '1.000' });
  expect(await world.report()).toMatchObject({ revision: 2, mail: { status: 'sent' } });
  expect((await world.manifest(2)).breakdown?.byType).toMatchObject([{ all: { count: 3 } }]);
});
