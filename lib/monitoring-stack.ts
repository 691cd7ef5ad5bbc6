import { Duration, Stack } from 'aws-cdk-lib';
import type { StackProps } from 'aws-cdk-lib';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import type * as sqs from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import type * as ses from 'aws-cdk-lib/aws-ses';
import { ownMetric, HEARTBEAT, RunbookAlarm } from './constructs/runbook-alarm.ts';
import type { AlarmDestination, RunbookAlarmProps } from './constructs/runbook-alarm.ts';
import type { FunctionsStack } from './functions-stack.ts';
import { hoursOfSilence } from './schedule.ts';
import type { Settings } from './settings.ts';

/** What the dashboard shows: the functions, the queues, and the dead-letter queues. */
interface Monitored {
  destination: AlarmDestination;
  functions: FunctionsStack['functions'];
  deadLetters: sqs.IQueue;
  queues: FunctionsStack['queues'];
}

/** A third of a row. */
const WIDTH = 8;

function graph(title: string, left: cloudwatch.IMetric[], right: cloudwatch.IMetric[] = []) {
  return new cloudwatch.GraphWidget({ title, left, right, width: WIDTH });
}

/** One page: are the reports there, are they right, did the mails arrive, and how much work was it? */
function createDashboard(
  scope: Construct,
  { destination, functions, deadLetters, queues }: Monitored,
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
        graph(
          'Messages that wait, and that were put aside',
          Object.values(queues).map(({ queue }) =>
            queue.metricApproximateNumberOfMessagesVisible({ period }),
          ),
          [...Object.values(queues).map((each) => each.deadLetters), deadLetters].map((queue) =>
            queue.metricApproximateNumberOfMessagesVisible({ period }),
          ),
        ),
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
      [graph('History of the lake', own('lake', 'HistoryMerged', 'FilesNotJoined', 'RulesBroken'))],
    ],
  });
}

interface MonitoringStackProps extends StackProps, Monitored {
  settings: Settings;
  configurationSet: ses.IConfigurationSet;
}

/** SES reviews an account above these shares: 5 % of mails bounced, 0.1 % complained about. */
const BOUNCE_RATE = 0.05;
const COMPLAINT_RATE = 0.001;
const HOUR = Duration.hours(1);

/** Alarms on the metrics of Daybook and AWS, and a dashboard. */
export class MonitoringStack extends Stack {
  readonly #destination: AlarmDestination;

