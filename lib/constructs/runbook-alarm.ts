import { Duration } from 'aws-cdk-lib';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import * as actions from 'aws-cdk-lib/aws-cloudwatch-actions';
import type * as sns from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import { fragmentOf } from '#domain/notices/runbook.ts';

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
  threshold: number;
  /** Default: at the threshold or above. */
  comparison?: cloudwatch.ComparisonOperator;
  /** Default: one. */
  periods?: number;
  /** Default: all of `periods`. */
  periodsToAlarm?: number;
  /** Default: no data is fine. For a heartbeat it is not. */
  missing?: cloudwatch.TreatMissingData;
}

/** An alarm that says what it means and links the runbook. It notifies the topic when it begins and when it ends. */
export class RunbookAlarm extends Construct {
  readonly alarm: cloudwatch.Alarm;

  constructor(scope: Construct, id: string, props: RunbookAlarmProps) {
    super(scope, id);
    const { topic, runbook, stage } = props.destination;
    const periods = props.periods ?? 1;
    this.alarm = new cloudwatch.Alarm(this, 'Alarm', {
      alarmName: `daybook-${stage}-${props.name}`,
      alarmDescription: `${props.impact} Runbook: ${runbook}#${fragmentOf(props.heading)}`,
      metric: props.metric,
      threshold: props.threshold,
      comparisonOperator:
        props.comparison ?? cloudwatch.ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      evaluationPeriods: periods,
      datapointsToAlarm: props.periodsToAlarm ?? periods,
      treatMissingData: props.missing ?? cloudwatch.TreatMissingData.NOT_BREACHING,
    });
    const tell = new actions.SnsAction(topic);
    this.alarm.addAlarmAction(tell);
    this.alarm.addOkAction(tell);
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
