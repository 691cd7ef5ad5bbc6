import { BUCKET, CODE, DAY, type DaybookWorld } from '../world/daybook-world.ts';
import PostalMime from 'postal-mime';
import { perhapsReceived } from '#records/ledger/ledger-rounds.ts';
import { ledgerSchema } from '#records/ledger/ledger.ts';
import { historyKey, ledgerKey } from '#records/storage/keys.ts';
import {
  expectChecked,
  expectMailsInOrder,
  expectNewestIsTruth,
  expectOnceEach,
  expectRemembered,
  expectSealed,
  manifests,
  readersOf,
} from './bucket.ts';
import { delivery } from '../queues/queues.ts';
import { diedAt, leavesDoubt, type Point } from './point.ts';
import { A, B, WITH_TOPIC, AFTER_LEASE, type Scenario } from './scenario.ts';
import { defined } from '#support/assertions/index.ts';

const C = 'c@merchants.example';
const SCHEDULED = '2026-11-21T03:00:00Z';
const LATER = '2026-11-22T03:00:00Z';
const [NEXT, THIRD] = ['2026-11-21', '2026-11-22'];
const ONE_DAY = 24 * 60 * 60_000;
const MORNING = { merchantCode: CODE, days: [DAY, '2026-11-19'], send: true, scheduledTime: SCHEDULED };

function seeded(merchant: Record<string, unknown>): Scenario['arrange'] {
  return async (world) => {
    world.payments.data.seedDay(CODE, DAY, { invoices: 8, refunds: 2 });
    await world.putRegistry({ [CODE]: merchant });
  };
}

function event(more: Record<string, unknown>): Scenario['event'] {
  return () => ({ merchantCode: CODE, day: DAY, ...more });
}

const reported = (world: DaybookWorld) => world.report({ scheduledTime: SCHEDULED });

/** A run of the day that dies after SES has accepted its first mail. */
const diedMailing = diedAt('daily-report', event({ scheduledTime: SCHEDULED }), {
  operation: 'SendRawEmail',
});

function paysOne({ payments }: DaybookWorld): void {
  payments.data.insertInvoice(CODE, DAY, { invoice_status: 1 });
}

/** Checks a day after any of these: the number of revisions, and the newest mailed once to everyone. */
async function expectReported(
  world: DaybookWorld,
  died: Point | undefined,
  { revisions, readers, heldBefore = 0 }: { revisions: number; readers: string[]; heldBefore?: number },
): Promise<void> {
  expect(await expectSealed(world)).toHaveLength(revisions);
  await expectNewestIsTruth(world);
  await expectChecked(world);
  await expectRemembered(world);
  expectMailsInOrder(world);
  const mails = { got: readersOf(world, revisions), wanted: readers, heldBefore };
  await expectOnceEach(world, died, mails);
}

/** A resend is requested twice: the outcome of the first is unknown after its death, and the second is sent. */
async function expectSentAgain(world: DaybookWorld, to: readonly string[]): Promise<void> {
  const { round } = await world.ledger(1);
  expect([2, 3]).toContain(round);
  expect(to.length).toBeGreaterThan(1);
  expect(to.length).toBeLessThanOrEqual(round);
}

/** An unpaid invoice of the first day, and the two days after it. */
const seededMornings = (merchant: Record<string, unknown>) => async (world: DaybookWorld) => {
  for (const day of [DAY, NEXT, THIRD]) world.payments.data.seedDay(CODE, day, { invoices: 4, refunds: 1 });
  world.payments.data.insertInvoice(CODE, DAY, { invoice_status: 0 });
  await world.putRegistry({ [CODE]: { recipients: [A], lookbackDays: [1], ...merchant } });
};

/** Ordinary movement: no correction tells it. */
function settlesOne({ payments: { data } }: DaybookWorld): void {
  const unpaid = defined(data.truth(CODE, DAY).invoices.ids.at(-1));
  data.updateInvoice(CODE, unpaid, { invoice_status: 1 });
}

function nextMorning(world: DaybookWorld) {
  world.clock.ahead += ONE_DAY;
  return world.report({ day: THIRD, scheduledTime: '2026-11-23T03:00:00Z' });
}

