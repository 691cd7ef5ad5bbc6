import { dayItemsOf } from '#support/plan/running-plan.ts';
import type { DailyReportAnswer } from '#page/daily-report/create-daily-report.ts';
import type { PlanResult } from '#functions/plan/plan-result.ts';
import { useWorld } from '#support/world/daybook-world.ts';
import { defined } from '#support/assertions/index.ts';

/** This is 06:00 in Kuwait, 08:30 in Kolkata, and 22:00 of the day before in New York. */
const TICK = '2026-11-21T03:00:00Z';
const KUWAIT = '700001';
const KOLKATA = '700002';
const NEW_YORK = '700003';
/** Yesterday in each merchant's zone. */
const DAYS: Record<string, string> = {
  [KUWAIT]: '2026-11-20',
  [KOLKATA]: '2026-11-20',
  [NEW_YORK]: '2026-11-19',
};

const world = useWorld({ merchants: 3, defaults: { lookbackDays: [1, 3] } });
beforeEach(async () => {
  // Days before `reportFrom` are sealed and not mailed, so each merchant gets one mail.
  await world.putRegistry({
    [KUWAIT]: { reportFrom: DAYS[KUWAIT] },
    [KOLKATA]: { reportFrom: DAYS[KOLKATA], timeZone: 'Asia/Kolkata', reportAt: '08:30', currency: 'INR' },
    [NEW_YORK]: {
      reportFrom: DAYS[NEW_YORK],
      timeZone: 'America/New_York',
      reportAt: '22:00',
      currency: 'USD',
    },
  });
  for (const [code, day] of Object.entries(DAYS)) {
    world.payments.data.seedDay(code, day, { invoices: 10, refunds: 1 });
  }
  world.clock.setTo('2026-11-21T03:00:20Z');
});

/** The days are sealed, and each merchant has one mail. */
function expectDone(): void {
  expect(world.keys('days/')).toHaveLength(9);
  expect(mailed()).toEqual(ONE_MAIL_EACH);
}

const plan = (event: Record<string, unknown> = {}) =>
  world.plan({ kind: 'daily', scheduledTime: TICK, ...event });

/** Does what a plan sends, as the workers do: merchants side by side, the days of each merchant one after another. */
async function run({ items }: PlanResult): Promise<DailyReportAnswer[]> {
  const answers = await Promise.all(
    dayItemsOf(items).map(async ({ merchantCode, days, send, scheduledTime }) => {
      const report = world.coldStart();
      const ofItem: DailyReportAnswer[] = [];
      for (const day of days) ofItem.push(await report({ merchantCode, day, send, scheduledTime }));
      return ofItem;
    }),
  );
  return answers.flat();
}

/** The merchant and day of each mail, by merchant. */
function mailed(): string[] {
  return world
    .mails()
    .map(({ tags }) => `${defined(tags['kind'])} ${defined(tags['merchant'])} ${defined(tags['day'])}`)
    .sort();
}

const ONE_MAIL_EACH = Object.entries(DAYS).map(([code, day]) => `report ${code} ${day}`);

describe('a tick, from plan to mail', () => {
  it('seals and mails once each day of three merchants in three zones, also told twice', async () => {
    const planned = await plan();
    expect(planned.rejected).toEqual([]);
    const answers = await run(planned);
    expect(answers).toHaveLength(9);
    expect(answers.every(({ balanced, revision }) => balanced && revision === 1)).toBe(true);
    expectDone();
    for (const [code, day] of Object.entries(DAYS)) {
      const of = answers.filter(({ merchantCode }) => merchantCode === code);
      expect(of.find((answer) => answer.day === day)).toMatchObject({
        counts: { total: 10 },
        mail: { status: 'sent' },
      });
      const others = of.filter((answer) => answer.day !== day);
      expect(others.map(({ mail }) => mail.status)).toEqual(['skipped', 'skipped']);
    }

    // When it comes twice, it changes nothing the second time: no pull, no revision, no mail.
    const keys = world.keys();
    const requests = world.payments.requests.length;
    const again = await plan();
    expect(again).toEqual(planned);
    const repeated = await run(again);
    expect(repeated.map(({ revision }) => revision)).toEqual(answers.map(() => 1));
    expect(new Set(repeated.map(({ mail }) => mail.status))).toEqual(new Set(['already-sent', 'skipped']));
    expect(world.payments.requests).toHaveLength(requests);
    expect(world.keys()).toEqual(keys);
    expect(mailed()).toEqual(ONE_MAIL_EACH);
  });

  it('that comes twice at the same time also has its effect only once', async () => {
    await Promise.all([plan(), plan()].map(async (planned) => run(await planned)));
    expectDone();
  });

  it('that is tried again continues with what the first try left', async () => {
    world.payments.behaviour.loginRefused = [KOLKATA];
    const planned = await plan();
    const tried = await Promise.allSettled(
      defined(planned.items).map((item) => run({ ...planned, items: [item] })),
    );
    expect(tried.filter(({ status }) => status === 'rejected')).toHaveLength(2);
    expect(mailed()).toEqual(ONE_MAIL_EACH.filter((mail) => !mail.includes(KOLKATA)));
    world.payments.behaviour.loginRefused = false;
    await run(planned);
    expectDone();
  });

  it('leaves no merchant to the next tick, and on the next day mails corrections of changed days', async () => {
    await run(await plan());
    expect(await plan({ scheduledTime: '2026-11-21T03:15:00Z' })).toMatchObject({ itemCount: 0 });
    world.payments.data.insertInvoice(KUWAIT, defined(DAYS[KUWAIT]), { invoice_status: 1 });
    world.clockAhead += 24 * 3_600_000;
    await run(await plan({ scheduledTime: '2026-11-22T03:00:00Z' }));
    expect(mailed()).toEqual(
      [
        ...ONE_MAIL_EACH,
        `correction ${KUWAIT} 2026-11-20`,
        `report ${KUWAIT} 2026-11-21`,
        `report ${KOLKATA} 2026-11-21`,
        `report ${NEW_YORK} 2026-11-20`,
      ].sort(),
    );
  });
});

it('a backfill, from plan to seal seals every day and mails nothing, and no later run mails a day unexpectedly', async () => {
  const planned = await plan({ scheduledTime: undefined, from: '2026-11-17', to: '2026-11-19' });
  await run(planned);
  expect(world.keys('days/')).toHaveLength(9);
  expect(world.sendRequests()).toBe(0);
  const again = await world.report({ merchantCode: KUWAIT, day: '2026-11-19' });
  expect(again.mail).toMatchObject({ status: 'skipped', reason: 'not asked for' });
  expect(world.sendRequests()).toBe(0);
});
