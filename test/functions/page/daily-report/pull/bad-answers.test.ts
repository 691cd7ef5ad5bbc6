import type { Operation, PaymentsFaultAction } from '#sandbox/payments/index.ts';
import { CODE, DAY, MORNING_AFTER, useWorld } from '#support/world/daybook-world.ts';
import {
  checkRecord,
  doneKeys,
  expectNothingDone,
  failureOf,
  spoolsLeft,
} from '#support/daily-report/failed-run.ts';
import { defined } from '#support/assertions/index.ts';
import { lambdaContext } from '#support/runtime/lambda-context.ts';

/** The most requests for one merchant whose pull fails from the start. */
const MOST_REQUESTS = 200;
/** The longest time that a failing service may delay a run, by the functions' clock. Milliseconds. */
const LONGEST_RUN = 10 * 60_000;

const OTHER = '700002';

const world = useWorld({ perPage: 5, merchants: 2 });
let refundId: number;
beforeEach(() => {
  world.payments.data.seedDay(CODE, DAY, { invoices: 20, refunds: 1 });
  refundId = defined(world.payments.data.truth(CODE, DAY).refunds.ids[0]);
});

const always = (operation: Operation, action: PaymentsFaultAction) =>
  world.serviceDoes(action, { operation, times: Infinity });

/** The first pages of all types are requested at once. The first one that fails ends the pull. */
function ofAnyType(message: string): string {
  return message.replace(/(?<=^invoice list \(invoiceType )\d(?=, page 1\))/, '1');
}

/** The run fails with this one error, in bounded time and requests. It stores only the record of its failure. */
async function expectFailure(run: Promise<unknown>, name: string, message: string, tries = 1): Promise<void> {
  const error = await failureOf(run);
  expect({ name: error.name, message: ofAnyType(error.message) }).toEqual({ name, message });
  expect(world.payments.requests.length).toBeLessThan(MOST_REQUESTS);
  expect(world.clock.now() - Date.parse(MORNING_AFTER)).toBeLessThan(LONGEST_RUN);
  await expectNothingDone(world);
  expect(await checkRecord(world)).toMatchObject({
    outcome: 'failed',
    error: name,
    revision: null,
    asOf: null,
    failure: { says: error.message, tries },
  });
}

describe('a service that always fails', () => {
  const html = 'the answer is not JSON in UTF-8, or was cut off: HTTP 200, text/html, it begins like HTML';

  it.each<[Operation, string]>([
    ['login', 'login'],
    ['invoices', 'invoice list (invoiceType 1, page 1)'],
    ['refunds', 'refund list (page 1)'],
    ['refund', 'refund details (id ID)'],
  ])('ends the run with one error: HTML, or 500, to every %s request', async (operation, named) => {
    const place = named.replace('ID', refundId.toString());
    always(operation, { kind: 'html', status: 200 });
    await expectFailure(world.report(), 'MalformedAnswerError', `${place}: ${html}`);
    world.payments.behaviour.faults.clear();
    always(operation, { kind: 'server-error', status: 500 });
    await expectFailure(world.report(), 'ServerError', `${place}: the service failed`, 2);
  });

  it.each([
    ['login', 'login'],
    ['invoices', 'invoice list (invoiceType 1, page 1)'],
    ['refund', 'refund details'],
  ] as const)('a %s request without an answer ends with the time for the pull', async (operation, place) => {
    // Two and a half seconds are left for the pull, which a busy machine needs for a login. When they are over, the deadline by the functions' clock is over too.
    const context = lambdaContext({ getRemainingTimeInMillis: () => 32_500 });
    always(operation, {
      kind: 'call',
      before: () => {
        world.clockAhead += 60_000;
        return new Promise<void>(() => undefined);
      },
    });
    const began = performance.now();
    const error = await failureOf(world.coldStart()({ merchantCode: CODE, day: DAY }, context));
    const took = performance.now() - began;
    expect(took).toBeGreaterThan(2_400);
    expect(took).toBeLessThan(15_000);
    expect(error.name).toBe('DeadlineError');
    expect(ofAnyType(error.message)).toContain(place);
    await expectNothingDone(world);
    expect(await checkRecord(world)).toMatchObject({ outcome: 'failed', error: 'DeadlineError' });
  });
});

describe('a failed run', () => {
  it('keeps the record of the last successful pull', async () => {
    await world.report();
    const good = await checkRecord(world);
    const keys = doneKeys(world);
    world.payments.behaviour.loginRefused = true;
    await failureOf(world.report());
    const first = await checkRecord(world);
    expect(first).toMatchObject({ outcome: 'failed', revision: 1, asOf: good.asOf });
    expect(first.failure).toMatchObject({ status: 404, tries: 1 });
    expect(doneKeys(world)).toEqual(keys);
    world.clockAhead += 60_000;
    await failureOf(world.report());
    expect((await checkRecord(world)).failure).toEqual({ ...first.failure, tries: 2 });
    world.payments.behaviour.loginRefused = false;
    await world.report();
    expect((await checkRecord(world)).failure).toBeUndefined();
  });

  it('ends with the same error also if its failure cannot be recorded', async () => {
    world.payments.behaviour.loginRefused = true;
    world.refusePuts(/^checked\//);
    expect((await failureOf(world.report())).name).toBe('LoginRefusedError');
  });
});

const wrongSecret = () => world.putSecret({ [CODE]: { accessCode: 7 } });
const wrongEntry = () => world.putRegistry({ [CODE]: { timeZone: 'Nowhere' } });
const answers = (action: PaymentsFaultAction, operation?: Operation) =>
  world.serviceDoes(action, { merchantCode: CODE, times: Infinity, ...(operation && { operation }) });

it.each<[string, string, () => unknown]>([
  ['a refused login', 'LoginRefusedError', () => (world.payments.behaviour.loginRefused = [CODE])],
  ['a malformed entry in the shared secret', 'SecretError', wrongSecret],
  ['a malformed entry in the registry', 'InvalidMerchantError', wrongEntry],
  ['answers that are not JSON', 'MalformedAnswerError', () => answers({ kind: 'cut-json' }, 'invoices')],
  ['a service that fails', 'ServerError', () => answers({ kind: 'server-error', status: 500 })],
])('%s of one merchant affects no other merchant in the same warm function', async (_what, error, fail) => {
  world.payments.data.seedDay(OTHER, DAY, { invoices: 30, refunds: 3 });
  await fail();
  const warm = world.coldStart();
  expect((await failureOf(warm({ merchantCode: CODE, day: DAY }))).name).toBe(error);
  expect(doneKeys(world, CODE)).toEqual([]);
  expect(await warm({ merchantCode: OTHER, day: DAY })).toMatchObject({
    revision: 1,
    balanced: true,
    counts: { total: 30 },
    refunds: { count: 3 },
    mail: { status: 'sent' },
  });
  expect(world.mails().map((mail) => mail.tags['merchant'])).toEqual([OTHER]);
  expect(await checkRecord(world, OTHER)).toMatchObject({ outcome: 'sealed', error: null });
  expect(await spoolsLeft()).toEqual([]);
});
