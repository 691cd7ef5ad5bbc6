import { afterAll, describe, expect, it } from 'vitest';
import { addDays } from '#records/day/business-day.ts';
import { asText } from '#support/lake/same-rows.ts';
import { openLakeOf } from '#support/lake/open-lake.ts';
import { MISFIT_VALUES } from '#support/payments/misfit-values.ts';
import { spoilInvoices, spoilRefunds } from '#support/payments/spoilt-records.ts';
import { CODE, DAY, DaybookWorld } from '#support/world/daybook-world.ts';

const DAYS = MISFIT_VALUES.map(([name, value], index) => [name, addDays(DAY, -index), value] as const);

const world = await DaybookWorld.start({ perPage: 100 });
await world.putEmptyHistories();
for (const [, day, value] of DAYS) {
  world.payments.behaviour.faults.clear();
  world.payments.data.seedDay(CODE, day, { invoices: 60, refunds: 40 });
  spoilInvoices(world.payments, value);
  spoilRefunds(world.payments, value);
  await world.report({ day });
}
const lake = await openLakeOf({ world });
afterAll(async () => {
  await lake.close();
  await world.close();
});

describe.each(DAYS)('a day with %s in place of members', (_name, day) => {
  it.each(['latest_invoices', 'invoices', 'invoices_csv', 'latest_refunds', 'refunds', 'refunds_csv'])(
    'can be read from %s, in every column',
    async (from) => {
      const rows = await lake.query(`SELECT * FROM ${from} WHERE day = '${day}'`);
      expect(rows).toHaveLength(from.includes('invoices') ? 60 : 40);
    },
  );

  it('has its sums', async () => {
    for (const kind of ['invoices', 'refunds'] as const) {
      const [row] = await lake.query(`SELECT sum(amount) AS total FROM latest_${kind} WHERE day = '${day}'`);
      expect(asText(row?.['total'])).toBe(world.payments.data.truth(CODE, day)[kind].total);
    }
  });
});
