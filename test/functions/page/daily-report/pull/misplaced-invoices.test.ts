import { describe, expect, it } from 'vitest';
import { addDays } from '#records/day/business-day.ts';
import { CODE, DAY, DaybookWorld } from '#support/world/daybook-world.ts';
import { servedInvoices } from '#support/daily-report/sealed-rows.ts';
import { matcher } from '#support/assertions/matcher.ts';

const BEFORE = addDays(DAY, -1);
const AFTER = addDays(DAY, 1);
const LONG_BEFORE = addDays(DAY, -5);

let world: DaybookWorld;

async function start(defaults: Record<string, unknown> = {}, invoices = 20): Promise<void> {
  world = await DaybookWorld.ofTest({ perPage: 5, defaults });
  world.payments.data.seedDay(CODE, DAY, { invoices, refunds: 2 });
}

/** An invoice that the service lists under the day, with any creation date and last update. */
function insert(created_at: string, updated_at = created_at, more: Record<string, unknown> = {}): string {
  return String(world.payments.data.insertInvoice(CODE, DAY, { created_at, updated_at, ...more }));
}

const mailText = async () => (await world.lastMail('report')).text;

it('rows of another type than the requested one are a difference that states their number and names the first five', async () => {
  await start();
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

describe('rows of another day than the requested one', () => {
  it('are a difference if the service answers with another day', async () => {
    await start();
    world.payments.behaviour.wrongDay = 1;
    const answer = await world.report({ day: BEFORE });
    expect(answer).toMatchObject({ balanced: false, counts: { total: 20 } });
    expect(answer.differences).toMatchObject([
      { name: 'invoiceDay', what: 'day of the invoices', service: 20, rows: 0 },
    ]);
    expect(answer.differences[0]?.ids).toHaveLength(5);
    expect(await mailText()).toContain('20 of 20 invoices are of another day. First ids: ');
  });

  it('are named if they were created later, or last updated before the day', async () => {
    await start();
    const later = insert(`${AFTER} 00:00:00`);
    const earlier = insert(`${LONG_BEFORE} 12:00:00`, `${BEFORE} 23:59:59`);
    const { balanced, differences } = await world.report();
    expect(balanced).toBe(false);
    expect(differences).toEqual([
      {
        name: 'invoiceDay',
        what: 'day of the invoices',
        service: 22,
        rows: 20,
        ids: matcher(expect.arrayContaining([later, earlier])),
      },
    ]);
    expect(differences[0]?.ids).toHaveLength(2);
    expect((await world.manifest(1)).drift.otherDays).toEqual({ count: 0, ids: [] });
  });

  it('are not searched for among refunds, and a second pull of the day finds none', async () => {
    await start();
    world.payments.data.insertRefund(CODE, LONG_BEFORE);
    expect(await world.report()).toMatchObject({ balanced: true });
    world.payments.data.evolve(CODE, DAY);
    expect(await world.report()).toMatchObject({ revision: 2, balanced: true, differences: [] });
    expect((await world.manifest(2)).drift.otherDays).toEqual({ count: 0, ids: [] });
  });
});
