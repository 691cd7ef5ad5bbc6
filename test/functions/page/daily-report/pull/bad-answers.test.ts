import { beforeEach, describe, expect, it } from 'vitest';
import type { Operation, PaymentsFaultAction } from '#sandbox/payments/index.ts';
import { CODE, DAY, MORNING_AFTER, useWorld } from '#support/world/daybook-world.ts';
import { checkRecord, doneKeys, expectNothingDone, failureOf } from '#support/daily-report/failed-run.ts';
import { defined } from '#support/assertions/defined.ts';
import { lambdaContext } from '#support/runtime/lambda-context.ts';

/** The most requests for one merchant whose pull fails from the start. */
const MOST_REQUESTS = 200;
/** The longest time that a failing service may delay a run, by the functions' clock. Milliseconds. */
const LONGEST_RUN = 10 * 60_000;

const INVOICES = 'invoice list (invoiceType 1, page 1)';
const REFUNDS = 'refund list (page 1)';

const world = useWorld({ perPage: 5 });
let refundId: number;
beforeEach(() => {
  world.payments.data.seedDay(CODE, DAY, { invoices: 20, refunds: 1 });
  refundId = defined(world.payments.data.truth(CODE, DAY).refunds.ids[0]);
});

function always(operation: Operation | readonly Operation[], action: PaymentsFaultAction): void {
  world.serviceDoes(action, { operation, times: Infinity });
}

/** The first pages of all types are requested at once. The first one that fails ends the pull. */
function ofAnyType(message: string): string {
  return message.replace(/^invoice list \(invoiceType \d, page 1\)/, INVOICES);
}

/** The run fails with this one error, in bounded time and requests. It stores only the record of its failure. */
async function expectFailure(run: Promise<unknown>, name: string, message: string): Promise<void> {
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
    failure: { says: error.message, tries: 1 },
  });
}

describe('a service that always fails', () => {
  const actions: [string, PaymentsFaultAction, string, string][] = [
    [
      'HTML under HTTP 200',
      { kind: 'html', status: 200 },
      'MalformedAnswerError',
      'the answer is not JSON in UTF-8, or was cut off: HTTP 200, text/html, it begins like HTML',
    ],
    ['500', { kind: 'server-error', status: 500 }, 'ServerError', 'the service failed'],
  ];
  const places: [Operation, string][] = [
    ['login', 'login'],
    ['invoices', INVOICES],
    ['refunds', REFUNDS],
    ['refund', 'refund details (id ID)'],
  ];
  const cases = actions.flatMap(([what, action, name, reason]) =>
    places.map(([operation, place]) => ({ what, action, name, reason, operation, place })),
  );

  it.each(cases)('$what to every $operation request is one $name', async (failing) => {
    always(failing.operation, failing.action);
    const place = failing.place.replace('ID', refundId.toString());
    await expectFailure(world.report(), failing.name, `${place}: ${failing.reason}`);
  });

  it.each([
    ['login', 'login'],
    ['invoices', INVOICES],
    ['refund', 'refund details'],
  ] as const)('a %s request without an answer ends with the time for the pull', async (operation, place) => {
    // One and a half seconds are left for the pull. When they are over, the deadline by the functions' clock is over too.
    const context = lambdaContext({ getRemainingTimeInMillis: () => 31_500 });
    always(operation, {
      kind: 'call',
      before: () => {
        world.clockAhead += 60_000;
        return new Promise<void>(() => undefined);
      },
    });
    const began = performance.now();
    const run = world.coldStart()({ merchantCode: CODE, day: DAY }, context);
    const error = await failureOf(run);
    const took = performance.now() - began;
    expect(took).toBeGreaterThan(1_400);
    expect(took).toBeLessThan(8_000);
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
