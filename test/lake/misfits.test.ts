import { addDays } from '#records/day/business-day.ts';
import { asText, openLakeOf } from '#support/lake/running-lake.ts';
import { MISFIT_VALUES, spoilInvoices, spoilRefunds } from '#support/payments/spoilt-records.ts';
import { CODE, DAY, DaybookWorld } from '#support/world/daybook-world.ts';

const DAYS = MISFIT_VALUES.map(([name, value], index) => [name, addDays(DAY, -index), value] as const);

const world = await DaybookWorld.start({ perPage: 100 });
for (const [, day, value] of DAYS) {
  world.payments.behaviour.faults.clear();
  world.payments.data.seedDay(CODE, day, { invoices: 60, refunds: 40 });
  spoilInvoices(world.payments, value);
  spoilRefunds(world.payments, value);
  await world.report({ day });
}
const lake = await openLakeOf(world);
afterAll(async () => {
  await lake.close();
  await world.close();
});

it('there are days with each of several values', () => {
  expect(DAYS.length).toBeGreaterThan(5);
});

describe.each(['invoices', 'refunds'] as const)('days with other values in place of members: %s', (kind) => {
  const expected = kind === 'invoices' ? 60 : 40;

  it.each([`latest_${kind}`, kind, `${kind}_csv`])('can be read from %s, in every column', async (from) => {
    const byDay = Map.groupBy(await lake.query(`SELECT * FROM ${from}`), ({ day }) => asText(day));
    for (const [name, day] of DAYS) expect(byDay.get(day), name).toHaveLength(expected);
  });

  it('have their sums', async () => {
    const rows = await lake.query(`SELECT day, sum(amount) AS total FROM latest_${kind} GROUP BY day`);
    const totals = new Map(rows.map(({ day, total }) => [asText(day), asText(total)]));
    for (const [name, day] of DAYS)
      expect(totals.get(day), name).toBe(world.payments.data.truth(CODE, day)[kind].total);
  });
});
