import * as targets from 'aws-cdk-lib/aws-scheduler-targets';
import type * as sfn from 'aws-cdk-lib/aws-stepfunctions';
import type * as sqs from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { Tick, tickGroup } from './tick.ts';

export interface LakeSchedulesProps {
  stage: string;
  machine: sfn.IStateMachine;
  deadLetters: sqs.IQueue;
  /** The time zone of cron. */
  timeZone: string;
  /** `rate(…)` or `cron(…)`. */
  merge: string;
  look: string;
  maintain: string;
}

/** When the history is merged, looked at and maintained. */
export class LakeSchedules extends Construct {
  constructor(scope: Construct, id: string, props: LakeSchedulesProps) {
    super(scope, id);
    const { stage, machine, deadLetters, timeZone } = props;
    const group = tickGroup(this, `daybook-${stage}-lake`);
    const tick = (tickId: string, description: string, expression: string, event: Record<string, boolean>) =>
      new Tick(this, tickId, {
        group,
        timeZone,
        deadLetters,
        description,
        expression,
        event,
        target: (target) => new targets.StepFunctionsStartExecution(machine, target),
      });
    tick('Merge', 'Merges the days that changed into the history', props.merge, {});
    tick('Look', 'Makes the views read changed days from the JSON files', props.look, { merge: false });
    tick('Maintain', 'Deletes old days, joins small files, removes old snapshots', props.maintain, {
      maintain: true,
    });
  }
}
