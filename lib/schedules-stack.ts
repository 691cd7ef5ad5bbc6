import { Duration, Fn, Stack } from 'aws-cdk-lib';
import type { StackProps } from 'aws-cdk-lib';
import type * as kms from 'aws-cdk-lib/aws-kms';
import * as lambda from 'aws-cdk-lib/aws-lambda';
import type * as s3 from 'aws-cdk-lib/aws-s3';
import type * as scheduler from 'aws-cdk-lib/aws-scheduler';
import * as targets from 'aws-cdk-lib/aws-scheduler-targets';
import type * as sqs from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import type { DaybookFunction } from './constructs/daybook-function.ts';
import type { Worker } from './constructs/merchant-fan-out-child.ts';
import { MerchantFanOut } from './constructs/merchant-fan-out.ts';
import { StartLive } from './constructs/live-state-machine.ts';
import type { PublishedFunction } from './constructs/published-function.ts';
import { StackOutputs } from './constructs/stack-outputs.ts';
import { TICK, Tick, tickGroup } from './constructs/tick.ts';
import { FUNCTIONS, REPORT_SIZES, versionOutput } from './functions.ts';
import type { ReportSizeName } from './functions.ts';
import type { FunctionsStack } from './functions-stack.ts';
import { removalOf } from './removal.ts';
import type { Settings } from './settings.ts';

/** A merchant with more stored invoices a day runs in the function with a whole vCPU. Bytes, compressed: some 500 invoices. */
const LARGE_DAY = 100_000;

export interface SchedulesStackProps extends StackProps {
  settings: Settings;
  key: kms.IKey;
  bucket: s3.IBucket;
  functions: FunctionsStack['functions'];
  reportSizes: FunctionsStack['reportSizes'];
  deadLetters: sqs.IQueue;
}

/** What happens when: the ticks, and the state machines that carry the items of `plan` to one run a merchant. */
export class SchedulesStack extends Stack {
  readonly reports: MerchantFanOut;
  readonly alerts: MerchantFanOut;

  constructor(scope: Construct, id: string, props: SchedulesStackProps) {
    super(scope, id, props);
    const { settings, key, bucket, functions } = props;
    const { stage, concurrency, retention } = settings;
    const { plan } = functions;
    const shared = {
      plan: this.#published(plan),
      planTimeout: Duration.minutes(FUNCTIONS.plan.timeoutMinutes),
      bucket,
      key,
      toleratedFailurePercentage: concurrency.toleratedFailurePercentage,
      log: { retention: retention.logDays, removalPolicy: removalOf(settings) },
    };
    this.reports = new MerchantFanOut(this, 'Reports', {
      ...shared,
      kind: 'daily',
      stateMachineName: `daybook-${stage}-reports`,
      worker: this.#published(functions['daily-report']),
      workerTimeout: Duration.minutes(FUNCTIONS['daily-report'].timeoutMinutes),
      statement: {
        worker: this.#published(functions.statement),
        workerTimeout: Duration.minutes(FUNCTIONS.statement.timeoutMinutes),
      },
      sizes: {
        shared: this.#reportSize(props, 'daily-report-batch'),
        large: this.#reportSize(props, 'daily-report-large'),
        largeBytes: LARGE_DAY,
      },
      maxConcurrency: concurrency.reports,
    });
    this.alerts = new MerchantFanOut(this, 'Alerts', {
      ...shared,
      kind: 'alert',
      stateMachineName: `daybook-${stage}-alerts`,
      worker: this.#published(functions['alert-check']),
      workerTimeout: Duration.minutes(FUNCTIONS['alert-check'].timeoutMinutes),
      maxConcurrency: concurrency.alerts,
    });
    this.#schedule(props);
  }

  /**
   * A function at the version of this deploy. The reference is to an output that every version of the stack `Functions` has: a
   * deploy that is rolled back still finds it.
   */
  #published({ name, function: of, version, code }: DaybookFunction): PublishedFunction {
    const arn = Fn.getStackOutput(Stack.of(version).stackName, versionOutput(name));
    return { function: of, version: lambda.Function.fromFunctionArn(this, `${name} version`, arn), code };
  }

  #reportSize({ reportSizes }: SchedulesStackProps, name: ReportSizeName): Worker {
    return {
      worker: this.#published(reportSizes[name]),
      workerTimeout: Duration.minutes(REPORT_SIZES[name].timeoutMinutes),
    };
  }

  #schedule({ settings, functions, deadLetters }: SchedulesStackProps): void {
    const { timeZone, daily, alerts, watch, sweep } = settings.schedules;
    const group = tickGroup(this, `daybook-${settings.stage}`);
    const shared = { group, timeZone, deadLetters };
    const dailyTick = new Tick(this, 'DailyTick', {
      ...shared,
      description: 'Who is due for a report?',
      expression: daily,
      target: (target) => new StartLive(this.reports.live, target),
      event: { kind: 'daily', scheduledTime: TICK },
    });
    const alertTick = new Tick(this, 'AlertTick', {
      ...shared,
      description: 'Checks the rules of every merchant that has some',
      expression: alerts,
      target: (target) => new StartLive(this.alerts.live, target),
      event: { kind: 'alert', scheduledTime: TICK },
    });
    const watchTick = new Tick(this, 'WatchTick', {
      ...shared,
      description: 'Have the reports arrived whose deadline has passed?',
      expression: watch,
      target: (target) => new targets.LambdaInvoke(functions['delivery-watch'].live, target),
      event: { now: TICK },
    });
    const sweepTick = new Tick(this, 'SweepTick', {
      ...shared,
      description: 'What have dead runs left open?',
      expression: sweep,
      target: (target) => new targets.LambdaInvoke(functions.sweep.live, target),
      event: { now: TICK },
    });
    this.#giveOutputs(settings, group, [dailyTick, alertTick, watchTick, sweepTick]);
  }

  #giveOutputs({ concurrency }: Settings, group: scheduler.IScheduleGroup, ticks: readonly Tick[]): void {
    new StackOutputs(this, {
      ReportsStateMachine: {
        value: this.reports.live.arn,
        description: 'The state machine of the daily reports, as its schedule starts it',
      },
      AlertsStateMachine: {
        value: this.alerts.live.arn,
        description: 'The state machine of the alert checks, as its schedule starts it',
      },
      ReportsConcurrency: {
        value: concurrency.reports.toString(),
        description: 'How many merchants are reported at the same time',
      },
      AlertsConcurrency: {
        value: concurrency.alerts.toString(),
        description: 'How many alert checks run at the same time',
      },
      ScheduleGroup: { value: group.scheduleGroupName, description: 'The group of all schedules' },
      Schedules: {
        value: Fn.join(
          ',',
          ticks.map(({ schedule }) => schedule.scheduleName),
        ),
        description: 'The schedules of that group, with commas between them',
      },
    });
  }
}
