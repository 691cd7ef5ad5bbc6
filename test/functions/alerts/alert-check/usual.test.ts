import { describe, expect, it } from 'vitest';
import { AlertScript, minutesAfterNoon } from '#support/alert-check/alert-script.ts';
import { addDays } from '#records/day/business-day.ts';
import { CODE, DAY } from '#support/world/daybook-world.ts';
import { defined } from '#support/assertions/defined.ts';

const FRIDAYS = ['2026-10-23', '2026-10-30', '2026-11-06', '2026-11-13'];
const SO_FAR = { name: 'slow', measure: 'shareOfUsualSoFar', below: 50, notBefore: '14:00' };
const OF_DAY = { name: 'bad-day', measure: 'shareOfUsualDay', below: 50 };

let script: AlertScript;

/** An invoice of the day that was paid on it at a time. */
function paid(day: string, time: string, amount: string): void {
  const transaction = { payment_type: 'KNET', paid_on: `${day} ${time}` };
  script.world.payments.data.insertInvoice(CODE, day, { invoice_status: 1, amount, transaction });
}

/** Reports a day on the next morning. */
async function sealed(day: string): Promise<void> {
  const { clock } = script.world;
  clock.setTo(Math.max(clock.now(), Date.parse(`${day}T00:00:00Z`) + 30 * 3_600_000));
  await script.world.report({ day, send: false });
}

/** Each Friday had 30.000 before 14:00 and 20.000 after. */
async function fridays(days = FRIDAYS): Promise<void> {
  for (const day of days) {
    paid(day, '09:30:00', '10.000');
    paid(day, '13:59:59', '20.000');
    paid(day, '14:00:00', '20.000');
    await sealed(day);
  }
}

async function start(rules: readonly unknown[], merchant = {}): Promise<void> {
  script = await AlertScript.start([]);
  await script.rules(rules, merchant);
}

