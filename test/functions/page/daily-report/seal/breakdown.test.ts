import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Breakdown } from '#records/figures/breakdown.ts';
import { manifestKey } from '#records/storage/keys.ts';
import { invoiceRecord } from '#support/domain/sample-records.ts';
import { BUCKET, CODE, DAY, DaybookWorld } from '#support/world/daybook-world.ts';

let world: DaybookWorld;
beforeEach(async () => {
  world = await DaybookWorld.start({ perPage: 5 });
});
afterEach(() => world.close());

function insertPaid(paymentType: unknown, amount: string, more: Record<string, unknown> = {}): number {
  return world.payments.data.insertInvoice(CODE, DAY, {
    ...{ invoice_status: 1, amount, admin_charge: '0.150', service_charge: '0.100' },
    transaction: Object.assign({}, invoiceRecord()['transaction'], { payment_type: paymentType }),
    ...more,
  });
}

async function breakdownOf(revision: number): Promise<Breakdown | null> {
  return (await world.manifest(revision)).breakdown;
}

it('a revision says how its day was paid, by type, method and charge', async () => {
  insertPaid('KNET', '10.000');
  insertPaid('KNET', '2.500', { invoice_type: 7, service_charge: '1.000' });
  insertPaid('Apple Pay', '900719925474099.993');
  insertPaid(null, '1.000', { invoice_type: 7 });
  world.payments.data.insertInvoice(CODE, DAY, { invoice_status: 0, amount: '3.000' });
  expect(await world.report()).toMatchObject({ revision: 1, balanced: true });
  const none = { count: 0, amount: '0.000' };
  expect(await breakdownOf(1)).toEqual({
    byType: [
      {
        type: '1',
        all: { count: 3, amount: '900719925474112.993' },
        states: {
          paid: { count: 2, amount: '900719925474109.993' },
          notPaid: { count: 1, amount: '3.000' },
          cancelled: none,
          other: none,
        },
      },
      {
        type: '7',
        all: { count: 2, amount: '3.500' },
        states: { paid: { count: 2, amount: '3.500' }, notPaid: none, cancelled: none, other: none },
      },
    ],
    byMethod: [
      { method: 'Apple Pay', count: 1, amount: '900719925474099.993' },
      { method: 'KNET', count: 2, amount: '12.500' },
      { method: null, count: 1, amount: '1.000' },
    ],
    charges: [
      { column: 'admin_charge', total: '0.600' },
      { column: 'service_charge', total: '1.300' },
    ],
  });
});

it('a redacted method or charge is in no manifest', async () => {
  insertPaid('canary', '10.000');
  await world.putRegistry({ [CODE]: { redact: ['transaction_payment_type', 'admin_charge'] } });
  await world.report({ send: false });
  expect(await breakdownOf(1)).toMatchObject({
    byMethod: [{ method: null, count: 1, amount: '10.000' }],
    charges: [
      { column: 'admin_charge', total: null },
      { column: 'service_charge', total: '0.100' },
    ],
  });
  expect(await world.text(manifestKey(DAY, CODE, 1))).not.toContain('canary');
});

it('the day is unchanged when its newest revision, of an earlier version, has no breakdown', async () => {
  insertPaid('KNET', '10.000');
  expect(await world.report()).toMatchObject({ revision: 1, mail: { status: 'sent' } });
  const { breakdown: _breakdown, ...earlier } = await world.manifest(1);
  await world.aws.s3.write(BUCKET, manifestKey(DAY, CODE, 1), JSON.stringify(earlier));
  expect(await breakdownOf(1)).toBeNull();
  expect(await world.report()).toMatchObject({
    revision: 1,
    unchanged: true,
    mail: { status: 'already-sent' },
  });
  insertPaid('KNET', '1.000');
  expect(await world.report()).toMatchObject({ revision: 2, mail: { status: 'sent' } });
  expect((await breakdownOf(2))?.byMethod).toEqual([{ method: 'KNET', count: 2, amount: '11.000' }]);
});
