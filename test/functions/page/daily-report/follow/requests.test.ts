import { addDays } from '#records/day/business-day.ts';
import { fleetSizes } from '#bench/fleet/sizes.ts';
import { CODE, DaybookWorld, partsOf } from '#support/world/daybook-world.ts';
import { createAlertCheck } from '#alerts/alert-check/create-alert-check.ts';
import { buildDependencies } from '#alerts/alert-check/dependencies.ts';
import { FollowedMerchant, morningAfter } from '#support/follow/followed-merchant.ts';

const FIRST = '2026-09-01';
/** Mornings before the count begins: the first days have had all their readings by then. */
const [BEFORE, COUNTED] = [15, 7];
/** Invoices a day of which the requests are counted. A larger day needs as many more pages. */
const SIZES = [0, 5, 25, 60, 200];

/** Requests a morning of a merchant with links of a week and nearly a tenth of its money days late. */
async function requestsOf(followFor: string, invoices: number): Promise<number> {
  const world = await DaybookWorld.ofTest({ defaults: { followFor } });
  const merchant = new FollowedMerchant(world, 'usual');
  await merchant.beginAt(FIRST);
  let requests = 0;
  for (let index = 0; index < BEFORE + COUNTED; index += 1) {
    const day = addDays(FIRST, index);
    merchant.makeUsualDay(day, invoices);
    const at = morningAfter(day);
    merchant.happen(at);
    world.clock.setTo(at + 60_000);
    const scheduledTime = new Date(at).toISOString();
    const { items = [] } = await world.plan({ kind: 'daily', scheduledTime });
    const handler = world.coldStart();
    const before = world.payments.requests.length;
    for (const item of items) {
      for (const one of 'days' in item ? item.days : [])
        await handler({ merchantCode: CODE, day: one, scheduledTime });
    }
    if (index >= BEFORE) requests += world.payments.requests.length - before;
  }
  return requests / COUNTED;
}

/** Checks of rules on counts in a day, at the schedule of `lib/stages/prod.json`. */
const CHECKS = 96;

/** Requests of one check of rules on counts. A warm function has a token. */
async function requestsOfCheck(): Promise<number> {
  const rule = { name: 'too-many-unpaid', measure: 'unpaidCount', above: 5 };
  const world = await DaybookWorld.ofTest({ defaults: { alerts: [rule] } });
  const check = createAlertCheck(partsOf(buildDependencies, world.clock));
  const requestsAt = async (scheduledTime: string) => {
    const before = world.payments.requests.length;
    world.clock.setTo(scheduledTime);
    await check({ merchantCode: CODE, scheduledTime });
    return world.payments.requests.length - before;
  };
  await requestsAt(`${FIRST}T09:00:00Z`);
  return requestsAt(`${FIRST}T09:15:00Z`);
}

/** The requests of a merchant with as many invoices a day, in proportion between two sizes and above the largest. */
function requestsAt(invoices: number, bySize: readonly number[]): number {
  const last = SIZES.length - 1;
  const above = SIZES.findIndex((size) => size > invoices);
  const at = above === -1 ? last : above;
  const [size = 0, smaller = 0] = [SIZES[at], SIZES[at - 1]];
  const [requests = 0, fewer = 0] = [bySize[at], bySize[at - 1]];
  return fewer + ((requests - fewer) * (invoices - smaller)) / (size - smaller);
}

it('of a usual fleet are few more than those of looking back', async () => {
  const looking: number[] = [];
  const following: number[] = [];
  for (const size of SIZES) {
    looking.push(await requestsOf('0d', size));
    following.push(await requestsOf('90d', size));
  }
  const fleet = fleetSizes(10_000, 'daybook').map(({ invoices }) => ({
    invoices,
    looking: requestsAt(invoices, looking),
    following: requestsAt(invoices, following),
  }));
  const ratioOf = (ones: typeof fleet, others = 0) => {
    const sumOf = (name: 'looking' | 'following') => ones.reduce((sum, one) => sum + one[name], others);
    return sumOf('following') / sumOf('looking');
  };
  const checks = fleet.length * CHECKS * (await requestsOfCheck());
  const average = fleet.reduce((sum, one) => sum + ratioOf([one]), 0) / fleet.length;
  expect(average).toBeLessThan(1);
  expect(ratioOf(fleet.filter(({ invoices }) => invoices < 1_000))).toBeLessThan(1.08);
  expect(ratioOf(fleet)).toBeLessThan(1.15);
  // Rules of the merchants are checked all day, too: of all, and of one in five.
  expect(ratioOf(fleet, checks)).toBeLessThan(1.03);
  expect(ratioOf(fleet, checks / 5)).toBeLessThan(1.08);
}, 600_000);
