import * as z from 'zod';
import { addDays } from '#records/day/business-day.ts';
import { historyKey, manifestKey } from '#records/storage/keys.ts';
import { FollowedMerchant } from '#support/follow/followed-merchant.ts';
import { BUCKET, CODE, DaybookWorld } from '#support/world/daybook-world.ts';

const FIRST = '2026-10-01';
/** A page of a day whose invoices are all paid. */
const SETTLED = { revision: 2, open: { count: 0 } };

const members = z.record(z.string(), z.unknown());

let world: DaybookWorld;
let merchant: FollowedMerchant;

async function start(behaviour: Parameters<typeof DaybookWorld.start>[0] = {}): Promise<void> {
  world = await DaybookWorld.ofTest(behaviour);
  merchant = new FollowedMerchant(world, 'follow');
  await merchant.beginAt(FIRST);
}

/** An unpaid invoice of a day. @param lastDayAfter days that its link lives */
function unpaid(day: string, lastDayAfter: number): number {
  const change = { invoice_status: 0, amount: '10.000', expires_at: addDays(day, lastDayAfter) };
  return world.payments.data.insertInvoice(CODE, day, change);
}

function pay(id: number, paidOn: string | null): void {
  const transaction = { payment_type: 'KNET', paid_on: paidOn };
  world.payments.data.updateInvoice(CODE, id, { invoice_status: 1, transaction });
}

async function mornings(from: number, to: number): Promise<void> {
  for (let index = from; index <= to; index += 1) await merchant.morning(addDays(FIRST, index));
}

function revisionsOf(day: string): number {
  return world.keys(`days/day=${day}/merchant=${CODE}/`).length;
}

it('an invoice that is paid late without a readable time came in on the last day that was over when it was seen', async () => {
  await start();
  const id = unpaid(FIRST, 30);
  await mornings(0, 4);
  pay(id, null);
  await mornings(5, 6);
  expect((await merchant.page(addDays(FIRST, 5))).received).toMatchObject({ count: 1, basis: { seen: 1 } });
  expect((await merchant.page(addDays(FIRST, 6))).received).toMatchObject({ count: 0 });
});

it('a quiet morning asks one question a type, and reads no older day', async () => {
  await start({ defaults: { lookbackDays: [] } });
  unpaid(FIRST, 2);
  await mornings(0, 5);
  const asked = world.payments.requests.length;
  const day = addDays(FIRST, 6);
  await merchant.morning(day);
  const lists = world.payments.requests.slice(asked).filter(({ operation }) => operation === 'invoices');
  const ranges = lists.map(({ query }) => `${query['fromDate']} ${query['toDate']}`);
  const before = `${FIRST} ${addDays(day, -1)}`;
  expect(ranges.filter((range) => range.startsWith(day))).toHaveLength(4);
  expect(ranges.filter((range) => range === before)).toHaveLength(4);
  expect(ranges).toHaveLength(8);
});

it('a day that is read again is not asked for types that the service has nowhere, but for one that has appeared since', async () => {
  await start({ defaults: { lookbackDays: [] } });
  const id = unpaid(FIRST, 30);
  await mornings(0, 4);
  pay(id, `${addDays(FIRST, 5)} 10:00:00`);
  const from = world.payments.requests.length;
  await mornings(5, 5);
  const ofFirst = world.payments.requests
    .slice(from)
    .filter(({ query }) => query['fromDate'] === FIRST && query['toDate'] === FIRST);
  expect(ofFirst.flatMap(({ query }) => query['invoiceType'] ?? [])).toEqual(['1', '1']);
  const followed = { stated: { '6': { listed: 0, total: 0 } } };
  expect(await merchant.page(FIRST)).toMatchObject({ ...SETTLED, balanced: true, followed });
  const paid = { payment_type: 'KNET', paid_on: `${FIRST} 10:00:00` };
  const other = { invoice_type: 6, invoice_status: 1, amount: '5.000', transaction: paid };
  world.payments.data.insertInvoice(CODE, FIRST, other);
  await mornings(6, 6);
  const received = { count: 1, sum: '5.000' };
  expect(await merchant.page(FIRST)).toMatchObject({ balanced: true, received });
});

