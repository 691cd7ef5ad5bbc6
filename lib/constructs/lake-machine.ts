import { Duration, Stack } from 'aws-cdk-lib';
import * as iam from 'aws-cdk-lib/aws-iam';
import * as sfn from 'aws-cdk-lib/aws-stepfunctions';
import { Construct } from 'constructs';
import { acknowledge } from '../checks.ts';
import { groupDatabase, groupTables } from '../lake/groups.ts';
import { HISTORY_TABLES } from '../lake/history/tables.ts';
import { LAKE_TABLES } from '../lake/tables.ts';
import { ALL_VIEWS } from '../lake/views/all.ts';
import { HISTORY_STATE, HISTORY_VIEWS } from '../lake/history/statements/views.ts';
import { lakeDefinition } from './lake-machine-definition.ts';
import type { LakeDefinitionProps } from './lake-machine-definition.ts';
import { grantLakeMachine } from './lake-machine-rights.ts';
import type { LakeMachineRights } from './lake-machine-rights.ts';
import { stateMachineLog } from './state-machine-log.ts';
import type { LogProps } from './state-machine-log.ts';
import { stateMachinePrincipal } from './state-machine-principal.ts';

/** A daily execution ends before the next one begins. What is left waits for that one. */
const LONGEST_EXECUTION = Duration.hours(20);

/** The tables over JSON files that the history is made of. */
const SOURCES = ['invoices', 'refunds', 'days', 'mail', 'changes'];

export interface LakeMachineProps
  extends
    Omit<LakeDefinitionProps, 'bucketName'>,
    Omit<LakeMachineRights, 'read' | 'written' | 'prefixes' | 'copies'> {
  /** Also the name of the log group. It must be unique in the account and region. */
  stateMachineName: string;
  log: LogProps;
}

/**
 * The state machine that keeps the history: it merges the days that changed, and replaces the views over all time. All of the
 * work is done by statements in Athena. docs/deploy.md names its inputs.
 */
export class LakeMachine extends Construct {
  readonly stateMachine: sfn.StateMachine;

  constructor(scope: Construct, id: string, props: LakeMachineProps) {
    super(scope, id);
    const { stateMachineName, dataBucket, log } = props;
    const role = new iam.Role(this, 'Role', {
      assumedBy: stateMachinePrincipal(Stack.of(this), stateMachineName),
      description: `${stateMachineName}: what this state machine may do`,
    });
    const sources = LAKE_TABLES.filter(({ name }) => SOURCES.includes(name));
    grantLakeMachine(role, {
      ...props,
      read: [...sources, ...new Set(ALL_VIEWS.map(({ history }) => history.latest))].map(({ name }) => name),
      written: [...HISTORY_TABLES, ...ALL_VIEWS, HISTORY_STATE, HISTORY_VIEWS].map(({ name }) => name),
      prefixes: sources.map(({ prefix }) => prefix),
      copies: Object.fromEntries(
        props.groups.map((group) => [
          groupDatabase(props.databaseName, group),
          Object.values(groupTables(props.databaseName, group)).map(({ short }) => short),
        ]),
      ),
    });
    const definition = lakeDefinition(this, { ...props, bucketName: dataBucket.bucketName });
    this.stateMachine = new sfn.StateMachine(this, 'StateMachine', {
      stateMachineName,
      comment: 'Input: {}, or see docs/deploy.md, "The history"',
      definitionBody: sfn.DefinitionBody.fromChainable(definition),
      // The rights that the library would add are wider than needed.
      role: role.withoutPolicyUpdates(),
      stateMachineType: sfn.StateMachineType.STANDARD,
      timeout: LONGEST_EXECUTION,
      tracingEnabled: false,
      logs: stateMachineLog(this, stateMachineName, log),
    });
    this.stateMachine.node.addDependency(role);
    acknowledge(
      this.stateMachine,
      'AwsSolutions-SF1',
      'Athena keeps every statement; ALL would only repeat them.',
    );
    acknowledge(
      this.stateMachine,
      'AwsSolutions-SF2',
      'Its steps are statements, and Athena keeps their times.',
    );
  }
}
