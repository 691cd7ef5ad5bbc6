import { addDays, type Day } from '#records/day/business-day.ts';
import { daysOf } from '#records/period/period.ts';
import { statementSchema } from '#page/figures/statement.ts';
import { defined } from '#support/assertions/index.ts';
import { CODE, DaybookWorld } from '#support/world/daybook-world.ts';
import { FollowedMerchant, morningAfter } from '#support/follow/followed-merchant.ts';

const FIRST = '2026-08-01';
const lastDay = addDays(FIRST, 119);
const days = daysOf({ from: FIRST, to: lastDay });
const daysBack = (day: Day, count: number) => (addDays(day, -count) < FIRST ? FIRST : addDays(day, -count));
const MONTHS = ['2026-08', '2026-09', '2026-10'];

const STATES = ['paid', 'notPaid', 'cancelled'] as const;
const NONE = { paid: 0, notPaid: 0, cancelled: 0 };

/** Mornings for which changes that cancel out in all counts may stay unseen, and one more for the other of two days. */
const ROUND = 15;

/** Since which morning each page has been wrong. */
class Unseen {
  readonly #since = new Map<Day, Day>();
  readonly #merchant: FollowedMerchant;
  readonly #timeZone: string;
  readonly #isOfRanges: boolean;

  /** @param isOfRanges whether the service's counts are of a whole range */
  constructor(merchant: FollowedMerchant, timeZone: string, isOfRanges: boolean) {
    this.#merchant = merchant;
    this.#timeZone = timeZone;
    this.#isOfRanges = isOfRanges;
  }

  async expectNearlyNone(from: Day, day: Day): Promise<void> {
    const until = morningAfter(day, this.#timeZone);
    const apart = { ...NONE };
    for (const one of daysOf({ from, to: day })) {
      const { issued, outcomes, refunds } = await this.#merchant.page(one);
      // A refund is followed by its id.
      expect(refunds.byStatus, `refunds of ${one} after ${day}`).toEqual(this.#merchant.refunds(one, until));
      const truth = this.#merchant.issued(one, until);
      const of = { ...NONE };
      for (const state of STATES) of[state] = (issued?.[state].count ?? 0) - truth[state].count;
      // Each open day is asked for alone where counts are of one day. Others are in the round.
      const isAsked = outcomes?.open.some(({ lastDay }) => (lastDay ?? '') >= day) === true;
      if (this.#isOfRanges) for (const state of STATES) apart[state] += of[state];
      if (STATES.every((state) => issued?.[state].sum === truth[state].sum)) this.#since.delete(one);
      else if (!this.#since.has(one)) this.#since.set(one, day);
      if (!this.#isOfRanges && isAsked) expect(of, `${one} after ${day}`).toEqual(NONE);
    }
    // What the counts show is on its page already.
    expect(apart, `in the morning after ${day}`).toEqual(NONE);
    for (const [one, since] of this.#since) {
      const mornings = (Date.parse(day) - Date.parse(since)) / 86_400_000;
      expect(mornings, `the page of ${one} in the morning after ${day}`).toBeLessThanOrEqual(ROUND);
    }
  }

  /** Every payment on its day, where no page is wrong. */
  async expectPayments(from: Day, day: Day): Promise<void> {
    const until = morningAfter(day, this.#timeZone);
    if (this.#since.size > 0) return;
    for (const one of daysOf({ from, to: day })) {
      const { received } = await this.#merchant.page(one);
      const truth = this.#merchant.received(one, until);
      expect(received, `what came in on ${one}, after ${day}`).toMatchObject(truth);
    }
  }
}

/** What the merchant was told of each day, mail by mail. */
class ToldByMail {
  readonly #world: DaybookWorld;
  readonly #merchant: FollowedMerchant;
  /** The revision of each day that was told last. */
  readonly #told = new Map<Day, number>();
  #mails = 0;

  constructor(world: DaybookWorld, merchant: FollowedMerchant) {
    this.#world = world;
    this.#merchant = merchant;
  }

  async expectOnce(from: Day, day: Day): Promise<void> {
    const mails = this.#world.mails().slice(this.#mails);
    this.#mails += mails.length;
    for (const { tags } of mails) {
      const of = tags['day'] ?? '';
      const revision = Number(tags['revision']);
      const { told } = await this.#merchant.page(of, revision);
      for (const tells of tags['kind'] === 'report' ? told : []) {
        expect(this.#told.get(tells.day), `${tells.day} in the report of ${of}`).toBe(tells.from);
        this.#told.set(tells.day, tells.to);
      }
      expect(this.#told.get(of) ?? 0, `the ${tags['kind']} of ${of}`).toBeLessThan(revision);
      this.#told.set(of, revision);
    }
    const shownBy = async (one: Day, revision?: number) => {
      const { issued, received } = await this.#merchant.page(one, revision);
      return { issued, received };
    };
    for (const one of daysOf({ from, to: day }))
      expect(await shownBy(one, this.#told.get(one)), `told of ${one} after ${day}`).toEqual(
        await shownBy(one),
      );
  }
}

it.each([
  ['type', 'Asia/Kuwait'],
  // Its clocks go back within these days.
  ['all', 'America/New_York'],
  ['day', 'Asia/Kuwait'],
] as const)(
  'a merchant over 120 days, with counts of %s, in %s, has every change on a page within one morning and in one mail, and every payment on its day and in its month',
  async (statsScope, timeZone) => {
    const world = await DaybookWorld.ofTest({
      behaviour: { statsScope },
      defaults: { lookbackDays: [], timeZone },
    });
    const merchant = new FollowedMerchant(world, `oracle ${statsScope}`, timeZone);
    await merchant.beginAt(FIRST);
    const unseen = new Unseen(merchant, timeZone, statsScope !== 'day');
    const toldByMail = new ToldByMail(world, merchant);
    for (const day of days) {
      merchant.makeDay(day, 3);
      merchant.makeRefund(day);
      await merchant.morning(day);
      await unseen.expectNearlyNone(daysBack(day, 90), day);
      await toldByMail.expectOnce(daysBack(day, 90), day);
      await unseen.expectPayments(daysBack(day, 8), day);
    }
    for (const month of MONTHS) {
      const { statementKey } = await world.statement({ merchantCode: CODE, period: month, send: false });
      const { received } = statementSchema.parse(JSON.parse(await world.text(defined(statementKey))));
      expect(received, month).toMatchObject(merchant.received(month, morningAfter(lastDay, timeZone)));
    }
  },
  400_000,
);
