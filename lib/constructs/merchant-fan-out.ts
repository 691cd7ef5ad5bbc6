import { FeatureFlags, Stack } from 'aws-cdk-lib';
import * as iam from 'aws-cdk-lib/aws-iam';
import type * as kms from 'aws-cdk-lib/aws-kms';
import * as sfn from 'aws-cdk-lib/aws-stepfunctions';
import * as cxapi from 'aws-cdk-lib/cx-api';
import { Construct } from 'constructs';
import { acknowledge } from '../checks.ts';
import { LiveStateMachine } from './live-state-machine.ts';
import { SHARED_LABEL } from './merchant-fan-out-children.ts';
import { FanOutDefinition, ROUNDS, resultsPrefix } from './merchant-fan-out-definition.ts';
import type { FanOutDefinitionProps } from './merchant-fan-out-definition.ts';
import { STATEMENT_KEYS, STATEMENT_LABELS } from './statement-steps.ts';
import { grantFanOut } from './merchant-fan-out-rights.ts';
import { stateMachineLog } from './state-machine-log.ts';
import type { LogProps } from './state-machine-log.ts';
import { stateMachinePrincipal } from './state-machine-principal.ts';

export interface MerchantFanOutProps extends FanOutDefinitionProps {
  /** Also the name of the log group. It must be unique in the account and region. */
  stateMachineName: string;
  /** The key that encrypts the bucket. */
  key: kms.IKey;
  log: LogProps;
}

/**
 * A state machine that plans who is due and runs each item. Its input is an event of `plan`. One merchant's failure does
 * not stop the others: after all others, the failed merchants are planned once more. The execution only fails when too
 * many of them fail again.
 */
export class MerchantFanOut extends Construct {
  readonly stateMachine: sfn.StateMachine;
  /** What the schedule and people start. */
  readonly live: LiveStateMachine;

  constructor(scope: Construct, id: string, props: MerchantFanOutProps) {
    super(scope, id);
    if (!FeatureFlags.of(this).isEnabled(cxapi.STEPFUNCTIONS_USE_DISTRIBUTED_MAP_RESULT_WRITER_V2)) {
      const flag = cxapi.STEPFUNCTIONS_USE_DISTRIBUTED_MAP_RESULT_WRITER_V2;
      throw new Error(`without the feature flag "${flag}" in the context, no results are written`);
    }
    const { kind, stateMachineName, plan, worker, statement, sizes, bucket, key } = props;
    const statements = statement === undefined ? [] : [statement.worker];
    const otherSizes = sizes === undefined ? [] : [sizes.shared.worker, sizes.large.worker];
    const called = [plan, worker, ...otherSizes, ...statements];
    const role = new iam.Role(this, 'Role', {
      assumedBy: stateMachinePrincipal(Stack.of(this), stateMachineName),
      description: `${stateMachineName}: what this state machine may do`,
    });
    grantFanOut(role, {
      stateMachineName,
      labels: [
        ...Object.values(ROUNDS).map(({ label }) => label),
        ...(sizes === undefined ? [] : [SHARED_LABEL]),
        ...statements.flatMap(() => STATEMENT_LABELS),
      ],
      functions: called.map((published) => published.function),
      bucket,
      key,
      items: [`plan/${kind}`, ...statements.map(() => STATEMENT_KEYS.items)],
      results: [resultsPrefix(kind), ...statements.map(() => STATEMENT_KEYS.results)],
    });

    this.stateMachine = new sfn.StateMachine(this, 'StateMachine', {
      stateMachineName,
      // With the code, the text changes when only a version does. A stack whose text stays the same is not deployed.
      comment: `Input: an event of the function "plan". docs/fan-out.md. Code: ${called.map(({ code }) => code).join(' ')}`,
      definitionBody: sfn.DefinitionBody.fromChainable(new FanOutDefinition(this, props).start()),
      // The rights that the library would add are wider than needed.
      role: role.withoutPolicyUpdates(),
      stateMachineType: sfn.StateMachineType.STANDARD,
      // Every call has its log lines and every child its result. Traces of 10,000 children a day would only repeat them.
      tracingEnabled: false,
      logs: stateMachineLog(this, stateMachineName, props.log),
    });
    this.stateMachine.node.addDependency(role);
    this.live = new LiveStateMachine(this, 'Live', { stateMachine: this.stateMachine });
    // The library would add its own rights to start the children. They are granted above.
    this.stateMachine.node.tryRemoveChild('DistributedMapPolicy');
    acknowledge(
      this.stateMachine,
      'AwsSolutions-SF1',
      'Every call logs; ALL would log each step of each merchant.',
    );
    acknowledge(
      this.stateMachine,
      'AwsSolutions-SF2',
      'Every child has its result, every call its log lines.',
    );
  }
}
