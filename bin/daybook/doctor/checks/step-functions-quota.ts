import { GetMetricDataCommand } from '@aws-sdk/client-cloudwatch';
import { fine, warning } from '../finding.ts';
import type { Check } from '../check.ts';
import type { CheckedStage } from '../checked-stage.ts';

const DAY = 86_400;
const DAYS = 7;

/** What Step Functions counts when it is over one of its quotas. */
const THROTTLED = [
  { Id: 'transitions', what: 'state transitions', Name: 'ServiceMetric', Value: 'StateTransition' },
  { Id: 'starts', what: 'calls of StartExecution', Name: 'APIName', Value: 'StartExecution' },
] as const;

/** The quotas of Step Functions, which are smaller in a new account: did anything have to wait for them? */
export const stepFunctionsQuota: Check = {
  name: 'Step Functions quota',
  looksAt: () => `state transitions and starts of the last ${DAYS} days`,
  look: async ({ clients, now }: CheckedStage) => {
    const { MetricDataResults = [] } = await clients.cloudWatch().send(
      new GetMetricDataCommand({
        StartTime: new Date(now() - DAYS * DAY * 1_000),
        EndTime: new Date(now()),
        MetricDataQueries: THROTTLED.map(({ Id, Name, Value }) => ({
          Id,
          MetricStat: {
            Metric: { Namespace: 'AWS/States', MetricName: 'ThrottledEvents', Dimensions: [{ Name, Value }] },
            Period: DAY,
            Stat: 'Sum',
          },
        })),
      }),
    );
    const findings = THROTTLED.flatMap(({ Id, what }) => {
      const { Values = [] } = MetricDataResults.find((result) => result.Id === Id) ?? {};
      const count = Values.reduce((sum, value) => sum + value, 0);
      return count === 0
        ? []
        : [
            warning(
              `${count} ${what} were throttled in the last seven days: reports and alerts come later`,
              'open Service Quotas in the AWS console, "AWS Step Functions", and ask for larger quotas; AWS also raises those of a new account by itself',
            ),
          ];
    });
    return findings.length > 0 ? findings : [fine('nothing was throttled')];
  },
};
