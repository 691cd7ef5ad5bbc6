import * as z from 'zod';
import { CODE, DAY, useWorld } from '#support/world/daybook-world.ts';
import { Canaries, CUSTOMER, OPS, RECIPIENT } from '#support/daily-report/canaries.ts';
import { failureOf } from '#support/daily-report/failed-run.ts';
import { sealedLines } from '#support/daily-report/sealed-rows.ts';
import { defined } from '#support/assertions/index.ts';

const world = useWorld({ perPage: 3, environment: { LOG_LEVEL: 'DEBUG', OPS_RECIPIENTS: OPS } });
let canaries: Canaries;
beforeEach(async () => {
  await world.putRegistry({ [CODE]: { recipients: [RECIPIENT] } });
  canaries = new Canaries(world);
});
afterEach(() => vi.unstubAllEnvs());

/** The description of the metrics in a log line, in CloudWatch’s embedded metric format. */
const EMBEDDED_METRICS = z.object({
  CloudWatchMetrics: z.array(z.looseObject({ Metrics: z.array(z.object({ Name: z.string() })) })),
});

it('runs that succeed show no secret, no customer and no address', async () => {
  world.payments.behaviour.tokenDiesEvery = 3;
  await world.report({ to: [RECIPIENT] });
  await world.report({ dryRun: true });
  world.payments.behaviour.wrongStats = { paid: 2 };
  world.awsDoes({ kind: 'reset', when: 'after' }, { service: 'ses' });
  expect(await world.report({ refundIds: [424242] })).toMatchObject({
    balanced: false,
    mail: { status: 'held' },
  });
  world.payments.behaviour.wrongStats = {};
  const change = { amount: '77.125', invoice_status: 77, nickname: CUSTOMER.customer.name };
  const invoice = defined(world.payments.data.truth(CODE, DAY).invoices.ids.at(-1));
  world.payments.data.updateInvoice(CODE, invoice, change);
  expect(await world.report()).toMatchObject({ counts: { other: 1 }, mail: { status: 'sent' } });
  expect(world.mails().map(({ tags }) => tags['kind'])).toEqual(['preview', 'report', 'ops', 'correction']);
  expect(canaries.tokens().length).toBeGreaterThan(2);
  expect((await sealedLines(world, 'invoices', 'json')).join()).toContain(CUSTOMER.customer.email);
  await canaries.expectHidden();
});

const ABOUT = { merchantCode: CODE, day: DAY };

describe('the log', () => {
  it('consists of JSON lines, and its metrics are in the namespace of the stage and have no merchant dimension', async () => {
    vi.stubEnv('POWERTOOLS_METRICS_NAMESPACE', 'Daybook/prod');
    await world.report();
    await failureOf(world.report({ day: 'no day' }));
    expect(canaries.rawLines().length).toBeGreaterThan(2);
    expect(canaries.lines()).toHaveLength(canaries.rawLines().length);
    const metrics = defined(canaries.lines().find((line) => '_aws' in line));
    const counts = { InvoicesPulled: 9, MailsSent: 1 };
    expect(metrics).toMatchObject({ service: 'daily-report', ...ABOUT, ...counts });
    const { CloudWatchMetrics } = EMBEDDED_METRICS.parse(metrics['_aws']);
    expect(CloudWatchMetrics).toMatchObject([{ Namespace: 'Daybook/prod', Dimensions: [['service']] }]);
    expect(CloudWatchMetrics.flatMap(({ Metrics }) => Metrics.map(({ Name }) => Name))).not.toContain(
      'merchantCode',
    );
  });

  it('names merchant and day of a failure, and of one invocation has nothing from the one before', async () => {
    const warm = world.coldStart();
    world.payments.behaviour.loginRefused = true;
    await failureOf(warm(ABOUT));
    expect(canaries.lines().filter(({ level }) => level === 'ERROR')).toEqual([
      expect.objectContaining({ ...ABOUT, message: 'failed' }),
    ]);
    expect(canaries.lines()).toContainEqual(expect.objectContaining({ ...ABOUT, PullsFailed: 1 }));
    await failureOf(warm({ merchantCode: 'nobody' }));
    const last = defined(canaries.lines().at(-1));
    expect(last).toMatchObject({ level: 'ERROR', failure: { name: 'UnknownMerchantError' } });
    expect(last).not.toHaveProperty('day');
    expect(last).not.toHaveProperty('merchantCode');
  });
});
