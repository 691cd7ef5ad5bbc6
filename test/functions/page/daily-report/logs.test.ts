import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import * as z from 'zod';
import { CODE, DAY, useWorld } from '#support/world/daybook-world.ts';
import { Canaries, CUSTOMER, OPS, RECIPIENT } from '#support/daily-report/canaries.ts';
import { failureOf } from '#support/daily-report/failed-run.ts';
import { sealedLines } from '#support/daily-report/sealed-rows.ts';
import { defined } from '#support/assertions/defined.ts';

const world = useWorld({ perPage: 3, environment: { LOG_LEVEL: 'DEBUG', OPS_RECIPIENTS: OPS } });
let canaries: Canaries;
beforeEach(async () => {
  await world.putRegistry({ [CODE]: { recipients: [RECIPIENT] } });
  canaries = new Canaries(world);
});
afterEach(() => vi.unstubAllEnvs());

function changeCanaryInvoice(change: Record<string, unknown>): void {
  world.payments.data.updateInvoice(
    CODE,
    defined(world.payments.data.truth(CODE, DAY).invoices.ids.at(-1)),
    change,
  );
}

/** The description of the metrics in a log line, in CloudWatch’s embedded metric format. */
const EMBEDDED_METRICS = z.object({
  CloudWatchMetrics: z.array(
    z.object({ Dimensions: z.array(z.array(z.string())), Metrics: z.array(z.object({ Name: z.string() })) }),
  ),
});

describe('a run that succeeds shows no secret, no customer and no address', () => {
  it('in a correction', async () => {
    await world.report();
    changeCanaryInvoice({ amount: '77.125' });
    expect(await world.report()).toMatchObject({ revision: 2, mail: { status: 'sent' } });
    await canaries.expectHidden();
  });

  it('when the day does not balance', async () => {
    world.payments.behaviour.wrongStats = { paid: 2 };
    expect(await world.report({ refundIds: [424242] })).toMatchObject({ balanced: false });
    await canaries.expectHidden();
  });

  it('when tokens expire during the pull', async () => {
    world.payments.behaviour.tokenDiesEvery = 3;
    expect(await world.report()).toMatchObject({ balanced: true, mail: { status: 'sent' } });
    expect(canaries.tokens().length).toBeGreaterThan(2);
    expect((await sealedLines(world, 'invoices', 'json')).join()).toContain(CUSTOMER.customer.email);
    await canaries.expectHidden();
  });

  it('when the pulled records have unknown fields and statuses', async () => {
    changeCanaryInvoice({ invoice_status: 77, nickname: CUSTOMER.customer.name });
    expect(await world.report()).toMatchObject({ counts: { other: 1 } });
    await canaries.expectHidden();
  });

  it('when the mail is held', async () => {
    world.awsDoes({ kind: 'reset', when: 'after' }, { service: 'ses' });
    expect((await world.report()).mail.status).toBe('held');
    expect(world.mails('ops')).toHaveLength(1);
    await canaries.expectHidden();
  });

  it('in a preview, and in a dry run', async () => {
    await world.report({ to: [RECIPIENT] });
    await world.report({ dryRun: true });
    await canaries.expectHidden();
  });
});

describe('the log', () => {
  it('consists of JSON lines, and its metrics have no merchant dimension', async () => {
    await world.report();
    await failureOf(world.report({ day: 'no day' }));
    expect(canaries.rawLines().length).toBeGreaterThan(2);
    expect(canaries.lines()).toHaveLength(canaries.rawLines().length);
    const metrics = defined(canaries.lines().find((line) => '_aws' in line));
    expect(metrics).toMatchObject({
      service: 'daily-report',
      merchantCode: CODE,
      day: DAY,
      InvoicesPulled: 9,
      MailsSent: 1,
    });
    const { CloudWatchMetrics } = EMBEDDED_METRICS.parse(metrics['_aws']);
    expect(CloudWatchMetrics.map(({ Dimensions }) => Dimensions)).toEqual([[['service']]]);
    expect(CloudWatchMetrics.flatMap(({ Metrics }) => Metrics.map(({ Name }) => Name))).not.toContain(
      'merchantCode',
    );
  });

  it('names merchant and day of a failure', async () => {
    world.payments.behaviour.loginRefused = true;
    await failureOf(world.report());
    expect(canaries.lines().filter(({ level }) => level === 'ERROR')).toEqual([
      expect.objectContaining({ merchantCode: CODE, day: DAY, message: 'failed' }),
    ]);
    expect(canaries.lines()).toContainEqual(
      expect.objectContaining({ PullsFailed: 1, merchantCode: CODE, day: DAY }),
    );
  });

  it('counts a wrong cipher key, in the namespace of the stage', async () => {
    vi.stubEnv('POWERTOOLS_METRICS_NAMESPACE', 'Daybook/prod');
    const cipher = { algorithm: 'aes-256-cbc', key: 'k'.repeat(32), iv: 'i'.repeat(16) };
    // The key is changed twice, so the previous version of the secret does not fit either.
    world.putSecret({ [CODE]: { cipher } });
    world.putSecret({ [CODE]: { cipher } });
    await failureOf(world.report());
    expect(canaries.lines()).toContainEqual(expect.objectContaining({ CipherFailures: 1 }));
    const [metrics] = canaries.lines().filter((line) => '_aws' in line);
    expect(metrics).toMatchObject({ _aws: { CloudWatchMetrics: [{ Namespace: 'Daybook/prod' }] } });
  });

  it('of one invocation has nothing from the one before', async () => {
    const warm = world.coldStart();
    await warm({ merchantCode: CODE, day: DAY });
    await failureOf(warm({ merchantCode: 'nobody' }));
    const last = defined(canaries.lines().at(-1));
    expect(last).toMatchObject({ level: 'ERROR', failure: { name: 'UnknownMerchantError' } });
    expect(last).not.toHaveProperty('day');
    expect(last).not.toHaveProperty('merchantCode');
  });
});
