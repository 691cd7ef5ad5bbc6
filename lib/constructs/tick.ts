import { Duration, TimeZone } from 'aws-cdk-lib';
import * as scheduler from 'aws-cdk-lib/aws-scheduler';
import type { ScheduleTargetBaseProps } from 'aws-cdk-lib/aws-scheduler-targets';
import type * as sqs from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';

export interface TickProps {
  description: string;
  group: scheduler.IScheduleGroup;
  /** `rate(…)` or `cron(…)`. */
  expression: string;
  /** Zone in which cron is read, an IANA name. */
  timeZone: string;
  /** What is called, with the event; the tick's own time stands for `TICK` in it. */
  target: (props: ScheduleTargetBaseProps) => scheduler.IScheduleTarget;
  event: Record<string, string>;
  deadLetters: sqs.IQueue;
}

/** In an event: the time for which the tick was scheduled, ISO 8601 in UTC, the same at every attempt. */
export const TICK = scheduler.ContextAttribute.scheduledTime;

/** A schedule whose every firing carries the time that it stands for, and ends among the dead letters at worst. */
export class Tick extends Construct {
  constructor(scope: Construct, id: string, props: TickProps) {
    super(scope, id);
    new scheduler.Schedule(this, 'Schedule', {
      description: props.description,
      scheduleGroup: props.group,
      schedule: scheduler.ScheduleExpression.expression(props.expression, TimeZone.of(props.timeZone)),
      target: props.target({
        input: scheduler.ScheduleTargetInput.fromObject(props.event),
        // A later tick makes up for one that is lost for good.
        retryAttempts: 20,
        maxEventAge: Duration.hours(1),
        deadLetterQueue: props.deadLetters,
      }),
    });
  }
}
