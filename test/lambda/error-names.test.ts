import { describe, expect, it } from 'vitest';
import { LASTING_ERRORS } from '#lib/constructs/merchant-fan-out-errors.ts';
import { textWith } from '#support/assertions/text-with.ts';
import { errorOf, hostedFunction, hostedSource } from '#support/lambda/hosted.ts';
import { retriedNames } from '#support/lambda/retried-names.ts';
import { CODE, DAY, DaybookWorld } from '#support/world/daybook-world.ts';

/** Names that Lambda, its sandbox or Step Functions give; the client reports all others. */
const ours = retriedNames.filter((name) => !name.includes('.'));

describe('the client reports', () => {
  it('an error of ours under the name that the retries have', async () => {
    expect(ours).toContain('StorageError');
    const host = hostedSource(`
      class Failed extends Error {}
      export const handler = async (name) => { throw Object.assign(new Failed('why'), { name }); };
    `);
    for (const name of [...ours, ...Object.keys(LASTING_ERRORS)])
      expect(await host.invoke(name)).toMatchObject({ failure: { errorType: name, errorMessage: 'why' } });
    expect(host.started).toBe(1);
  });

  it('errors of the built functions, which the state machines retry or not', async () => {
    const world = await DaybookWorld.start();
    try {
      const plan = hostedFunction('plan', world.environment);
      const report = hostedFunction('daily-report', world.environment);
      const event = { merchantCode: CODE, day: DAY };

      expect(errorOf(await plan.invoke({ kind: 'daily', from: 'yesterday' }))).toBe('InvalidEventError');
      expect(errorOf(await report.invoke({ ...event, merchantCode: '999' }))).toBe('UnknownMerchantError');
      expect(ours).not.toContain('UnknownMerchantError');

      world.aws.faults.add({
        service: 's3',
        operation: 'GetObject',
        action: { kind: 'error', status: 403, code: 'AccessDenied' },
        times: 50,
      });
      expect(errorOf(await report.invoke({ ...event, merchantCode: '999' }))).toBe('StorageError');
      expect(ours).toContain('StorageError');
    } finally {
      await world.close();
    }
  });

  it('a wrong variable as the failure of each invocation, not of the start', async () => {
    const host = hostedFunction('plan', {});
    for (let invocation = 1; invocation <= 2; invocation += 1)
      expect(await host.invoke({ kind: 'daily' })).toMatchObject({
        failure: { errorType: 'EnvironmentError', errorMessage: textWith('DATA_BUCKET') },
      });
    expect(host.started).toBe(1);
  });
});