/** The payment is told by the mail of one report, once, and by no correction. */
async function expectToldOnce(world: DaybookWorld, died: Point | undefined): Promise<void> {
  expect(await expectSealed(world)).toHaveLength(2);
  expect(world.mails('correction')).toEqual([]);
  const tellings = [];
  for (const manifest of [...(await manifests(world, NEXT)), ...(await manifests(world, THIRD))]) {
    const key = ledgerKey(manifest.day, CODE, manifest.revision);
    const ledger = ledgerSchema.parse(JSON.parse(await world.text(key)));
    if (ledger.tells !== false && perhapsReceived(ledger)) tellings.push(...manifest.told);
  }
  expect(tellings).toEqual([{ day: DAY, from: 1, to: 2 }]);
  const texts = await Promise.all(world.mails('report').map(({ raw }) => PostalMime.parse(raw)));
  const telling = texts.filter(({ text }) => text?.includes('1 older invoice was paid'));
  // Of a mail that was under way nobody knows whether it went out.
  const least = died !== undefined && leavesDoubt(died) ? 0 : 1;
  expect(telling.length).toBeGreaterThanOrEqual(least);
  expect(telling.length).toBeLessThanOrEqual(1);
}

const TELLING = {
  before: reported,
  change: settlesOne,
  ahead: ONE_DAY,
  calls: ['GetObject', 'PutObject', 'SendRawEmail'],
  verify: expectToldOnce,
};

