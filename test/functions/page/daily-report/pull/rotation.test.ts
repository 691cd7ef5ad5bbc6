import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sandboxMerchant } from '#sandbox/payments/index.ts';
import type { Operation } from '#sandbox/payments/index.ts';
import { CODE, DAY, DaybookWorld } from '#support/world/daybook-world.ts';
import { captureOutput } from '#support/runtime/captured-output.ts';
import { expectNothingDone, failureOf } from '#support/daily-report/failed-run.ts';
import { defined } from '#support/assertions/defined.ts';
import { membersOf } from '#support/assertions/members.ts';

/** A day before `DAY` on which nothing happened. */
const EMPTY_DAY = '2026-11-18';
const INVOICES = 60;
const REFUNDS = 12;
/** The requests of a pull of that day when nothing changes. */
const PLAIN_PULL = 50;
const OLD = sandboxMerchant(0);
const CIPHER = { algorithm: 'aes-256-cbc', key: 'n'.repeat(32), iv: 'v'.repeat(16) } as const;

/**
 * The possible changes: their values in the secret, the change at the service, and the error of a run with an old or wrong
 * value.
 */
const CHANGES = {
  'cipher key': {
    inSecret: { cipher: CIPHER },
    wrong: { cipher: { ...CIPHER, key: 'x'.repeat(32) } },
    atService: () => world.payments.rotate(CODE, CIPHER),
    error: 'InvalidRequestError',
    cipherFailures: 1,
  },
  'access code': {
    inSecret: { accessCode: 'new-access-code' },
    wrong: { accessCode: 'wrong-access-code' },
    atService: () => world.payments.reissue(CODE, { accessCode: 'new-access-code' }),
    error: 'ForbiddenError',
    cipherFailures: 0,
  },
  password: {
    inSecret: { password: 'new password' },
    wrong: { password: 'wrong password' },
    atService: () => world.payments.reissue(CODE, { password: 'new password' }),
    error: 'LoginRefusedError',
    cipherFailures: 0,
  },
} as const;

/** The moment of a change in the middle of a run: before a request of this kind, after this many others of its kind. */
const MOMENTS: [string, Operation, number][] = [
  ['at the login', 'login', 0],
  ['in the middle of the pages', 'invoices', 7],
  ['in the middle of the refunds', 'refund', 5],
];

/** Each change at a moment of its own. */
const COMBINATIONS = Object.entries(CHANGES).map(([what, change], index) => {
  const [when, operation, skip] = defined(MOMENTS[(index + 1) % MOMENTS.length]);
  return { what, when, operation, skip, ...change };
});
type Combination = (typeof COMBINATIONS)[number];

let world: DaybookWorld;
let output: ReturnType<typeof captureOutput>;
beforeEach(async () => {
  world = await DaybookWorld.start({ perPage: 4 });
  await world.putEmptyHistories();
  world.payments.data.seedDay(CODE, DAY, { invoices: INVOICES, refunds: REFUNDS });
  // Otherwise no password would be sent again in the middle of a run.
  world.payments.behaviour.tokenDiesEvery = 6;
  world.payments.behaviour.refreshRefused = true;
  output = captureOutput();
});
afterEach(() => world.close());

function during({ operation, skip }: Combination, change: () => void): void {
  world.payments.behaviour.faults.add({ operation, skip, action: { kind: 'call', before: change } });
}

/** A function that has the old secret in its cache. Requests to the service and reads of the secret are counted from now on. */
async function warmFunction() {
  const warm = world.coldStart();
  // A day without invoices: its pull signs in and reads one page.
  await warm({ merchantCode: CODE, day: EMPTY_DAY, dryRun: true });
  world.aws.secrets.reads = 0;
  world.payments.requests.length = 0;
  return () => warm({ merchantCode: CODE, day: DAY });
}

function cipherFailures(): number {
  return output.lines().reduce((sum, line) => sum + Number(line['CipherFailures'] ?? 0), 0);
}

async function expectRightReport(run: Promise<unknown>): Promise<void> {
  const { invoices, refunds } = world.payments.data.truth(CODE, DAY);
  expect(await run).toMatchObject({ revision: 1, balanced: true, mail: { status: 'sent' } });
  const rows = async (table: string) => {
    const { files } = await world.manifest(1);
    const key = defined(files.find((file) => file.table === table && file.format === 'json')).key;
    const lines = (await world.text(key)).split('\n').slice(0, -1);
    return lines.map((line) => Number(membersOf(JSON.parse(line))['id'])).sort((a, b) => a - b);
  };
  expect(await rows('invoices')).toEqual(invoices.ids);
  expect(await rows('refunds')).toEqual(refunds.ids);
  expect(cipherFailures()).toBe(0);
}

async function expectClearFailure(run: Promise<unknown>, { error, cipherFailures: counted }: Combination) {
  expect((await failureOf(run)).name).toBe(error);
  await expectNothingDone(world);
  expect(cipherFailures()).toBe(counted);
}

