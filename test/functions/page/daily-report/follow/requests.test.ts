import { afterEach, expect, it } from 'vitest';
import { addDays } from '#records/day/business-day.ts';
import { CODE, DaybookWorld } from '#support/world/daybook-world.ts';
import { FollowedMerchant, morningAfter } from '#support/follow/followed-merchant.ts';

const FIRST = '2026-09-01';
/** Mornings before the count begins: links of a week have ended by then. */
const [BEFORE, COUNTED] = [10, 10];

let world: DaybookWorld;
afterEach(() => world.close());

/** Requests to the service of a merchant with links of a week and nearly a tenth of its money days late. */
async function requestsOf(followFor: string, invoices = 25): Promise<number> {
  world = await DaybookWorld.start({ defaults: { followFor } });
  const merchant = new FollowedMerchant(world, 'usual');
  await merchant.beginAt(FIRST);
  const handler = world.coldStart();
  let requests = 0;
  for (let index = 0; index < BEFORE + COUNTED; index += 1) {
    const day = addDays(FIRST, index);
    merchant.makeUsualDay(day, invoices);
    const at = morningAfter(day);
    merchant.happen(at);
    world.clock.setTo(at + 60_000);
    const scheduledTime = new Date(at).toISOString();
    const { items = [] } = await world.plan({ kind: 'daily', scheduledTime });
    const before = world.payments.requests.length;
    for (const item of items) {
      for (const one of 'days' in item ? item.days : [])
        await handler({ merchantCode: CODE, day: one, scheduledTime });
    }
    if (index >= BEFORE) requests += world.payments.requests.length - before;
  }
  return requests / COUNTED;
}

it('of a usual merchant are few more than those of looking back', async () => {
  const looking = await requestsOf('0d');
  await world.close();
  const following = await requestsOf('90d');
  expect(following).toBeLessThan(looking * 1.08);
}, 200_000);
