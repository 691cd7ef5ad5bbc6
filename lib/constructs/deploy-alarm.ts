import { Duration } from 'aws-cdk-lib';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import { Construct } from 'constructs';
import { fragmentOf } from '#domain/notices/runbook.ts';
import type { AlarmDestination } from './runbook-alarm.ts';

export interface DeployAlarmProps {
  destination: Pick<AlarmDestination, 'runbook' | 'stage'>;
  /** What is deployed, such as `reports`. */
  name: string;
  /** Counts what failed. */
  failures: cloudwatch.Metric;
}

/** Takes a gradual deploy back while it goes on. It notifies nobody: the deploy fails in front of the person who made it. */
export class DeployAlarm extends Construct {
  readonly alarm: cloudwatch.Alarm;

  constructor(scope: Construct, id: string, { destination, name, failures }: DeployAlarmProps) {
    super(scope, id);
    const { runbook, stage } = destination;
    this.alarm = new cloudwatch.Alarm(this, 'Alarm', {
      alarmName: `daybook-${stage}-${name}-deploy`,
      alarmDescription: `A run of ${name} failed: a deploy that goes on is taken back. Runbook: ${runbook}#${fragmentOf('A deploy was taken back')}`,
      metric: failures.with({ period: Duration.minutes(5), statistic: cloudwatch.Stats.SUM }),
      threshold: 1,
      comparisonOperator: cloudwatch.ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      evaluationPeriods: 1,
      treatMissingData: cloudwatch.TreatMissingData.NOT_BREACHING,
    });
  }
}
