import { TABLES } from '#records/revision/manifest.ts';
import { sandboxMerchant, type Operation } from '#sandbox/payments/index.ts';
import { CODE, DAY, useWorld } from '#support/world/daybook-world.ts';
import { captureOutput } from '#support/runtime/captured-output.ts';
import { expectNothingDone, failureOf, requestsOf } from '#support/daily-report/failed-run.ts';
import { defined } from '#support/assertions/index.ts';
import { sealedRecords } from '#support/daily-report/sealed-rows.ts';

/** A day before `DAY` on which nothing happened. */
const EMPTY_DAY = '2026-11-18';
const INVOICES = 60;
const REFUNDS = 12;
/** The requests of a pull of that day when nothing changes. */
const PLAIN_PULL = 50;
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
  },
  'access code': {
    inSecret: { accessCode: 'new-access-code' },
    wrong: { accessCode: 'wrong-access-code' },
    atService: () => world.payments.reissue(CODE, { accessCode: 'new-access-code' }),
    error: 'ForbiddenError',
  },
  password: {
    inSecret: { password: 'new password' },
    wrong: { password: 'wrong password' },
    atService: () => world.payments.reissue(CODE, { password: 'new password' }),
    error: 'LoginRefusedError',
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

const world = useWorld({ perPage: 4 });
let output: ReturnType<typeof captureOutput>;
beforeEach(() => {
  world.payments.data.seedDay(CODE, DAY, { invoices: INVOICES, refunds: REFUNDS });
  // Otherwise no password would be sent again in the middle of a run.
  world.payments.behaviour.tokenDiesEvery = 6;
  world.payments.behaviour.refreshRefused = true;
  output = captureOutput();
});

function during({ operation, skip }: Combination, change: () => void): void {
  world.serviceDoes({ kind: 'call', before: change }, { operation, skip });
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
  const truth = world.payments.data.truth(CODE, DAY);
  expect(await run).toMatchObject({ revision: 1, balanced: true, mail: { status: 'sent' } });
  for (const table of TABLES)
    expect((await sealedRecords(world, table)).map(({ id }) => id)).toEqual(truth[table].ids);
  expect(cipherFailures()).toBe(0);
  expectFewRequests();
}

/** Many requests can be in flight at the change, but they do not each log in again. */
function expectFewRequests(): void {
  const logins = requestsOf(world, 'login');
  const others = world.payments.requests.length - logins;
  expect(others).toBeLessThan(3 * PLAIN_PULL);
  expect(logins).toBeLessThan(3 * (PLAIN_PULL / 6));
}

describe.each(COMBINATIONS)('a new $what, $when', (combination) => {
  const { inSecret, wrong, atService } = combination;
  const put = (entry: Record<string, unknown>) => world.putSecret({ [CODE]: entry });
  const nothing = () => undefined;

  it.each<[where: string, before: () => void, meanwhile: () => void, reads: number]>([
    ['in the secret', nothing, () => put(inSecret), 1],
    ['in the secret since shortly before the run', () => put(inSecret), nothing, 1],
    ['in the entry’s "previous"', () => put({ ...wrong, previous: inSecret }), nothing, 1],
    ['in the version before the last', () => [inSecret, wrong].forEach(put), nothing, 2],
  ])('at the service and %s is used, after it was read past the cache', async (...given) => {
    const [, before, meanwhile, reads] = given;
    const run = await warmFunction();
    before();
    during(combination, () => {
      meanwhile();
      atService();
    });
    await expectRightReport(run());
    expect(world.aws.secrets.reads).toBe(reads);
  });

  it('only at the service: the run ends with the first error and seals nothing; the run after the secret’s change is right', async () => {
    const run = await warmFunction();
    during(combination, atService);
    expect((await failureOf(run())).name).toBe(combination.error);
    await expectNothingDone(world);
    expect(cipherFailures()).toBe('cipher' in inSecret ? 1 : 0);
    expect(world.aws.secrets.reads).toBeLessThanOrEqual(2);
    expectFewRequests();
    world.putSecret({ [CODE]: inSecret });
    expect(await world.report()).toMatchObject({ revision: 1, balanced: true });
  });
});

it.each(Object.entries(CHANGES))(
  'a new %s in the secret before the service has it is not used: the one before is, as long as the service accepts it',
  async (_what, change) => {
    world.putSecret({ [CODE]: change.inSecret });
    await expectRightReport(world.report());
  },
);

it.each(MOMENTS.slice(1))(
  'when the service changes its key %s of a run that uses the old key, the run ends with a clear error, and the next run is right',
  async (_when, operation, skip) => {
    const { inSecret, atService } = CHANGES['cipher key'];
    world.putSecret({ [CODE]: { ...inSecret, previous: { cipher: sandboxMerchant(0).cipher } } });
    // The first four pages are refused because they are requested with the new key.
    const refused = operation === 'invoices' ? 4 : 0;
    world.serviceDoes({ kind: 'call', before: atService }, { operation, skip: skip + refused });
    expect((await failureOf(world.report())).name).toBe('InvalidRequestError');
    await expectNothingDone(world);
    expect(cipherFailures()).toBe(1);
    expectFewRequests();
    expect(await world.report()).toMatchObject({ revision: 1, balanced: true });
  },
);

const RULE = { name: 'any', measure: 'invoiceCount', above: 1 };

it('when a key changes in the middle of an alert check, it is read again from the secret', async () => {
  const { inSecret, atService } = CHANGES['cipher key'];
  await world.putRegistry({ [CODE]: { alerts: [RULE] } });
  const before = () => {
    world.putSecret({ [CODE]: inSecret });
    atService();
  };
  world.serviceDoes({ kind: 'call', before }, { operation: 'invoices', skip: 2 });
  const answer = await world.alertCheck({ day: DAY });
  expect(answer.transitions).toEqual([expect.objectContaining({ rule: 'any', value: '60.000' })]);
  expect(cipherFailures()).toBe(0);
});

it('when no known key fits, an alert check has no data, and this is counted', async () => {
  await world.putRegistry({ [CODE]: { alerts: [RULE] } });
  CHANGES['cipher key'].atService();
  expect(await world.alertCheck({ day: DAY })).toMatchObject({ transitions: [] });
  expect(cipherFailures()).toBe(1);
});
