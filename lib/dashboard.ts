import { Duration } from 'aws-cdk-lib';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import type * as sqs from 'aws-cdk-lib/aws-sqs';
import type * as sfn from 'aws-cdk-lib/aws-stepfunctions';
import type { Construct } from 'constructs';
import { ownMetric } from './constructs/runbook-alarm.ts';
import type { AlarmDestination } from './constructs/runbook-alarm.ts';
import type { FunctionsStack } from './functions-stack.ts';

/** What the dashboard shows: the functions, the dead-letter queue, and the two state machines. */
export interface Monitored {
  destination: AlarmDestination;
  functions: FunctionsStack['functions'];
  deadLetters: sqs.IQueue;
  reports: sfn.IStateMachine;
  alerts: sfn.IStateMachine;
}

/** A third of a row. */
const WIDTH = 8;

function graph(title: string, left: cloudwatch.IMetric[], right: cloudwatch.IMetric[] = []) {
  return new cloudwatch.GraphWidget({ title, left, right, width: WIDTH });
}

/** One page: are the reports there, are they right, did the mails arrive, and how much work was it? */
export function createDashboard(
  scope: Construct,
  { destination, functions, deadLetters, reports, alerts }: Monitored,
): cloudwatch.Dashboard {
  const { stage } = destination;
  const period = Duration.hours(1);
  const own = (functionName: string, ...names: string[]) =>
    names.map((name) => ownMetric(stage, functionName, name, period));
  const all = Object.values(functions).map((each) => each.function);
  const longest = { period, statistic: cloudwatch.Stats.MAXIMUM };
  return new cloudwatch.Dashboard(scope, 'Dashboard', {
    dashboardName: `daybook-${stage}`,
    defaultInterval: Duration.days(7),
    widgets: [
      [
        graph('Reports expected and delivered', own('delivery-watch', 'ReportsExpected', 'ReportsDelivered')),
        graph(
          'Reports and statements missing',
          own(
            'delivery-watch',
            'ReportsMissing',
            'ReportsUnbalanced',
            'StatementsMissing',
            'StatementsProvisional',
          ),
        ),
        graph(
          'Days',
          own(
            'daily-report',
            'RevisionsSealed',
            'DaysUnchanged',
            'DaysUnbalanced',
            'PullsFailed',
            'CipherFailures',
          ),
        ),
      ],
      [
        graph('Rows pulled', own('daily-report', 'InvoicesPulled', 'RefundsPulled')),
        graph('Mails sent and held', [
          ...own('daily-report', 'MailsSent', 'MailsHeld'),
          ...own('statement', 'MailsSent', 'MailsHeld'),
          ...own('alert-check', 'MailsSent', 'MailsHeld'),
        ]),
        graph(
          'What became of mails',
          own('mail-events', 'MailsDelivered', 'MailsBounced', 'MailsComplained', 'AddressesStopped'),
        ),
      ],
      [
        graph('Rules', own('alert-check', 'RulesMoved', 'RulesWithoutData', 'RejectedRules')),
        graph('Who is due', own('plan', 'DueMerchants'), own('plan', 'RejectedEntries', 'RegistryAlarm')),
        graph('Executions', [
          ...[reports, alerts].flatMap((machine) => [
            machine.metricStarted({ period }),
            machine.metricFailed({ period }),
          ]),
          deadLetters.metricApproximateNumberOfMessagesVisible({ period }),
        ]),
      ],
      [
        graph(
          'Longest runs',
          all.map((each) => each.metricDuration(longest)),
        ),
        graph(
          'Errors',
          all.map((each) => each.metricErrors({ period })),
        ),
        graph(
          'Throttles',
          all.map((each) => each.metricThrottles({ period })),
        ),
      ],
    ],
  });
}
