import { addDays } from '#records/day/business-day.ts';
import { rowsOf } from '#support/documentation/markdown.ts';
import { textOf } from '#support/documentation/documents.ts';
import { useAlertScript, TOO_MANY_UNPAID, minutesAfterNoon } from '#support/alerts/alert-script.ts';
import { createAlertCheck } from '#alerts/alert-check/create-alert-check.ts';
import { buildDependencies } from '#alerts/alert-check/dependencies.ts';
import { readEnvironment } from '#registry/environment.ts';
import { CODE, DAY } from '#support/world/daybook-world.ts';

/*
 * A merchant with rules has 96 checks a day, and most of them move nothing. So their calls of AWS are most of what alerts
 * cost.
 */

const script = useAlertScript();
let check: (minutes: number, event?: Record<string, unknown>) => Promise<string[]>;

beforeEach(async () => {
  const { world } = script;
  world.payments.data.seedDay(CODE, addDays(DAY, -1), { invoices: 3, refunds: 0 });
  world.clock.setTo(`${DAY}T04:00:00Z`);
  await world.report({ day: addDays(DAY, -1), send: false });
  const warm = createAlertCheck({ ...buildDependencies(readEnvironment(process.env)), clock: world.clock });
  check = async (minutes, event = {}) => {
    world.clock.setTo(minutesAfterNoon(minutes));
    const before = world.aws.requests.length;
    expect(await warm({ merchantCode: CODE, ...event })).toMatchObject({ noData: [], ignored: null });
    return world.aws.requests
      .slice(before)
      .map(({ operation, key = '' }) => `${operation} ${key.split('/')[0] ?? ''}`.trim());
  };
});

describe('a check of rules on counts', () => {
  it('that moves nothing reads the registry and the state, as docs/scale.md counts, and writes and lists nothing', async () => {
    const later = { name: 'later', measure: 'unpaidShare', above: 99, notBefore: '10:00' };
    const low = { name: 'low', measure: 'invoiceCount', below: 1, notBefore: '23:00' };
    await script.rules([TOO_MANY_UNPAID, later, low]);
    script.world.payments.data.insertInvoice(CODE, DAY, { invoice_status: 1 });
    await check(0);
    script.unpaid(3);
    expect((await check(1)).sort()).toEqual(['GetObject alerts', 'GetObject config']);
    script.unpaid(1);
    expect((await check(2)).sort()).toEqual(['GetObject alerts', 'GetObject config']);
    // A batch makes the call of the registry once.
    const rows = rowsOf(textOf('docs/scale.md'), 'a run');
    const [, writes, reads] = rows.find(([name]) => name?.startsWith('an alert check')) ?? [];
    expect(Number(writes)).toBeLessThan(0.05);
    expect(Number(reads)).toBeGreaterThan(1);
    expect(Number(reads)).toBeLessThan(1.2);
  });

  it('looks up once a day whose records these must be, without a LIST, and reads the secret once', async () => {
    const lookup = 'GetObject history';
    expect(await check(0)).toEqual([
      // A cold start looks at the last good copy, too.
      'GetObject config',
      'GetObject config',
      'GetObject alerts',
      lookup,
      'GetSecretValue daybook',
      'PutObject alerts',
    ]);
    for (const minutes of [1, 2]) expect(await check(minutes)).not.toContain(lookup);
    expect(await check(12 * 60)).toContain(lookup);
    expect(await check(12 * 60 + 1)).not.toContain(lookup);
  });

  it('writes the state once when a count out of bounds is counted or a rule fires', async () => {
    await script.rules([{ ...TOO_MANY_UNPAID, forChecks: 2 }]);
    await check(0);
    script.unpaid(6);
    for (const minutes of [1, 2]) {
      const calls = await check(minutes);
      expect(calls.filter((call) => call === 'PutObject alerts')).toHaveLength(1);
    }
    // The mail is no longer owed.
    expect(await check(3)).toContain('PutObject alerts');
    expect((await check(4)).sort()).toEqual(['GetObject alerts', 'GetObject config']);
  });
});