describe('a rule against the usual at this time of day', () => {
  it('waits for its time, fires with the figures, and is back when the day has caught up', async () => {
    await start([SO_FAR]);
    await fridays();
    paid(DAY, '10:00:00', '12.300');
    // 13:45 in Kuwait, and then 14:05.
    expect(await script.requestsOf(() => script.check(105))).toEqual({});
    expect(await script.check(125)).toMatchObject({ transitions: [{ to: 'firing', value: '41.000' }] });
    expect((await script.world.lastMail('alert')).text).toContain(
      '12.300 KWD paid today, 41% of what the last 4 Fridays had by 14:00 on average, you expect at least 50%',
    );
    paid(DAY, '14:20:00', '40.000');
    expect(await script.check(155)).toMatchObject({ transitions: [{ to: 'ok', value: '104.600' }] });
    expect((await script.world.lastMail('alert')).text).toContain('Fridays had by 14:30 on average');
  });

  it('looks the earlier days up once a day', async () => {
    await start([SO_FAR]);
    await fridays();
    paid(DAY, '10:00:00', '29.000');
    await script.check(125);
    const { usual } = await script.state();
    expect(usual).toMatchObject({ days: 4 });
    expect(defined(usual).before[56]).toBe('120.000');
    script.world.awsDoes({ kind: 'error', status: 403, code: 'AccessDenied' }, { key: /^days\// });
    expect(await script.check(140)).toMatchObject({ noData: [], transitions: [] });
  });

  it('has no data with too little history, and ops hear it once for all days', async () => {
    await start([SO_FAR]);
    await fridays(FRIDAYS.slice(3));
    paid(DAY, '10:00:00', '1.000');
    const young = { noData: [{ rule: 'slow', isWithoutUsual: true }], transitions: [] };
    for (const minutes of [125, 304, 305, 600, 24 * 60 + 125, 24 * 60 + 310]) {
      expect(await script.check(minutes)).toMatchObject(young);
    }
    expect(script.world.mails('ops')).toHaveLength(1);
    expect((await script.world.lastMail('ops')).text).toContain(
      'Rules against the usual need two earlier days',
    );
  });

  it.each([
    ['has a payment without a time', { paid_on: '2026-11-20' }],
    ['has a payment that does not say when', {}],
  ])('has no data where the day %s', async (_, transaction) => {
    await start([SO_FAR]);
    await fridays();
    script.world.payments.data.insertInvoice(CODE, DAY, { invoice_status: 1, transaction });
    expect(await script.check(125)).toMatchObject({ noData: [{ rule: 'slow' }], transitions: [] });
  });
});

describe('what ops hear of rules against the usual without data', () => {
  const OTHER = '700002';
  const withoutTime = (code: string, day: string) => {
    const transaction = { paid_on: day };
    script.world.payments.data.insertInvoice(code, day, { invoice_status: 1, transaction });
  };

  it.each<[string, Record<string, unknown>, string]>([
    ['the payments of the day so far have no times', SO_FAR, 'a payment without a time'],
    ['no day is sealed', OF_DAY, 'no sealed day'],
  ])('is one notice for all merchants and days where %s', async (_, rule, cause) => {
    const options = { merchants: 2, defaults: { alerts: [rule] } };
    script = await AlertScript.start([rule], options);
    for (const day of [0, 1]) {
      for (const merchantCode of [CODE, OTHER]) {
        withoutTime(merchantCode, addDays(DAY, day));
        for (const minutes of [125, 310]) {
          const { noData } = await script.check(day * 24 * 60 + minutes, { merchantCode });
          expect(noData).toMatchObject([{ rule: rule['name'], cause }]);
        }
      }
    }
    expect(script.world.mails('ops')).toHaveLength(1);
    expect((await script.world.lastMail('ops')).text).toContain(cause);
  });

  it('is a notice of its own where the service does not answer', async () => {
    await start([SO_FAR]);
    await fridays();
    script.world.serviceDoes({ kind: 'status', status: 400 }, { operation: 'invoices', times: Infinity });
    const { noData } = await script.check(125);
    expect(noData).toEqual([{ rule: 'slow', since: minutesAfterNoon(125) }]);
  });
});

describe('a rule against the usual of a whole day', () => {
  it('holds the newest sealed day against the first readings of its weekday', async () => {
    await start([OF_DAY]);
    await fridays();
    paid(DAY, '10:00:00', '20.500');
    await sealed(DAY);
    const check = () => script.check(0, { now: new Date(script.world.clock.now()).toISOString() });
    expect(await check()).toMatchObject({ transitions: [{ to: 'firing', value: '41.000' }] });
    expect((await script.world.lastMail('alert')).text).toContain(
      '20.500 KWD came in on Friday, 20 November 2026, 41% of what the last 4 Fridays had on average',
    );
    // A later reading of the day changes nothing: mornings are compared with mornings.
    paid(DAY, '23:00:00', '500.000');
    script.world.clock.setTo(script.world.clock.now() + 3_600_000);
    expect(await script.world.report({ day: DAY, send: false })).toMatchObject({ revision: 2 });
    expect(await check()).toMatchObject({ transitions: [], noData: [] });
    expect((await script.state()).rules['bad-day']?.place).toBe('firing');
  });

  it('has no data for a day that was out of balance when it was first read', async () => {
    await start([OF_DAY]);
    await fridays();
    script.world.payments.behaviour.faults.add({
      operation: 'invoices',
      times: Infinity,
      action: {
        kind: 'replace',
        body: (original) => original.replace(/"total_invoice_count":\d+/, '"total_invoice_count":99'),
      },
    });
    await sealed(DAY);
    const now = new Date(script.world.clock.now()).toISOString();
    expect(await script.check(0, { now })).toMatchObject({
      noData: [{ rule: 'bad-day', cause: 'a sealed day that cannot be compared' }],
    });
  });
});
