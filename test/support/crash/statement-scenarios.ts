import { daysOf, periodDays } from '#records/period/period.ts';
import { BUCKET, CODE, type DaybookWorld, DAY } from '../world/daybook-world.ts';
import { noteChange } from '../pages/generated-lake.ts';
import { delivery } from '../queues/queues.ts';
import { groupPageAt, sealPage, statementAt } from '../statement/statement-world.ts';
import { ALIAS, expectProven, prove } from '../proofs/running-prove.ts';
import { expectMailsInOrder, expectOnceEach, readersOf } from './bucket.ts';
import type { Point } from './point.ts';
import { A, B, type Scenario } from './scenario.ts';

const SCHEDULED = '2026-11-29T05:00:00Z';
const SUNDAY = Date.parse(SCHEDULED);
const WEEK = '2026-W48';
const FOLDER = `statements/period=${WEEK}/merchant=${CODE}`;
const DAYS = daysOf(periodDays(WEEK, 'sunday'));
/** `plan` has just looked. */
const SEEN = { at: new Date(SUNDAY).toISOString(), from: DAYS[0] };

/** Seals the week and waits for its end. */
function sealed(
  merchant: Record<string, unknown>,
  others: Record<string, unknown> = {},
): Scenario['arrange'] {
  return async (world) => {
    await world.putRegistry({ [CODE]: merchant }, {}, others);
    for (const day of DAYS) {
      const pulledAt = `${day}T21:00:00.000Z`;
      await sealPage(world, { day, pulledAt });
      await noteChange((key, body) => world.aws.s3.write(BUCKET, key, body), 'days', day, pulledAt);
    }
    world.clock.setTo(SUNDAY);
  };
}

async function expectStated(
  world: DaybookWorld,
  died: Point | undefined,
  { revisions, readers }: { revisions: number; readers: string[] },
): Promise<void> {
  expect(world.keys('statements/')).toEqual(
    Array.from({ length: revisions }, (_, index) => `${FOLDER}/r000${index + 1}.json`),
  );
  expectMailsInOrder(world);
  await expectOnceEach(world, died, { got: readersOf(world, revisions), wanted: readers });
}

const OF_WEEK = { merchantCode: CODE, period: WEEK };

async function statedAndChanged(world: DaybookWorld): Promise<void> {
  await world.statement(OF_WEEK);
  await sealPage(world, { day: DAYS[1] ?? '', revision: 2, pulledAt: SCHEDULED });
}

export const statementScenarios: readonly Scenario[] = [
  {
    name: 'a week to two recipients, by a message',
    functionName: 'daily-report',
    arrange: sealed({ recipients: [A, B] }),
    event: (world) =>
      delivery(world, {
        ...OF_WEEK,
        send: true,
        scheduledTime: SCHEDULED,
        revisions: DAYS.map(() => 1),
        seen: SEEN,
      }),
    calls: ['GetObject', 'PutObject', 'SendRawEmail'],
    verify: async (world, died) => {
      await expectStated(world, died, { revisions: 1, readers: [A, B] });
      expect((await statementAt(world, WEEK, 1)).counts.total).toBe(70);
    },
  },
  {
    name: 'a later revision that makes it final, as a person asks for it',
    functionName: 'statement',
    arrange: sealed({ recipients: [A, B] }),
    before: (world) => world.statement({ ...OF_WEEK, revisions: [1, 1, 0, 1, 1, 1, 1], seen: SEEN }),
    event: () => OF_WEEK,
    calls: ['GetObject', 'ListObjectsV2', 'PutObject', 'SendRawEmail'],
    verify: async (world, died) => {
      await expectStated(world, died, { revisions: 2, readers: [A, B] });
      expect(readersOf(world, 1)).toEqual([A, B]);
      expect((await statementAt(world, WEEK, 2)).final).toBe(true);
    },
  },
  {
    name: 'a revision that no mail tells of',
    functionName: 'statement',
    arrange: sealed({ recipients: [A] }),
    before: statedAndChanged,
    event: () => ({ ...OF_WEEK, scheduledTime: SCHEDULED }),
    calls: ['PutObject'],
    verify: async (world, died) => {
      await expectStated(world, died, { revisions: 2, readers: [] });
    },
  },
  {
    name: 'the closing of a week',
    functionName: 'statement',
    arrange: sealed({ recipients: [A], statements: { closeAfter: '1d' } }),
    before: statedAndChanged,
    ahead: 24 * 60 * 60 * 1_000,
    event: () => ({ ...OF_WEEK, scheduledTime: SCHEDULED }),
    calls: ['GetObject', 'PutObject'],
    verify: async (world) => {
      expect(world.keys(FOLDER)).toEqual(
        ['closed', 'r0001', 'r0002'].map((name) => `${FOLDER}/${name}.json`),
      );
      const { closedAt, days } = await statementAt(world, WEEK, 2);
      expect(JSON.parse(await world.text(`${FOLDER}/closed.json`))).toMatchObject({
        revision: 2,
        closedAt,
        rule: '1d',
        days: days.map(({ day, revision }) => ({ day, revision })),
      });
      expect(readersOf(world, 1)).toEqual([A]);
    },
  },
  {
    name: "a group's day, by a message",
    functionName: 'daily-report',
    arrange: sealed(
      { recipients: [A] },
      { groups: [{ name: 'shops', merchants: 'all', recipients: [B], daily: true }] },
    ),
    before: (world) => world.statement({ group: 'shops', period: DAYS[5], send: false }),
    event: (world) =>
      delivery(world, { group: 'shops', period: DAYS[6], send: true, scheduledTime: SCHEDULED }),
    calls: ['GetObject', 'ListObjectsV2', 'PutObject', 'SendRawEmail'],
    verify: async (world, died) => {
      await expectOnceEach(world, died, { got: readersOf(world, 1), wanted: [B] });
      expect((await groupPageAt(world, DAYS[6] ?? '', 1, 'shops')).merchants).toHaveLength(1);
      expect(world.keys(`statements/period=${DAYS[6]}/`)).toHaveLength(1);
    },
  },
];

const HOUR = 60 * 60 * 1_000;

export const proofScenarios: readonly Scenario[] = [
  {
    name: 'the pages of a night, after an earlier proof',
    functionName: 'prove',
    arrange: async (world) => {
      world.aws.keys.put(ALIAS);
      world.payments.data.seedDay(CODE, DAY, { invoices: 2, refunds: 1 });
      world.payments.data.seedDay(CODE, '2026-11-19', { invoices: 2, refunds: 0 });
      await world.putRegistry();
    },
    before: async (world) => {
      await world.report({ day: '2026-11-19', send: false });
      await prove(world);
      world.clock.ahead += 2 * HOUR;
      await world.report({ send: false });
      world.clock.ahead -= 2 * HOUR;
    },
    event: () => ({}),
    ahead: 24 * HOUR,
    calls: ['ListObjectsV2', 'GetObject', 'GetPublicKey', 'Sign', 'PutObject'],
    verify: (world) => expectProven(world, 2),
  },
];