it('a changed day that cannot be read does not keep others from being found in the next morning', async () => {
  await start();
  const [late, spoilt] = [unpaid(FIRST, 60), unpaid(addDays(FIRST, 1), 60)];
  await mornings(0, 4);
  world.payments.data.updateInvoice(CODE, spoilt, { invoice_status: 1, amount: 'much' });
  await mornings(5, 5);
  pay(late, `${addDays(FIRST, 6)} 10:00:00`);
  await mornings(6, 6);
  expect(await merchant.page(FIRST)).toMatchObject(SETTLED);
});

it('a refund that is pending is asked for by its id until it is decided', async () => {
  await start();
  unpaid(FIRST, 1);
  const id = world.payments.data.insertRefund(CODE, FIRST, { status: 0, amount: '5.000' });
  await mornings(0, 9);
  expect(revisionsOf(FIRST)).toBe(1);
  world.payments.data.updateRefund(CODE, id, { status: 1 });
  await mornings(10, 10);
  const approved = { count: 1, total: '5.000' };
  expect((await merchant.page(FIRST)).refunds.byStatus).toMatchObject({ approved });
  const asked = world.payments.requests.length;
  await mornings(11, 11);
  expect(world.payments.requests.slice(asked).some(({ path }) => path.endsWith(`/refund/${id}`))).toBe(false);
});

it.each([0, 4])('a service that states no counts from day %i on is read at distances', async (from) => {
  await start({ defaults: { lookbackDays: [] } });
  const { behaviour } = world.payments;
  if (from === 0) behaviour.counts = 'null';
  const id = unpaid(FIRST, 5);
  for (let index = 1; index < 12; index += 1) unpaid(addDays(FIRST, index), 60);
  await mornings(0, 3);
  pay(id, `${addDays(FIRST, 4)} 10:00:00`);
  behaviour.counts = 'null';
  await mornings(4, 4);
  expect(revisionsOf(FIRST)).toBe(1);
  // The morning after the last day of the link.
  await mornings(5, 5);
  expect(await merchant.page(FIRST)).toMatchObject(SETTLED);
  expect((await merchant.page(addDays(FIRST, 4))).received).toMatchObject({ count: 1 });
});

it('a stage of the version before takes up with the pages that it has', async () => {
  await start();
  const id = unpaid(FIRST, 60);
  const refunded = addDays(FIRST, 1);
  const refund = world.payments.data.insertRefund(CODE, refunded, { status: 0, amount: '5.000' });
  await mornings(0, 3);
  for (let index = 0; index <= 3; index += 1) {
    const key = manifestKey(addDays(FIRST, index), CODE, 1);
    const page = members.parse(JSON.parse(await world.text(key)));
    const { received, issued, open, outcomes, followed, ...old } = page;
    expect([received, issued, open, outcomes, followed]).not.toContain(undefined);
    await world.aws.s3.write(BUCKET, key, JSON.stringify(old));
  }
  const history = z.object({ days: z.array(members) }).parse(JSON.parse(await world.text(historyKey(CODE))));
  const days = history.days.map(({ followed: _followed, ...day }) => day);
  await world.aws.s3.write(BUCKET, historyKey(CODE), JSON.stringify({ merchantCode: CODE, days }));
  await mornings(4, 4);
  expect(revisionsOf(FIRST)).toBe(1);
  world.payments.data.updateRefund(CODE, refund, { status: 1 });
  await mornings(5, 5);
  expect((await merchant.page(refunded)).refunds.byStatus).toMatchObject({ approved: { count: 1 } });
  pay(id, `${addDays(FIRST, 7)} 10:00:00`);
  // Its counts by state are not known, so it is read at a distance.
  await mornings(6, 7);
  expect(await merchant.page(FIRST)).toMatchObject(SETTLED);
  const { received } = await merchant.page(addDays(FIRST, 7));
  expect(received).toMatchObject({ count: 1, ofEarlier: { count: 1 } });
});
