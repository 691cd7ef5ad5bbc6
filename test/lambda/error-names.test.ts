import { ERROR_SECTIONS } from '#mail/notices/runbook.ts';
import { textWith } from '#support/assertions/index.ts';
import { errorOf, hostedFunction, hostedSource } from '#support/lambda/hosted.ts';
import { CODE, DAY, DaybookWorld } from '#support/world/daybook-world.ts';

describe('the client reports', () => {
  it('an error of ours under its own name, by which people and alarms know it', async () => {
    const host = hostedSource(`
      class Failed extends Error {}
      export const handler = async (name) => { throw Object.assign(new Failed('why'), { name }); };
    `);
    for (const name of Object.values(ERROR_SECTIONS).flat())
      expect(await host.invoke(name)).toMatchObject({ failure: { errorType: name, errorMessage: 'why' } });
    expect(host.started).toBe(1);
  });

  it('errors of the built functions', async () => {
    const world = await DaybookWorld.start();
    try {
      const plan = hostedFunction('plan', world.environment);
      const report = hostedFunction('daily-report', world.environment);
      const event = { merchantCode: CODE, day: DAY };

      expect(errorOf(await plan.invoke({ kind: 'daily', from: 'yesterday' }))).toBe('InvalidEventError');
      expect(errorOf(await report.invoke({ ...event, merchantCode: '999' }))).toBe('UnknownMerchantError');

      world.awsDoes(
        { kind: 'error', status: 403, code: 'AccessDenied' },
        { service: 's3', operation: 'GetObject', times: 50 },
      );
      expect(errorOf(await report.invoke({ ...event, merchantCode: '999' }))).toBe('StorageError');
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
