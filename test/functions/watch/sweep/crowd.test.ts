import { afterEach, beforeEach, expect, it } from 'vitest';
import { ledgerKey } from '#records/storage/keys.ts';
import { DAY, DaybookWorld } from '#support/world/daybook-world.ts';
import { refuseNotices } from '#support/world/refused-notices.ts';
import { leaveDead, sweep } from '#support/sweep/running-sweep.ts';

const HOUR = 60 * 60 * 1_000;
const TOPIC = 'arn:aws:sns:us-east-1:111122223333:daybook-ops';

let world: DaybookWorld;
beforeEach(async () => {
  world = await DaybookWorld.start({ environment: { OPS_TOPIC_ARN: TOPIC } });
});
afterEach(() => world.close());

const subjects = () => world.aws.notices.messages.map(({ subject }) => subject);

/** Ledgers of dead runs. Each run died while it mailed its merchant's only recipient. */
async function leaveMany(from: number, count: number): Promise<void> {
  for (let index = from; index < from + count; index += 1) {
    const key = ledgerKey(DAY, `${800_000 + index}`, 1);
    await leaveDead(world, key, 'report', [`owner-${index}@merchants.example`]);
  }
  world.clockAhead += 2 * HOUR;
}

it('mails of 60 dead runs are reported in one notice, once, and those of later runs in another notice', async () => {
  await leaveMany(0, 60);
  expect(await sweep(world)).toEqual({ settled: 0, held: 60, removed: 0 });
  expect(subjects()).toEqual([`[Daybook] 60 merchants, ${DAY}: 60 mails of runs that died need a look`]);
  expect(world.mails('ops')).toHaveLength(1);
  const { message } = world.aws.notices.messages[0] ?? {};
  expect(message).toContain(`Merchant 800000: report held: ${ledgerKey(DAY, '800000', 1)}\n`);
  expect(message).toContain('… and 10 more');
  world.clockAhead += 2 * HOUR;
  await sweep(world);
  await leaveMany(60, 2);
  await sweep(world);
  expect(subjects().slice(1).sort()).toEqual([
    `[Daybook] Merchant 800060, ${DAY}: report held`,
    `[Daybook] Merchant 800061, ${DAY}: report held`,
  ]);
});

it('a notice that could not be sent is sent by the next sweep', async () => {
  await leaveMany(0, 30);
  refuseNotices(world);
  await expect(sweep(world)).rejects.toMatchObject({ name: 'SweepUnfinishedError' });
  world.aws.faults.clear();
  world.clockAhead += 2 * HOUR;
  await sweep(world);
  expect(subjects()).toEqual([`[Daybook] 30 merchants, ${DAY}: 30 mails of runs that died need a look`]);
  expect((await world.ledger(1, '800000')).status).toBe('held');
});
