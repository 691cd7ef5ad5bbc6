import { seededRandom } from '#sandbox/payments/day/random.ts';
import { shuffled } from '#soak/draws.ts';
import { begunAtOnce, delayCalls, failures, quicken } from '#support/crash/at-once.ts';
import {
  expectChecked,
  expectKnownObjects,
  expectMailsAgree,
  expectNewestIsTruth,
  expectSealed,
} from '#support/crash/bucket.ts';
import { delivery, pageWorkerOf } from '#support/queues/queues.ts';
import { CODE, DAY, useWorld } from '#support/world/daybook-world.ts';

/*
 * SQS may deliver a message several times, also at the same time, and messages in any order. Each day is sealed and mailed once.
 */

const READERS = ['a@merchants.example', 'b@merchants.example'];
const SEEDS = [1, 2, 3];
const morning = (date: string, ...days: string[]) => ({
  merchantCode: CODE,
  days,
  send: true,
  scheduledTime: `${date}T03:00:00.000Z`,
});
const DAYS = [DAY, '2026-11-19', '2026-11-18'];
const LAST = morning('2026-11-21', ...DAYS);
/** Of three mornings, each with its lookback. */
const MESSAGES = [
  morning('2026-11-19', '2026-11-18'),
  morning('2026-11-20', '2026-11-19', '2026-11-18'),
  LAST,
];

const world = useWorld();
beforeEach(async () => {
  quicken(world);
  await world.putRegistry({ [CODE]: { recipients: READERS } });
  for (const day of DAYS) world.payments.data.seedDay(CODE, day, { invoices: 6, refunds: 2 });
});

/** An execution environment for each. @returns how many of the messages come back */
async function deliver(message: object): Promise<number> {
  const { batchItemFailures } = await pageWorkerOf(world)(delivery(world, message));
  return batchItemFailures.length;
}

async function expectOnce(): Promise<void> {
  await expectKnownObjects(world);
  for (const day of DAYS) {
    expect(await expectSealed(world, day)).toHaveLength(1);
    await expectNewestIsTruth(world, day);
    await expectChecked(world, day);
    const mails = world.mails('report').filter(({ tags }) => tags['day'] === day);
    expect(mails.flatMap(({ destinations }) => destinations).sort()).toEqual(READERS);
  }
  expect(world.mails('correction')).toEqual([]);
  expect(await expectMailsAgree(world)).toBe(0);
  expect(world.queues.dead('reports')).toEqual([]);
}

describe.each(SEEDS)('deliveries of messages seal and mail each day once (seed %i)', (seed) => {
  it('in any order, each twice', async () => {
    const messages = shuffled(seededRandom(`order ${seed}`), [...MESSAGES, ...MESSAGES]);
    for (const message of messages) expect(await deliver(message)).toBe(0);
    await expectOnce();
  });

  it.each([
    ['when one message comes five times at once', Array<object>(5).fill(LAST)],
    ['when all come at once', MESSAGES],
  ])('%s', async (_when, messages) => {
    delayCalls(world, seed);
    const runs = messages.map((message) => () => deliver(message));
    expect(failures(await begunAtOnce(seed, runs))).toEqual([]);
    // One that met another run comes back.
    for (const message of new Set(messages)) expect(await deliver(message)).toBe(0);
    await expectOnce();
  });
});