/** Many requests can be in flight at the change, but they do not each log in again. */
function expectFewRequests(): void {
  const logins = world.payments.requests.filter(({ operation }) => operation === 'login').length;
  const others = world.payments.requests.length - logins;
  expect(others).toBeLessThan(3 * PLAIN_PULL);
  expect(logins).toBeLessThan(3 * (PLAIN_PULL / 6));
}

describe.each(COMBINATIONS)('a new $what, $when', (combination) => {
  const { inSecret, wrong, atService } = combination;

  it('at the service and in the secret: the secret is read once more, not from the cache', async () => {
    const run = await warmFunction();
    during(combination, () => {
      world.putSecret({ [CODE]: inSecret });
      atService();
    });
    await expectRightReport(run());
    expect(world.aws.secrets.reads).toBe(1);
    expectFewRequests();
  });

  it('at the service, and in the secret since shortly before the run: the secret is read once more', async () => {
    const run = await warmFunction();
    world.putSecret({ [CODE]: inSecret });
    during(combination, atService);
    await expectRightReport(run());
    expect(world.aws.secrets.reads).toBe(1);
    expectFewRequests();
  });

  it('at the service and in the entry’s "previous": that value is used', async () => {
    const run = await warmFunction();
    world.putSecret({ [CODE]: { ...wrong, previous: inSecret } });
    during(combination, atService);
    await expectRightReport(run());
    expect(world.aws.secrets.reads).toBe(1);
    expectFewRequests();
  });

  it('at the service and in the version before the last: that value is used', async () => {
    const run = await warmFunction();
    world.putSecret({ [CODE]: inSecret });
    world.putSecret({ [CODE]: wrong });
    during(combination, atService);
    await expectRightReport(run());
    expect(world.aws.secrets.reads).toBe(2);
    expectFewRequests();
  });

  it('only at the service: the run ends with the first error and seals nothing; the run after the secret’s change is right', async () => {
    const run = await warmFunction();
    during(combination, atService);
    await expectClearFailure(run(), combination);
    expect(world.aws.secrets.reads).toBeLessThanOrEqual(2);
    expectFewRequests();
    world.putSecret({ [CODE]: inSecret });
    expect(await world.report()).toMatchObject({ revision: 1, balanced: true });
  });
});

describe.each(Object.entries(CHANGES))(
  'a new %s in the secret before the service has it',
  (_what, change) => {
    it('is not used; the version before the rotation is used as long as the service accepts it', async () => {
      world.putSecret({ [CODE]: change.inSecret });
      await expectRightReport(world.report());
      expectFewRequests();
    });

    it('is not used; the entry’s "previous" is used', async () => {
      world.putSecret({ [CODE]: { ...change.inSecret, previous: oldOf(change.inSecret) } });
      await expectRightReport(world.report());
      expect(world.aws.secrets.reads).toBe(2);
      expectFewRequests();
    });
  },
);

/** The old values of the members of a change. */
function oldOf(change: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(OLD).filter(([name]) => name in change));
}

it.each(MOMENTS.slice(1))(
  'when the service changes its key %s of a run that uses the old key, the run ends with a clear error, and the next run is right',
  async (_when, operation, skip) => {
    const { inSecret, atService } = CHANGES['cipher key'];
    world.putSecret({ [CODE]: { ...inSecret, previous: oldOf(inSecret) } });
    world.payments.behaviour.faults.add({
      operation,
      // The first four pages are refused because they are requested with the new key.
      skip: operation === 'invoices' ? skip + 4 : skip,
      action: { kind: 'call', before: atService },
    });
    expect((await failureOf(world.report())).name).toBe('InvalidRequestError');
    await expectNothingDone(world);
    expect(cipherFailures()).toBe(1);
    expectFewRequests();
    expect(await world.report()).toMatchObject({ revision: 1, balanced: true });
  },
);

it('when a key changes in the middle of an alert check, it is read again from the secret', async () => {
  const { inSecret, atService } = CHANGES['cipher key'];
  await world.putRegistry({ [CODE]: { alerts: [{ name: 'any', measure: 'invoiceCount', above: 1 }] } });
  world.payments.behaviour.faults.add({
    operation: 'invoices',
    skip: 2,
    action: {
      kind: 'call',
      before: () => {
        world.putSecret({ [CODE]: inSecret });
        atService();
      },
    },
  });
  const answer = await world.alertCheck({ day: DAY });
  expect(answer.transitions).toEqual([expect.objectContaining({ rule: 'any', value: '60.000' })]);
  expect(cipherFailures()).toBe(0);
});

it('when no known key fits, an alert check has no data, and this is counted', async () => {
  await world.putRegistry({ [CODE]: { alerts: [{ name: 'any', measure: 'invoiceCount', above: 1 }] } });
  CHANGES['cipher key'].atService();
  expect(await world.alertCheck({ day: DAY })).toMatchObject({ transitions: [] });
  expect(cipherFailures()).toBe(1);
});
