import { GetAccountSettingsCommand } from '@aws-sdk/client-lambda';
import { fine, unknown, wrong } from '../finding.ts';
import type { Check } from '../check.ts';
import type { CheckedStage } from '../checked-stage.ts';

/** Lambda's quota: can as many functions run as both state machines start? */
export const lambdaQuota: Check = {
  name: 'Lambda quota',
  looksAt: () => 'functions at the same time',
  look: async ({ stage, clients }: CheckedStage) => {
    const { AccountLimit: limit = {} } = await clients.lambda().send(new GetAccountSettingsCommand({}));
    const quota = limit.UnreservedConcurrentExecutions ?? limit.ConcurrentExecutions ?? 0;
    if (stage.concurrency === undefined) {
      return [
        unknown(
          `the quota is ${quota}; the stage does not say its concurrency`,
          stage.lines.cdk('deploy', '--all'),
        ),
      ];
    }
    const { reports, alerts } = stage.concurrency;
    const found = `the quota is ${quota}; ${reports} reports and ${alerts} alert checks may run at the same time`;
    // The other functions need some, too.
    if (quota > reports + alerts) return [fine(found)];
    return [
      wrong(
        `${found}: calls are throttled`,
        stage.lines.aws(
          ...['service-quotas', 'request-service-quota-increase', '--service-code', 'lambda'],
          ...['--quota-code', 'L-B99A9384', '--desired-value', '1000'],
        ),
      ),
    ];
  },
};
