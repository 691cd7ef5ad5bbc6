import { beforeAll, describe, expect, it } from 'vitest';
import { CODE, DAY, DaybookWorld } from '#support/world/daybook-world.ts';
import { daysMessageSchema } from '#runtime/queue-message.ts';
import { expectKnownObjects } from '#support/crash/bucket.ts';
import { BuiltRun } from '#support/crash/built-run.ts';
import { killAt, pointsOf, type Point } from '#support/crash/point.ts';
import { WITH_TOPIC } from '#support/crash/scenario.ts';

/*
 * `plan` has something to tell and dies at any of its calls, and nobody runs it again: whoever was due has a message after
 * the next tick.
 */

const BEFORE = '2026-11-21T02:45:00Z';
const TICK = '2026-11-21T03:00:00Z';
const NEXT = '2026-11-21T03:15:00Z';

const aheadOf = (time: string) => Date.parse(time) + 5_000 - Date.now();
const eventOf = (scheduledTime: string) => ({ kind: 'daily', scheduledTime });

async function startWorld(): Promise<DaybookWorld> {
  const world = await DaybookWorld.start({ merchants: 3, ...WITH_TOPIC });
  await tick(world, BEFORE);
  await world.putRegistry({ 700003: { timeZone: 'Nowhere', unknownHere: 1 } });
  return world;
}

/** A tick that completes, in this process. */
async function tick(world: DaybookWorld, time: string): Promise<void> {
  Object.assign(process.env, world.environment);
  world.clockAhead = aheadOf(time);
  await world.plan(eventOf(time));
}

function builtTick(world: DaybookWorld): BuiltRun {
  const { environment } = world;
  return new BuiltRun({ functionName: 'plan', event: eventOf(TICK), environment, ahead: aheadOf(TICK) });
}

let points: Point[] = [];
beforeAll(async () => {
  const world = await startWorld();
  const earlier = world.aws.requests.length;
  expect(await builtTick(world).outcome).toHaveProperty('answer');
  points = pointsOf(world.aws.requests.slice(earlier));
  await world.close();
});

async function dieAt(point: Point): Promise<void> {
  const world = await startWorld();
  try {
    const run = builtTick(world);
    killAt(world.aws, point, () => run.kill());
    expect(await run.outcome, point.name).toEqual({ ended: 'SIGKILL' });
    await tick(world, NEXT);
    const messages = world.queues.sent('reports').map((body) => daysMessageSchema.parse(body));
    for (const merchantCode of [CODE, '700002']) {
      const own = messages.filter((message) => message.merchantCode === merchantCode);
      expect(
        own.flatMap(({ days }) => days),
        point.name,
      ).toContain(DAY);
    }
    await expectKnownObjects(world);
    // Ops were notified of both faults once, and at most once more by the run that died.
    expect(world.keys('mail/ops/'), point.name).toHaveLength(2);
    expect(world.mails('ops').length, point.name).toBeLessThanOrEqual(4);
  } finally {
    await world.close();
  }
}

describe('a tick that dies while it has ops to notify', () => {
  it('makes calls to read, to write and to notify', () => {
    const made = new Set(points.map(({ operation }) => operation));
    for (const operation of ['GetObject', 'ListObjectsV2', 'SendMessageBatch', 'PutObject', 'SendRawEmail']) {
      expect(made).toContain(operation);
    }
    const last = points.at(-1);
    expect(last?.call).toBe('s3 PutObject plan/daily.json');
  });

  it.each(['before', 'after'] as const)(
    'leaves no merchant out when it dies %s any of its calls: the next tick sends what is missing',
    async (when) => {
      const places = points.filter((point) => point.when === when);
      expect(places.length).toBeGreaterThan(10);
      for (const point of places) await dieAt(point);
    },
    300_000,
  );
});
