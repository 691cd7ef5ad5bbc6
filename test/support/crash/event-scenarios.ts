import * as z from 'zod';
import { alertStateSchema } from '#records/ledger/alert-state.ts';
import {
  alertStateKey,
  addressHash,
  ledgerKey,
  manifestKey,
  suppressionKey,
  opsNoticeKey,
} from '#records/storage/keys.ts';
import { stopKey } from '#records/storage/readers-stop.ts';
import { CODE, DAY, type DaybookWorld } from '../world/daybook-world.ts';
import { TOO_MANY_UNPAID, minutesAfterNoon } from '../alerts/alert-script.ts';
import { eventOf, toldBy } from '../watch/running-watch.ts';
import { mailEventsOf, sesEvent, type Sample } from '../mail-events/running-mail-events.ts';
import { stopLinkIn, turnOnStops } from '../doors/doors.ts';
import { expectOnceEach, readersOf } from './bucket.ts';
import { diedAt, type Point } from './point.ts';
import { A, B, WITH_TOPIC, AFTER_LEASE, type Scenario, twoReaders } from './scenario.ts';

function ruled(rule: Record<string, unknown>): Scenario['arrange'] {
  return (world) => world.putRegistry({ [CODE]: { alerts: [rule], recipients: [A, B] } });
}

function unpaid(count: number): (world: DaybookWorld) => void {
  return ({ payments: { data } }) => {
    const { ids } = data.truth(CODE, DAY).invoices;
    for (const id of ids) data.updateInvoice(CODE, id, { invoice_status: 1 });
    for (let added = 0; added < count; added += 1) data.insertInvoice(CODE, DAY);
  };
}

const sixUnpaid: Scenario['arrange'] = async (world) => {
  await ruled(TOO_MANY_UNPAID)(world);
  unpaid(6)(world);
};

function tick(minutes: number): Scenario['event'] {
  const time = minutesAfterNoon(minutes);
  return () => ({ merchantCode: CODE, now: time, scheduledTime: time });
}

async function checked(world: DaybookWorld, minutes: number, count: number): Promise<void> {
  unpaid(count)(world);
  await world.alertCheck({ now: minutesAfterNoon(minutes) });
}

/** Who has a mail of the check at that tick. */
function reached(world: DaybookWorld, minutes: number): string[] {
  const at = minutesAfterNoon(minutes).slice(0, 19).replaceAll(/[-:]/g, '');
  const mails = world.mails('alert').filter(({ tags }) => tags['check']?.startsWith(at));
  return mails.flatMap(({ destinations }) => destinations.map((to) => `${minutes}: ${to}`)).sort();
}

function both(minutes: number): string[] {
  return [A, B].map((to) => `${minutes}: ${to}`);
}

/** Checks that the rule has this place, and that each recipient was mailed once for each tick. */
async function expectMoved(
  world: DaybookWorld,
  died: Point | undefined,
  { place, told, heldBefore = 0 }: { place: string; told: number[]; heldBefore?: number },
): Promise<void> {
  const state = alertStateSchema.parse(JSON.parse(await world.text(alertStateKey(CODE))));
  expect(state.rules[TOO_MANY_UNPAID.name]).toMatchObject({ place });
  const got = told.flatMap((minutes) => reached(world, minutes));
  expect(world.mails('alert')).toHaveLength(got.length);
  await expectOnceEach(world, died, { got, wanted: told.flatMap(both), heldBefore });
}

