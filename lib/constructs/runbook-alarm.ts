import { Duration } from 'aws-cdk-lib';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import * as actions from 'aws-cdk-lib/aws-cloudwatch-actions';
import type * as sns from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import { fragmentOf } from '#mail/notices/runbook.ts';

/** Where an alarm goes, and where it is explained. */
export interface AlarmDestination {
  topic: sns.ITopic;
  /** URL of the runbook, without a fragment. */
  runbook: string;
  stage: string;
}

export interface RunbookAlarmProps {
  destination: AlarmDestination;
  /** Short and unique, such as `plan-throttled`. */
  name: string;
  metric: cloudwatch.IMetric;
  /** What the alarm means for merchants or operators, in one sentence. */
  impact: string;
  /** The heading in the runbook that says what to do. */
  heading: string;
  /** It rings at this value and above; default: 1. A heartbeat has none. */
  threshold?: number | typeof HEARTBEAT;
  /** Default: one. */
  periods?: number;
}

/** In the place of a threshold: the metric counts runs, and it rings when nothing ran in all of `periods`. */
export const HEARTBEAT = 'heartbeat';

/**
 * An alarm that says what it means and links the runbook. It notifies the topic when it begins, and never when it ends: CloudWatch cannot tell
 * an end from the first data after a deploy (docs/adr/0008-the-stacks.md).
 */
export class RunbookAlarm extends Construct {
  constructor(scope: Construct, id: string, props: RunbookAlarmProps) {
    super(scope, id);
    const { topic, runbook, stage } = props.destination;
    const { threshold = 1, periods = 1 } = props;
    const isHeartbeat = threshold === HEARTBEAT;
    const alarm = new cloudwatch.Alarm(this, 'Alarm', {
      alarmName: `daybook-${stage}-${props.name}`,
      alarmDescription: `${props.impact} Runbook: ${runbook}#${fragmentOf(props.heading)}`,
      metric: props.metric,
      threshold: isHeartbeat ? 1 : threshold,
      comparisonOperator: isHeartbeat
        ? cloudwatch.ComparisonOperator.LESS_THAN_THRESHOLD
        : cloudwatch.ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      evaluationPeriods: periods,
      datapointsToAlarm: periods,
      treatMissingData: isHeartbeat
        ? cloudwatch.TreatMissingData.MISSING
        : cloudwatch.TreatMissingData.NOT_BREACHING,
    });
    const tell = new actions.SnsAction(topic);
    alarm.addAlarmAction(tell);
    // A new alarm has no data, too. It is in this state from the start, so it does not change to it, and tells nothing.
    if (isHeartbeat) alarm.addInsufficientDataAction(tell);
  }
}

/** The sum of one of Daybook's own metrics. @param period default: five minutes */
export function ownMetric(
  stage: string,
  functionName: string,
  metricName: string,
  period = Duration.minutes(5),
): cloudwatch.Metric {
  return new cloudwatch.Metric({
    namespace: metricNamespace(stage),
    metricName,
    dimensionsMap: { service: functionName },
    statistic: cloudwatch.Stats.SUM,
    period,
  });
}

/** The stage is a dimension, because two stages may share an account. */
export function metricNamespace(stage: string): string {
  return `Daybook/${stage}`;
}
