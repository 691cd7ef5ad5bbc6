import pLimit from 'p-limit';
import { AlertCheckBatch, CHECKS_AT_ONCE } from '#alerts/alert-check/create-alert-check.ts';
import { buildDependencies } from '#alerts/alert-check/dependencies.ts';
import { readEnvironment } from '#registry/environment.ts';
import { membersOf } from '#support/assertions/index.ts';
import { captureOutput } from '#support/runtime/captured-output.ts';
import { TOO_MANY_UNPAID, minutesAfterNoon } from '#support/alerts/alert-script.ts';
import { DAY, useWorld } from '#support/world/daybook-world.ts';

const CODES = ['700001', '700002', '700003', '700004', '700005'];
const [QUIET = '', FIRES = '', DAMAGED = '', UNREAD = ''] = CODES;

const world = useWorld({ merchants: CODES.length, defaults: { alerts: [TOO_MANY_UNPAID] } });
let output: ReturnType<typeof captureOutput>;
beforeEach(() => {
  output = captureOutput();
});

/** All of a batch, side by side, as one invocation. */
async function batch(minutes: number, events: readonly unknown[]) {
  world.clock.setTo(minutesAfterNoon(minutes));
  const dependencies = { ...buildDependencies(readEnvironment(process.env)), clock: world.clock };
  return dependencies.telemetry.during(undefined, async () => {
    const checks = new AlertCheckBatch(dependencies);
    const limit = pLimit(CHECKS_AT_ONCE);
    const results = await Promise.allSettled(events.map((event) => limit(() => checks.check(event))));
    checks.log();
    return results;
  });
}

const events = (codes: readonly string[]) => codes.map((merchantCode) => ({ merchantCode }));
const linesOf = (message: string) => output.lines().filter((line) => line['message'] === message);

it('loads the registry once, and each merchant moves and fails alone, named in lines of its own', async () => {
  await batch(0, events(CODES));
  for (let more = 0; more < 6; more += 1) world.payments.data.insertInvoice(FIRES, DAY);
  await world.aws.s3.write('daybook-data', `alerts/merchant=${DAMAGED}/state.json`, '{');
  world.serviceDoes({ kind: 'server-error', status: 500 }, { merchantCode: UNREAD, times: Infinity });
  output = captureOutput();
  const before = world.aws.requests.length;

  const results = await batch(15, [...events(CODES), { merchantCode: 'unknown-one' }, { nobody: 1 }]);

  const failing = results.flatMap(({ status }, index) => (status === 'rejected' ? [index] : []));
  expect([results.length, failing]).toEqual([7, [2, 5, 6]]);
  const loads = world.aws.requests.slice(before).filter(({ key }) => key === 'config/merchants.json');
  expect(loads).toHaveLength(1);
  const moved = linesOf('checked').map(({ merchantCode, day, mail = null }) => [merchantCode, day, mail]);
  expect(moved.sort()).toEqual([
    [FIRES, DAY, 'sent'],
    [UNREAD, DAY, null],
  ]);
  const failed = linesOf('failed').map(({ merchantCode = 'nobody', failure }) =>
    [merchantCode, membersOf(failure)['name']].join(': '),
  );
  expect(failed.sort()).toEqual([
    `${DAMAGED}: StoredObjectError`,
    `${UNREAD}: ServerError`,
    'nobody: InvalidEventError',
    'unknown-one: UnknownMerchantError',
  ]);
  expect(linesOf('checked a batch')).toMatchObject([
    { checks: 7, moved: 2, mailed: 1, withoutData: 1, ignored: 0, failed: 3 },
  ]);
  expect(world.mails('alert').flatMap(({ destinations }) => destinations)).toEqual([
    `owner-${FIRES}@merchants.example`,
  ]);
});

it('in which nothing moves has one line', async () => {
  await batch(0, events(CODES));
  output = captureOutput();
  await batch(15, events(CODES));
  const lines = output.lines().filter((line) => line['message'] !== undefined);
  expect(lines).toMatchObject([{ message: 'checked a batch', checks: CODES.length, moved: 0, failed: 0 }]);
  expect(lines[0]).not.toHaveProperty('merchantCode');
});

/** Counts requests to the service side by side. @param merchantCode of one merchant alone @returns the most so far */
function mostUnderWay(merchantCode?: string): () => number {
  let underWay = 0;
  let most = 0;
  const before = async () => {
    underWay += 1;
    most = Math.max(most, underWay);
    await new Promise((resolve) => setTimeout(resolve, 5));
    underWay -= 1;
  };
  const of = merchantCode === undefined ? {} : { merchantCode };
  world.payments.behaviour.faults.add({ ...of, times: Infinity, action: { kind: 'call', before } });
  return () => most;
}

it('has no more requests to the service under way than one report', async () => {
  const sums = [TOO_MANY_UNPAID, { name: 'sum', measure: 'unpaidAmount', above: '999999.000' }];
  await world.putRegistry(Object.fromEntries(CODES.map((code) => [code, { alerts: sums }])));
  for (const code of CODES) world.payments.data.seedDay(code, DAY, { invoices: 120, refunds: 0 });
  const most = mostUnderWay();
  const results = await batch(0, events(CODES));
  expect(results).toMatchObject(CODES.map(() => ({ value: { noData: [] } })));
  expect(most()).toBeGreaterThan(CODES.length);
  expect(most()).toBeLessThanOrEqual(15);
});

it('asks for one page at a time for rules on counts', async () => {
  world.payments.behaviour.latencyMilliseconds = 5;
  const most = mostUnderWay(QUIET);
  await batch(0, events(CODES));
  expect(most()).toBe(1);
});