const scenarios: readonly Omit<Scenario, 'functionName'>[] = [
  {
    name: 'a first report with an attachment and the day before, by a message of an earlier version',
    arrange: async (world) => {
      await seeded({ recipients: [A], attachCsv: true })(world);
      // The merchant is new: the run makes its history.
      await world.aws.s3.remove(BUCKET, historyKey(CODE));
    },
    event: (world) => delivery(world, { ...MORNING, large: true, sharedWith: null }),
    calls: ['GetObject', 'ListObjectsV2', 'GetSecretValue', 'PutObject', 'SendRawEmail'],
    verify: async (world, died) => {
      for (const day of MORNING.days) {
        expect(await expectSealed(world, day)).toHaveLength(1);
        await expectNewestIsTruth(world, day);
        await expectChecked(world, day);
      }
      const got = world.mails('report').map(({ tags }) => tags['day'] ?? '');
      await expectOnceEach(world, died, { got, wanted: MORNING.days });
      expect(world.queues.dead('reports')).toEqual([]);
    },
  },
  {
    name: 'a message whose login is refused',
    arrange: async (world) => {
      await seeded({ recipients: [A] })(world);
      world.payments.behaviour.loginRefused = true;
    },
    event: (world) => delivery(world, MORNING),
    calls: ['GetQueueAttributes', 'SendMessage'],
    verify: (world, died) => {
      expect(world.keys('days/')).toEqual([]);
      // It is put aside by both runs, unless one died before.
      const dead = world.queues.dead('reports');
      const once = died?.operation === 'SendMessage' && died.when === 'before' ? 1 : 2;
      expect(dead.length).toBeGreaterThanOrEqual(1);
      expect(dead.length).toBeLessThanOrEqual(once);
      for (const { message, reason } of dead) {
        expect(message).toEqual(MORNING);
        expect(reason).toMatch(/^2026-11-20: LoginRefusedError: .*; 2026-11-19: LoginRefusedError: /);
      }
    },
  },
  {
    name: 'a report by hand to two recipients, while the day changes',
    arrange: seeded({ recipients: [A, B] }),
    event: event({}),
    meanwhile: paysOne,
    calls: ['SendRawEmail'],
    verify: async (world, died) => {
      // The change is in the newest revision, whether the run died before or after the seal.
      const revisions = world.keys('days/').length;
      expect([1, ...(died === undefined ? [] : [2])]).toContain(revisions);
      await expectReported(world, died, { revisions, readers: [A, B] });
    },
  },
  {
    name: 'a correction',
    arrange: seeded({ recipients: [A, B] }),
    before: reported,
    change: paysOne,
    event: event({ scheduledTime: LATER }),
    calls: ['GetObject', 'PutObject', 'SendRawEmail'],
    verify: async (world, died) => {
      await expectReported(world, died, { revisions: 2, readers: [A, B] });
      expect(readersOf(world, 1)).toEqual([A, B]);
    },
  },
  {
    ...TELLING,
    name: 'a morning that tells of the day before',
    arrange: seededMornings({}),
    event: (world) => delivery(world, { ...MORNING, days: [NEXT], scheduledTime: LATER }),
    afterwards: nextMorning,
  },
  {
    ...TELLING,
    name: 'a morning whose report is read before the day that changed',
    arrange: seededMornings({ followFor: '0d' }),
    event: (world) => delivery(world, { ...MORNING, days: [NEXT, DAY], scheduledTime: LATER }),
    afterwards: nextMorning,
  },
  {
    ...TELLING,
    name: 'a report that tells what the one before it did not, whose mail was refused',
    arrange: seededMornings({}),
    before: async (world) => {
      await reported(world);
      settlesOne(world);
      world.clock.ahead += ONE_DAY;
      world.refuseMails(/./, Infinity);
      await world.report({ day: DAY, scheduledTime: LATER });
      await expect(world.report({ day: NEXT, scheduledTime: LATER })).rejects.toThrow();
      world.aws.faults.clear();
    },
    ahead: 2 * ONE_DAY,
    event: (world) =>
      delivery(world, { ...MORNING, days: [THIRD, NEXT], scheduledTime: '2026-11-23T03:00:00Z' }),
  },
  {
    name: 'a revision that no mail tells of',
    arrange: seeded({ recipients: [A] }),
    before: reported,
    change: ({ payments: { data } }) => {
      const [first] = data.truth(CODE, DAY).invoices.ids;
      data.updateInvoice(CODE, defined(first), { visited_count: 99 });
    },
    event: event({ scheduledTime: LATER }),
    calls: ['PutObject'],
    verify: async (world, died) => {
      await expectReported(world, died, { revisions: 2, readers: [] });
      expect(await world.ledger(2)).toMatchObject({ status: 'skipped' });
    },
  },
  {
    name: 'a mail that a dead run left half sent',
    options: WITH_TOPIC,
    arrange: seeded({ recipients: [A, B] }),
    before: diedMailing,
    event: event({ scheduledTime: SCHEDULED }),
    ahead: AFTER_LEASE,
    calls: ['SendRawEmail', 'Publish'],
    verify: async (world, died) => {
      await expectReported(world, died, { revisions: 1, readers: [A, B], heldBefore: 1 });
      expect(world.aws.notices.messages.length).toBeGreaterThan(0);
    },
  },
  {
    name: 'a correction of a mail that a dead run left half sent',
    options: WITH_TOPIC,
    arrange: seeded({ recipients: [A, B] }),
    before: diedMailing,
    change: paysOne,
    event: event({ scheduledTime: LATER }),
    ahead: AFTER_LEASE,
    calls: ['SendRawEmail', 'Publish'],
    verify: async (world, died) => {
      await expectReported(world, died, { revisions: 2, readers: [A, B], heldBefore: 1 });
      expect(readersOf(world, 1)).toEqual([A]);
      expect(world.aws.notices.messages.length).toBeGreaterThan(0);
    },
  },
  {
    name: 'a mail that is sent again',
    arrange: seeded({ recipients: [A] }),
    before: reported,
    event: event({ resend: true }),
    calls: ['SendRawEmail'],
    verify: async (world) => {
      expect(await expectSealed(world)).toHaveLength(1);
      await expectSentAgain(world, readersOf(world, 1));
    },
  },
  {
    name: 'a mail that is sent again to those who do not have it',
    arrange: seeded({ recipients: [A, B, C] }),
    before: async (world) => {
      for (const reader of [/^b@/, /^c@/])
        world.awsDoes({ kind: 'reset', when: 'before' }, { service: 'ses', key: reader });
      await reported(world);
    },
    event: event({ resend: 'failed' }),
    calls: ['SendRawEmail'],
    verify: async (world, died) => {
      expect(await expectSealed(world)).toHaveLength(1);
      await expectOnceEach(world, died, { got: readersOf(world, 1), wanted: [A, B, C] });
    },
  },
  {
    name: 'a mail that is sent again to named recipients',
    arrange: seeded({ recipients: [A, B] }),
    before: reported,
    event: event({ resend: [B] }),
    calls: ['SendRawEmail'],
    verify: async (world) => {
      const [first, ...others] = readersOf(world, 1);
      expect([first, new Set(others)]).toEqual([A, new Set([B])]);
      await expectSentAgain(world, others);
    },
  },
];

/** The scenarios of `daily-report` in the matrix. */
export const reportScenarios = scenarios.map((one): Scenario => ({ ...one, functionName: 'daily-report' }));