const scenarios: readonly Omit<Scenario, 'functionName'>[] = [
  {
    name: 'an alert that fires',
    arrange: ruled(TOO_MANY_UNPAID),
    before: (world) => checked(world, 0, 0),
    change: unpaid(6),
    event: tick(15),
    calls: ['GetSecretValue', 'PutObject', 'SendRawEmail'],
    verify: (world, died) => expectMoved(world, died, { place: 'firing', told: [15] }),
  },
  {
    name: 'an alert that is over',
    arrange: ruled(TOO_MANY_UNPAID),
    before: (world) => checked(world, 0, 6),
    change: unpaid(1),
    event: tick(15),
    calls: ['PutObject', 'SendRawEmail'],
    verify: (world, died) => expectMoved(world, died, { place: 'ok', told: [0, 15] }),
  },
  {
    name: 'an alert that is over before the mail of its firing went out',
    arrange: sixUnpaid,
    before: diedAt('alert-check', tick(0), { operation: 'PutObject', key: /^alerts\// }),
    change: unpaid(1),
    event: tick(15),
    calls: ['PutObject', 'SendRawEmail'],
    verify: (world, died) => expectMoved(world, died, { place: 'ok', told: [0, 15] }),
  },
  {
    name: 'an alert whose mail a dead check left half sent',
    options: WITH_TOPIC,
    arrange: sixUnpaid,
    before: diedAt('alert-check', tick(0), { operation: 'SendRawEmail' }),
    event: tick(15),
    ahead: AFTER_LEASE,
    calls: ['PutObject', 'SendRawEmail', 'Publish'],
    verify: async (world, died) => {
      await expectMoved(world, died, { place: 'firing', told: [0], heldBefore: 1 });
      expect(world.aws.notices.messages.length).toBeGreaterThan(0);
    },
  },
  {
    name: 'a rule that has no data for too long',
    options: WITH_TOPIC,
    // Without invoices the share has no value.
    arrange: ruled({ ...TOO_MANY_UNPAID, measure: 'unpaidShare' }),
    before: (world) => checked(world, 0, 0),
    event: tick(200),
    calls: ['PutObject', 'SendRawEmail', 'Publish'],
    verify: async (world, died) => {
      await expectMoved(world, died, { place: 'ok', told: [] });
      expect(world.mails('ops').length).toBeGreaterThan(0);
      expect(world.aws.notices.messages.length).toBeGreaterThan(0);
    },
  },
];

/** The scenarios of `alert-check` in the matrix. */
export const alertScenarios = scenarios.map((one): Scenario => ({ ...one, functionName: 'alert-check' }));

const OPS = 'ops@example.com';

const reported = (world: DaybookWorld) => world.report();

/** A run that dies between notice and record notifies again, which is better than no notice. */
function expectTold(world: DaybookWorld, about = ''): void {
  const told = world.aws.notices.messages.filter(({ message }) => message.includes(about));
  expect([1, 2]).toContain(told.length);
}

/** The event of SES about the first mail to an address. */
function happens(sample: Sample, address: string) {
  return (world: DaybookWorld) =>
    sesEvent(
      sample,
      world.mails().find(({ destinations }) => destinations.includes(address)),
    );
}

const stopSchema = z.object({ messageId: z.string(), reason: z.string() });

async function expectStopped(world: DaybookWorld, address: string): Promise<void> {
  const hash = addressHash(address);
  const text = await world.text(suppressionKey(hash));
  const { messageId, reason } = stopSchema.parse(JSON.parse(text));
  const about = `mail stopped: ${hash}, message ${messageId}, ${reason}`;
  expect(world.keys('mail/ops/')).toContain(opsNoticeKey(about));
  const told = world.mails('ops').filter(({ raw }) => raw.toString().replaceAll('=\r\n', '').includes(hash));
  expect([1, 2]).toContain(told.length);
  expectTold(world, hash);
}

const STOP = { hash: addressHash(A), of: { owner: { merchantCode: CODE }, mails: 'reports' as const } };

export const eventScenarios: readonly Scenario[] = [
  {
    name: 'a bounce that stops an address',
    functionName: 'mail-events',
    options: WITH_TOPIC,
    arrange: twoReaders,
    before: reported,
    event: happens('bounced-permanent', A),
    calls: ['GetObject', 'PutObject', 'SendRawEmail', 'Publish'],
    verify: async (world) => {
      await expectStopped(world, A);
      const { status, recipients } = await world.ledger(1);
      expect([status, ...recipients.map((entry) => entry.status)]).toEqual([
        'bounced',
        'bounced',
        'accepted',
      ]);
      expect(readersOf(world, 1)).toEqual([A, B]);
    },
  },
  {
    name: 'a reader who stops mails, and whose provider or who presses again',
    functionName: 'unsubscribe',
    options: WITH_TOPIC,
    arrange: async (world) => {
      turnOnStops(world, 'https://links.example');
      await twoReaders(world);
    },
    before: reported,
    event: async (world) => {
      const token = (await stopLinkIn(world, 'report', A)).split('/').at(-1);
      return {
        requestContext: { http: { method: 'POST' } },
        pathParameters: { token },
        body: 'List-Unsubscribe=One-Click',
      };
    },
    calls: ['GetSecretValue', 'GetObject', 'PutObject', 'SendRawEmail', 'Publish'],
    verify: (world) => {
      const key = stopKey(STOP);
      expect(world.keys('mail-stops/')).toEqual([key]);
      const about = `mails stopped by their reader: ${key}, 2026-11-21`;
      expect(world.keys('mail/ops/')).toContain(opsNoticeKey(about));
      expectTold(world);
      expect(readersOf(world, 1)).toEqual([A, B]);
    },
  },
  {
    name: 'a delivery',
    functionName: 'mail-events',
    arrange: twoReaders,
    before: reported,
    event: happens('delivered', B),
    calls: ['GetObject', 'PutObject'],
    verify: async (world) => {
      const { recipients } = await world.ledger(1);
      expect(recipients.map((entry) => entry.status)).toEqual(['accepted', 'delivered']);
      expect(readersOf(world, 1)).toEqual([A, B]);
    },
  },
  {
    name: 'a complaint about a notice, which has no ledger and stops nobody',
    functionName: 'mail-events',
    options: WITH_TOPIC,
    arrange: twoReaders,
    before: async (world) => {
      await reported(world);
      await mailEventsOf(world)(await happens('bounced-permanent', A)(world));
    },
    event: happens('complained', OPS),
    calls: ['PutObject', 'SendRawEmail', 'Publish'],
    verify: (world) => {
      expect(world.keys('mail-stops/')).toEqual([suppressionKey(addressHash(A))]);
      expectTold(world, addressHash(OPS));
    },
  },
  {
    name: 'a mailed report, which is told at least once, and always with the same id',
    functionName: 'announce',
    arrange: twoReaders,
    before: reported,
    event: () => eventOf(ledgerKey(DAY, CODE, 1)),
    calls: ['GetObject', 'PutEvents'],
    verify: (world) => {
      const page = manifestKey(DAY, CODE, 1);
      expect(new Set(toldBy(world).map(({ id }) => id))).toEqual(new Set([`ReportMailed ${page}`]));
    },
  },
];
