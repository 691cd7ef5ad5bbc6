import { Fn, Stack } from 'aws-cdk-lib';
import type { StackProps } from 'aws-cdk-lib';
import type * as sqs from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { StackOutputs } from './constructs/stack-outputs.ts';
import { TICK, createTick, tickGroup } from './constructs/tick.ts';
import type { FunctionsStack } from './functions-stack.ts';
import type { FunctionName, OptionalFunctionName } from './functions.ts';
import type { Settings } from './settings.ts';

export interface SchedulesStackProps extends StackProps {
  settings: Settings;
  functions: FunctionsStack['functions'] & FunctionsStack['optional'];
  deadLetters: sqs.IQueue;
}

interface Scheduled {
  id: string;
  description: string;
  /** `rate(…)` or `cron(…)`. */
  expression: string;
  /** A function that the stage does not have is not called. */
  calls: FunctionName | OptionalFunctionName;
  event: Record<string, string>;
  /** Of the expression. Left out: that of the settings. */
  timeZone?: string;
}

export class SchedulesStack extends Stack {
  constructor(
    scope: Construct,
    id: string,
    { settings, functions, deadLetters, ...props }: SchedulesStackProps,
  ) {
    super(scope, id, props);
    const { timeZone, daily, alerts, watch, sweep } = settings.schedules;
    const group = tickGroup(this, `daybook-${settings.stage}`);
    const scheduled: Scheduled[] = [
      {
        id: 'DailyTick',
        description: 'Who is due for a report?',
        expression: daily,
        calls: 'plan',
        event: { kind: 'daily', scheduledTime: TICK },
      },
      {
        id: 'StatementTick',
        description: 'Which statements and pages of groups are due?',
        expression: daily,
        calls: 'plan',
        event: { kind: 'statement', scheduledTime: TICK },
      },
      {
        id: 'AlertTick',
        description: 'Checks the rules of every merchant that has some',
        expression: alerts,
        calls: 'plan',
        event: { kind: 'alert', scheduledTime: TICK },
      },
      {
        id: 'WatchTick',
        description: 'Have the reports arrived whose deadline has passed?',
        expression: watch,
        calls: 'delivery-watch',
        event: { now: TICK },
      },
      {
        id: 'SweepTick',
        description: 'What have dead runs left open?',
        expression: sweep,
        calls: 'sweep',
        event: { now: TICK },
      },
      {
        id: 'ProofTick',
        description: 'Signs for the pages that were sealed since the night before',
        // After the last run of the date before, and before the mornings of the merchants.
        expression: 'cron(30 0 * * ? *)',
        timeZone: 'Etc/UTC',
        calls: 'prove',
        event: {},
      },
    ];
    const ticks = scheduled.flatMap(({ id: tickId, calls, ...tick }) => {
      const { live } = functions[calls] ?? {};
      return live === undefined
        ? []
        : [createTick(this, tickId, { group, timeZone, deadLetters, calls: live, ...tick })];
    });
    new StackOutputs(this, {
      ScheduleGroup: { value: group.scheduleGroupName, description: 'The group of all schedules' },
      Schedules: {
        value: Fn.join(
          ',',
          ticks.map(({ scheduleName }) => scheduleName),
        ),
        description: 'The schedules of that group, with commas between them',
      },
    });
  }
}
