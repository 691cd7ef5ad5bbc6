import type { SQSEvent } from 'aws-lambda';
import { textLike, membersOf } from '#support/assertions/index.ts';
import { pageWorkerOf, pass, send, sourceOf } from '#support/queues/queues.ts';
import { lambdaContext } from '#support/runtime/lambda-context.ts';
import { DAY, useWorld } from '#support/world/daybook-world.ts';

/*
 * A morning with merchants that fail for ever, hang, are throttled, or have a year to report: the others do not wait for them,
 * and nobody is forgotten.
 */

const TICK = '2026-11-21T03:00:00.000Z';
const HEALTHY = ['700001', '700002', '700003', '700004', '700005', '700006'];
const [REFUSED, HANGING, THROTTLED, LONG] = ['700007', '700008', '700009', '700010'] as const;
/** Days that a run of the long backfill has time for: half of 15 minutes. Milliseconds. */
const A_DAY_TAKES = 5_000;
const LONGEST = 900_000;

const world = useWorld({ merchants: 10 });

function codesSealed(): string[] {
  return world.keys(`days/day=${DAY}/`).map((key) => /merchant=(\d+)\/r0001/.exec(key)?.[1] ?? key);
}

/** Every day of the backfill, run by run. Its reports take time and do nothing else. */
function backfill() {
  const runs: string[][] = [];
  const work = (event: SQSEvent) => {
    const run: string[] = [];
    runs.push(run);
    const report = (asked: unknown) => Promise.resolve(run.push(String(membersOf(asked)['day'])));
    const getRemainingTimeInMillis = () => LONGEST - A_DAY_TAKES * run.length;
    return pageWorkerOf(world, { report })(event, lambdaContext({ getRemainingTimeInMillis }));
  };
  return { runs, source: sourceOf(world, 'backfills', work) };
}

it("are in nobody's way, and each of them is done or put aside with its reason", async () => {
  world.payments.behaviour.loginRefused = [REFUSED];
  world.serviceDoes(
    { kind: 'status', status: 429, retryAfter: 60 },
    { merchantCode: THROTTLED, operation: 'invoices', times: Infinity },
  );
  const malformed = { merchantCode: '700001', days: 'all' };
  send(world, 'reports', malformed);
  await world.plan({ kind: 'daily', day: DAY, scheduledTime: TICK });
  await world.plan({ kind: 'daily', from: '2025-10-17', to: DAY, merchants: [LONG], scheduledTime: TICK });

  const hanging: ((timedOut: Error) => void)[] = [];
  const work = pageWorkerOf(world);
  const reports = sourceOf(
    world,
    'reports',
    (event) =>
      event.Records[0]?.body.includes(HANGING) === true
        ? new Promise((_resolve, reject) => hanging.push(reject))
        : work(event),
    3,
  );
  const long = backfill();
  reports.start();
  // Two are left: the one that hangs is still in its first run, and the throttled one waits.
  const queue = world.queues.nameOf('reports');
  const receives = () => world.aws.queues.messages(queue).map((message) => message.receives);
  await Promise.all([
    long.source.drain(),
    vi.waitFor(() => expect([receives(), reports.running]).toEqual([[1, 1], 1]), 20_000),
  ]);
  expect(codesSealed()).toEqual([...HEALTHY, LONG].sort());

  expect(long.runs.flat()).toHaveLength(400);
  expect(new Set(long.runs.flat())).toHaveLength(400);
  expect(long.runs.length).toBe(5);
  expect(world.queues.dead('backfills')).toEqual([]);

  world.payments.behaviour.faults.clear();
  for (let receive = 1; receive <= 3; receive += 1) {
    pass(world, 17);
    for (const kill of hanging.splice(0)) kill(new Error('Task timed out after 900.00 seconds'));
    const left = receive < 3 ? [receive + 1] : [];
    await vi.waitFor(() => expect(receives()).toEqual(left), 20_000);
  }
  await reports.stop();
  expect(codesSealed()).toEqual([...HEALTHY, THROTTLED, LONG].sort());
  const dead = world.queues.dead('reports');
  expect(dead).toHaveLength(3);
  expect(dead).toEqual(
    expect.arrayContaining([
      { message: malformed, reason: textLike(/^the message: InvalidEventError: /) },
      {
        message: { merchantCode: REFUSED, days: [DAY], send: true, scheduledTime: TICK },
        reason: textLike(new RegExp(`^${DAY}: LoginRefusedError: `)),
      },
      // SQS itself puts aside what no run lived to answer.
      {
        message: { merchantCode: HANGING, days: [DAY], send: true, scheduledTime: TICK },
        reason: undefined,
      },
    ]),
  );
  const mailed = world.mails('report').flatMap(({ tags }) => tags['merchant'] ?? []);
  expect(mailed.sort()).toEqual([...HEALTHY, THROTTLED, LONG].sort());
});
