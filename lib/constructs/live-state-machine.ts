import { RemovalPolicy } from 'aws-cdk-lib';
import type * as iam from 'aws-cdk-lib/aws-iam';
import type * as scheduler from 'aws-cdk-lib/aws-scheduler';
import { ScheduleTargetBase } from 'aws-cdk-lib/aws-scheduler-targets';
import type { ScheduleTargetBaseProps } from 'aws-cdk-lib/aws-scheduler-targets';
import * as sfn from 'aws-cdk-lib/aws-stepfunctions';
import { Construct } from 'constructs';
import { LIVE } from '../functions.ts';

export interface LiveStateMachineProps {
  stateMachine: sfn.StateMachine;
}

/** The published version of a state machine that runs now: definition and code together. */
export class LiveStateMachine extends Construct {
  /** The ARN of the alias. */
  readonly arn: string;
  readonly stateMachine: sfn.StateMachine;

  constructor(scope: Construct, id: string, { stateMachine }: LiveStateMachineProps) {
    super(scope, id);
    this.stateMachine = stateMachine;
    // A change of the state machine makes another revision, and so a new version beside the old ones.
    const version = new sfn.CfnStateMachineVersion(this, 'Version', {
      stateMachineArn: stateMachine.stateMachineArn,
      stateMachineRevisionId: stateMachine.stateMachineRevisionId,
    });
    version.applyRemovalPolicy(RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE);
    const alias = new sfn.CfnStateMachineAlias(this, 'Alias', {
      name: LIVE,
      description: 'What the schedule and people start',
      deploymentPreference: {
        stateMachineVersionArn: version.attrArn,
        type: 'ALL_AT_ONCE',
      },
    });
    this.arn = alias.attrArn;
  }
}

/** A schedule's target: starts the version that is live. */
export class StartLive extends ScheduleTargetBase implements scheduler.IScheduleTarget {
  readonly #live: LiveStateMachine;

  constructor(live: LiveStateMachine, props: ScheduleTargetBaseProps) {
    super(props, live.arn);
    this.#live = live;
  }

  /** Step Functions checks this right on the state machine, also when an alias is started. */
  protected override addTargetActionToRole(role: iam.IRole): void {
    this.#live.stateMachine.grantStartExecution(role);
  }
}
