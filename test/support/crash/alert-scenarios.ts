import { alertStateSchema } from '#records/ledger/alert-state.ts';
import { alertStateKey } from '#records/storage/keys.ts';
import { CODE, DAY, type DaybookWorld } from '../world/daybook-world.ts';
import { TOO_MANY_UNPAID, minutesAfterNoon } from '../alert-check/alert-script.ts';
import { expectOnceEach } from './bucket.ts';
import { diedAt } from './died-at.ts';
import type { Point } from './point.ts';
import { A, B, WITH_TOPIC, AFTER_LEASE, type Scenario } from './scenario.ts';

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
    arrange: async (world) => {
      await ruled(TOO_MANY_UNPAID)(world);
      unpaid(6)(world);
    },
    before: diedAt('alert-check', tick(0), { operation: 'PutObject', key: /^alerts\// }),
    change: unpaid(1),
    event: tick(15),
    calls: ['PutObject', 'SendRawEmail'],
    verify: (world, died) => expectMoved(world, died, { place: 'ok', told: [0, 15] }),
  },
  {
    name: 'an alert whose mail a dead check left half sent',
    options: WITH_TOPIC,
    arrange: async (world) => {
      await ruled(TOO_MANY_UNPAID)(world);
      unpaid(6)(world);
    },
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
