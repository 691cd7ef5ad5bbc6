import { beforeEach, expect, it } from 'vitest';
import { addDays } from '#records/day/business-day.ts';
import { CODE, DAY, useWorld } from '#support/world/daybook-world.ts';
import { servedInvoices } from '#support/daily-report/sealed-rows.ts';

const world = useWorld({ perPage: 5 });
beforeEach(() => world.payments.data.seedDay(CODE, DAY, { invoices: 20, refunds: 2 }));

const mailText = async () => (await world.lastMail('report')).text;

it('rows of another type than the requested one are a difference that states their number and names the first five', async () => {
  const served = await servedInvoices(world);
  const givenAsSubscription = served.filter((row) => row['invoice_type'] === 1);
  expect(givenAsSubscription.length).toBeGreaterThan(5);
  // Only one type is requested, so no id appears twice and every total agrees.
  await world.putRegistry({ [CODE]: { invoiceTypes: ['0'] } });
  world.payments.behaviour.wrongType = { '0': '1' };
  const answer = await world.report();
  expect(answer).toMatchObject({ balanced: false, counts: { total: givenAsSubscription.length } });
  expect(answer.differences).toEqual([
    {
      name: 'invoiceType',
      what: 'invoice_type of invoiceType 0',
      service: givenAsSubscription.length,
      rows: 0,
      ids: givenAsSubscription
        .map(({ id }) => id)
        .toSorted((a, b) => b - a)
        .slice(0, 5)
        .map(String),
    },
  ]);
  expect(await mailText()).toContain(
    `Invoices of type 0: ${givenAsSubscription.length} of ${givenAsSubscription.length} have another type. First ids: `,
  );
});

it('rows of another day than the requested one are a difference', async () => {
  world.payments.behaviour.wrongDay = 1;
  const answer = await world.report({ day: addDays(DAY, -1) });
  expect(answer).toMatchObject({ balanced: false, counts: { total: 20 } });
  expect(answer.differences).toMatchObject([
    { name: 'invoiceDay', what: 'day of the invoices', service: 20, rows: 0 },
  ]);
  expect(answer.differences[0]?.ids).toHaveLength(5);
  expect(await mailText()).toContain('20 of 20 invoices are of another day. First ids: ');
});