  constructor(scope: Construct, id: string, props: MonitoringStackProps) {
    super(scope, id, props);
    this.#destination = props.destination;
    this.#watchRuns(props);
    this.#watchFigures();
    this.#watchMail(props);
    if (props.settings.lake.history) this.#watchHistory(props);
    if (props.settings.proofs) {
      this.#alarm('prove-did-not-run', {
        metric: this.#own('prove', 'ProofMade'),
        threshold: HEARTBEAT,
        // A night, and the time that its run may take.
        periods: 26,
        impact:
          'No proof was made for 26 hours. The next one has the pages of both nights, but says so a night later.',
        heading: 'A proof is missing',
      });
    }
    createDashboard(this, props);
  }

  #alarm(name: string, props: Omit<RunbookAlarmProps, 'destination' | 'name'>): void {
    new RunbookAlarm(this, name, { destination: this.#destination, name, ...props });
  }

  #own(functionName: string, metric: string, period = HOUR): cloudwatch.Metric {
    return ownMetric(this.#destination.stage, functionName, metric, period);
  }

  #watchRuns({ deadLetters, settings }: MonitoringStackProps): void {
    this.#alarm('reports-missing', {
      metric: this.#own('delivery-watch', 'ReportsMissing'),
      impact: 'Merchants have no report of their last day although its deadline has passed.',
      heading: 'Merchants have failed',
    });
    this.#alarm('statements-missing', {
      metric: this.#own('delivery-watch', 'StatementsMissing'),
      impact:
        'Merchants have no statement of their week or month, or a group has no page, although its deadline has passed.',
      heading: 'Statements are missing',
    });
    const silence = { threshold: HEARTBEAT, periods: 2, heading: 'Daybook did not run' } as const;
    this.#alarm('reports-did-not-run', {
      ...silence,
      metric: this.#own('plan', 'DailyTicks'),
      impact: 'For two hours nobody looked who is due: no merchant gets a report.',
    });
    this.#alarm('statements-did-not-run', {
      ...silence,
      metric: this.#own('plan', 'StatementTicks'),
      impact: 'For two hours nobody looked which statements are due: nobody gets one.',
    });
    this.#alarm('watch-did-not-run', {
      ...silence,
      metric: this.#own('delivery-watch', 'WatchRan'),
      impact: 'For two hours nobody looked whether reports arrived: what is missing now goes unnoticed.',
    });
    this.#alarm('sweep-did-not-run', {
      ...silence,
      periods: 3,
      metric: this.#own('sweep', 'SweepRan'),
      impact: 'For three hours nobody looked after runs that died: their mails are neither sent nor held.',
    });
    const silentHours = hoursOfSilence(settings.schedules.alerts);
    if (silentHours !== undefined) {
      this.#alarm('alerts-did-not-run', {
        ...silence,
        periods: silentHours,
        metric: this.#own('plan', 'AlertTicks'),
        impact: `For ${silentHours} hours nobody checked the rules: merchants get no alerts.`,
      });
    }
    this.#alarm('dead-letters', {
      metric: deadLetters.metricApproximateNumberOfMessagesVisible({ period: Duration.minutes(5) }),
      impact:
        'A tick or an event of the mail service was lost: a ledger may be behind, a watch may not have run.',
      heading: 'Events are in the dead-letter queue',
    });
  }

  #watchFigures(): void {
    this.#alarm('days-unbalanced', {
      metric: this.#own('daily-report', 'DaysUnbalanced'),
      impact: 'A merchant got a report marked as not balanced: its figures do not agree with the service.',
      heading: 'A day is not balanced',
    });
    for (const name of ['daily-report', 'statement', 'alert-check', 'sweep']) {
      this.#alarm(`${name}-mails-held`, {
        metric: this.#own(name, 'MailsHeld'),
        impact: 'It is not known whether a mail has arrived, and it is not sent again by itself.',
        heading: 'A mail is held',
      });
    }
    for (const name of ['daily-report', 'alert-check']) {
      this.#alarm(`${name}-cipher-failures`, {
        metric: this.#own(name, 'CipherFailures'),
        impact: 'Answers of the service cannot be decrypted: the merchants of that key get no report.',
        heading: 'Cipher failures',
      });
    }
    this.#alarm('registry-not-used', {
      metric: this.#own('plan', 'RegistryAlarm'),
      impact:
        'The registry cannot be used and the last good one serves: changes to merchants have no effect.',
      heading: 'The registry is not used',
    });
    this.#alarm('registry-entries-rejected', {
      metric: this.#own('plan', 'RejectedEntries'),
      impact: 'Merchants whose entry in the registry is wrong get no report.',
      heading: 'The registry is not used',
    });
  }

  /** SES acts on the rates of the account, whoever sends its mails. Those of the configuration set are of Daybook alone. */
  #watchMail({ configurationSet }: MonitoringStackProps): void {
    const own = { 'ses:configuration-set': configurationSet.configurationSetName };
    this.#watchReputation('', own, 'the mails of Daybook');
    this.#watchReputation('account-', {}, 'the mails of this account');
  }

  #watchReputation(prefix: string, dimensionsMap: Record<string, string>, mails: string): void {
    const rate = (metricName: string) =>
      new cloudwatch.Metric({
        namespace: 'AWS/SES',
        metricName,
        dimensionsMap,
        statistic: cloudwatch.Stats.MAXIMUM,
        period: HOUR,
      });
    const heading = 'Mails bounce or are complained about';
    this.#alarm(`${prefix}bounce-rate`, {
      metric: rate('Reputation.BounceRate'),
      threshold: BOUNCE_RATE,
      impact: `So many of ${mails} bounce that SES may stop all sending of this account.`,
      heading,
    });
    this.#alarm(`${prefix}complaint-rate`, {
      metric: rate('Reputation.ComplaintRate'),
      threshold: COMPLAINT_RATE,
      impact: `So many recipients complain about ${mails} that SES may stop all sending of this account.`,
      heading,
    });
  }

  #watchHistory({ functions }: MonitoringStackProps): void {
    this.#alarm('lake-failed', {
      metric: functions.lake.function.metricErrors({ period: HOUR }),
      impact:
        'The history of the lake is behind, or may be soon. Queries of the views are still right, but slow.',
      heading: 'The history of the lake is behind',
    });
    this.#alarm('lake-did-not-merge', {
      metric: this.#own('lake', 'HistoryMerged'),
      threshold: HEARTBEAT,
      periods: 26,
      impact:
        'No daily merge of the history has ended well for 26 hours. Queries of the views are still right, but get slower.',
      heading: 'The history of the lake is behind',
    });
    this.#alarm('lake-rules-broken', {
      metric: this.#own('lake', 'RulesBroken'),
      impact:
        'Queries of the lake may be wrong: rows are missing, are there twice, or differ from their day.',
      heading: 'The lake breaks its contract',
    });
  }
}
