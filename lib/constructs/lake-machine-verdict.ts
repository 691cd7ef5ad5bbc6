import * as sfn from 'aws-cdk-lib/aws-stepfunctions';
import { Condition } from 'aws-cdk-lib/aws-stepfunctions';
import * as tasks from 'aws-cdk-lib/aws-stepfunctions-tasks';
import { STATEMENT_FAILED } from './lake-machine-failure.ts';
import { isDaily } from './lake-machine-input.ts';
import { SLICES_FAILED, SLICES_FAILED_CAUSE } from './lake-machine-slices.ts';
import type { LakeStates } from './lake-machine-states.ts';

/** The error of a daily execution after which a day has waited for more than a day. */
export const BEHIND = 'HistoryIsBehind';
/** The metric of a daily execution that ended well. Its dimension `service` is `lake`. */
export const MERGED_METRIC = 'HistoryMerged';

/**
 * Ends an execution that merged. It fails if a slice could not be merged. Only a daily execution can fail with HistoryIsBehind: a first load may
 * be one part of several.
 */
export function judge(states: LakeStates, metricNamespace: string): sfn.Choice {
  const { scope } = states;
  const done = new sfn.Succeed(scope, 'Merged', { stateName: 'Merged' });
  const behind = states
    .pass('Say how far it is behind', {
      'cause.$':
        "States.Format('{} days wait to be merged; the first has waited since {}.', $.look.days_waiting, $.look.waiting_since)",
    })
    .next(
      new sfn.Fail(scope, 'Behind', {
        stateName: 'The history is behind',
        error: BEHIND,
        causePath: '$.cause',
      }),
    );
  const failed = states.pass('Say what could not be merged', { 'cause.$': SLICES_FAILED_CAUSE }).next(
    new sfn.Fail(scope, 'SlicesFailed', {
      stateName: 'Some slices could not be merged',
      error: STATEMENT_FAILED,
      causePath: '$.cause',
    }),
  );
  const count = new tasks.CallAwsService(scope, 'Count', {
    stateName: 'Count the run',
    service: 'cloudwatch',
    action: 'putMetricData',
    parameters: {
      Namespace: metricNamespace,
      MetricData: [
        {
          MetricName: MERGED_METRIC,
          Dimensions: [{ Name: 'service', Value: 'lake' }],
          Unit: 'Count',
          Value: 1,
        },
      ],
    },
    iamResources: ['*'],
    resultPath: sfn.JsonPath.DISCARD,
  });
  // The run is done. If it cannot be counted for a day, an alarm tells it.
  count.addCatch(done, { resultPath: sfn.JsonPath.DISCARD });
  return new sfn.Choice(scope, 'IsBehind', { stateName: 'How did it end?' })
    .when(SLICES_FAILED, failed)
    .when(Condition.and(isDaily(), Condition.stringEquals('$.look.behind', 'true')), behind)
    .when(isDaily(), count.next(done))
    .otherwise(done);
}
