import { Duration, RemovalPolicy, TimeZone } from 'aws-cdk-lib';
import type * as lambda from 'aws-cdk-lib/aws-lambda';
import * as scheduler from 'aws-cdk-lib/aws-scheduler';
import * as targets from 'aws-cdk-lib/aws-scheduler-targets';
import type * as sqs from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';

interface TickProps {
  description: string;
  group: scheduler.IScheduleGroup;
  /** `rate(…)` or `cron(…)`. */
  expression: string;
  /** The time zone of cron, an IANA name. */
  timeZone: string;
  calls: lambda.IFunction;
  /** `TICK` in it stands for the tick's own time. */
  event: Record<string, string | boolean>;
  deadLetters: sqs.IQueue;
}

/** In an event: the time for which the tick was scheduled, ISO 8601 in UTC. It is the same at every attempt. */
export const TICK = scheduler.ContextAttribute.scheduledTime;

/** It goes with its stack: the library would keep it, and its name is fixed, so the next deploy would find it taken. */
export function tickGroup(scope: Construct, scheduleGroupName: string): scheduler.ScheduleGroup {
  return new scheduler.ScheduleGroup(scope, 'Ticks', {
    scheduleGroupName,
    removalPolicy: RemovalPolicy.DESTROY,
  });
}

/** A schedule. An event that cannot be delivered goes to the dead-letter queue. */
export function createTick(scope: Construct, id: string, props: TickProps): scheduler.Schedule {
  return new scheduler.Schedule(new Construct(scope, id), 'Schedule', {
    description: props.description,
    scheduleGroup: props.group,
    schedule: scheduler.ScheduleExpression.expression(props.expression, TimeZone.of(props.timeZone)),
    target: new targets.LambdaInvoke(props.calls, {
      input: scheduler.ScheduleTargetInput.fromObject(props.event),
      // A later tick makes up for a lost one.
      retryAttempts: 20,
      maxEventAge: Duration.hours(1),
      deadLetterQueue: props.deadLetters,
    }),
  });
}
