import { afterEach, describe, expect, it } from 'vitest';
import { addDays } from '#records/day/business-day.ts';
import type { Day } from '#records/day/business-day.ts';
import { DaybookWorld } from '#support/world/daybook-world.ts';
import { FollowedMerchant, morningAfter } from '#support/follow/followed-merchant.ts';

const FIRST = '2026-08-01';
const DAYS = 120;

let world: DaybookWorld;
afterEach(() => world.close());

const days = Array.from({ length: DAYS }, (_, index) => addDays(FIRST, index));

const STATES = ['paid', 'notPaid', 'cancelled'] as const;

/** Mornings for which changes that cancel out in all counts may stay unseen, and one more for the other of two days. */
const ROUND = 15;

/** Since which morning each page has been wrong. */
class Unseen {
  readonly #since = new Map<Day, Day>();
  readonly #merchant: FollowedMerchant;
  readonly #timeZone: string;

  constructor(merchant: FollowedMerchant, timeZone: string) {
    this.#merchant = merchant;
    this.#timeZone = timeZone;
  }

  async expectNearlyNone(from: Day, day: Day): Promise<void> {
    const until = morningAfter(day, this.#timeZone);
    const apart = { paid: 0, notPaid: 0, cancelled: 0 };
    for (let one = from; one <= day; one = addDays(one, 1)) {
      const { issued } = await this.#merchant.page(one);
      const truth = this.#merchant.issued(one, until);
      for (const state of STATES) apart[state] += (issued?.[state].count ?? 0) - truth[state].count;
      if (STATES.every((state) => issued?.[state].sum === truth[state].sum)) this.#since.delete(one);
      else if (!this.#since.has(one)) this.#since.set(one, day);
    }
    // What the counts show is on its page already.
    expect(apart, `in the morning after ${day}`).toEqual({ paid: 0, notPaid: 0, cancelled: 0 });
    for (const [one, since] of this.#since) {
      const mornings = (Date.parse(day) - Date.parse(since)) / 86_400_000;
      expect(mornings, `the page of ${one} in the morning after ${day}`).toBeLessThanOrEqual(ROUND);
    }
  }

  /** Every payment on its day, where no page is wrong. */
  async expectPayments(from: Day, day: Day): Promise<void> {
    const until = morningAfter(day, this.#timeZone);
    if (this.#since.size > 0) return;
    for (let one = from; one <= day; one = addDays(one, 1)) {
      const { received } = await this.#merchant.page(one);
      expect(received, `what came in on ${one}, after ${day}`).toMatchObject(
        this.#merchant.received(one, until),
      );
    }
  }
}

describe.each([
  ['type', 'Asia/Kuwait'],
  // Its clocks go back within these days.
  ['all', 'America/New_York'],
] as const)('a merchant over 120 days, with counts of %s, in %s', (statsScope, timeZone) => {
  it('has every change on a page within one morning, and every payment on its day', async () => {
    world = await DaybookWorld.start({ behaviour: { statsScope }, defaults: { lookbackDays: [], timeZone } });
    const merchant = new FollowedMerchant(world, `oracle ${statsScope}`, timeZone);
    await merchant.beginAt(FIRST);
    const unseen = new Unseen(merchant, timeZone);
    for (const day of days) {
      merchant.makeDay(day, 3);
      await merchant.morning(day);
      const from = addDays(day, -90) < FIRST ? FIRST : addDays(day, -90);
      await unseen.expectNearlyNone(from, day);
      await unseen.expectPayments(addDays(day, -8) < FIRST ? FIRST : addDays(day, -8), day);
    }
  }, 120_000);
});
