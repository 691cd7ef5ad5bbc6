import { Stack } from 'aws-cdk-lib';
import type { StackProps } from 'aws-cdk-lib';
import * as athena from 'aws-cdk-lib/aws-athena';
import * as glue from 'aws-cdk-lib/aws-glue';
import type * as kms from 'aws-cdk-lib/aws-kms';
import type * as s3 from 'aws-cdk-lib/aws-s3';
import type * as sqs from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { AnalystGroup, AnalystPolicy } from './constructs/analysts.ts';
import { LakeMachine } from './constructs/lake-machine.ts';
import { LakeSchedules } from './constructs/lake-machine-schedules.ts';
import { fillCatalogue } from './constructs/glue-lake.ts';
import { createResults, createWorkGroup } from './constructs/athena.ts';
import { metricNamespace } from './constructs/runbook-alarm.ts';
import { StackOutputs } from './constructs/stack-outputs.ts';
import { ANALYST_FOLDERS, ANALYST_OBJECTS, ANALYST_TABLES, ANALYST_VIEWS } from './lake/for-analysts.ts';
import {
  MACHINE_ANSWERS,
  PEOPLE_ANSWERS,
  historyWorkGroup,
  lakeWorkGroup,
  lakeDatabase,
} from './lake/lake-database.ts';
import { groupResource } from './lake/groups.ts';
import { NAMED_QUERIES } from './lake/queries/index.ts';
import { removalOf } from './removal.ts';
import type { Settings } from './settings.ts';

export interface LakeStackProps extends StackProps {
  settings: Settings;
  dataBucket: s3.IBucket;
  dataKey: kms.IKey;
  accessLogs: s3.IBucket;
  deadLetters: sqs.IQueue;
}

const GIB = 1024 ** 3;

/** The data as tables, views and named queries, ready to use in Athena after the deploy. */
export class LakeStack extends Stack {
  readonly database: glue.CfnDatabase;
  readonly workGroup: athena.CfnWorkGroup;
  readonly results: s3.Bucket;
  /** The state machine that keeps the history. */
  readonly machine: LakeMachine;
  /** The policy for the roles of people who query the lake. */
  readonly analysts: AnalystPolicy;

  constructor(scope: Construct, id: string, props: LakeStackProps) {
    super(scope, id, props);
    const { settings, dataBucket, dataKey } = props;
    const { firstDay, scanLimit, resultDays, groups } = settings.lake;
    const databaseName = lakeDatabase(settings.stage);
    const scanLimitBytes = Math.floor(scanLimit * GIB);
    const removalPolicy = removalOf(settings);

    this.database = new glue.CfnDatabase(this, 'Database', {
      catalogId: this.account,
      databaseInput: {
        name: databaseName,
        description: 'Daybook: invoices, refunds, sealed days and mail',
      },
    });
    fillCatalogue(this, this.database, databaseName, dataBucket, firstDay);

    this.results = createResults(this, 'Results', {
      key: dataKey,
      accessLogs: props.accessLogs,
      days: resultDays,
      removalPolicy,
    });
    this.workGroup = createWorkGroup(this, 'WorkGroup', {
      name: lakeWorkGroup(databaseName),
      description: 'Queries on the lake of Daybook',
      scanLimitBytes,
      results: this.results,
      answers: PEOPLE_ANSWERS,
      key: dataKey,
      removalPolicy,
    });
    for (const { name, description, sql } of NAMED_QUERIES) {
      new athena.CfnNamedQuery(this, name, {
        name,
        description,
        database: this.database.ref,
        workGroup: this.workGroup.ref,
        queryString: sql,
      });
    }

    this.analysts = new AnalystPolicy(this, 'Analysts', {
      description: `Queries on the lake ${databaseName}`,
      workGroupName: this.workGroup.name,
      catalogue: { [databaseName]: [...ANALYST_TABLES, ...ANALYST_VIEWS] },
      dataBucket,
      dataKey,
      objects: ANALYST_OBJECTS,
      folders: ANALYST_FOLDERS,
      results: this.results,
      answers: PEOPLE_ANSWERS,
    });
    this.machine = this.#createMachine(props);
    const { results } = this;
    const policies = groups.map((group) => {
      const place = { databaseName, scanLimitBytes, dataBucket, dataKey, results, removalPolicy };
      const { policy } = new AnalystGroup(this, groupResource(group), { group, ...place }).policy;
      const output = {
        value: policy.managedPolicyArn,
        description: `The policy for people of the group ${group.name}`,
      };
      return [`${groupResource(group)}Policy`, output] as const;
    });
    new StackOutputs(this, {
      LakeFirstDay: { value: firstDay, description: 'The first day of the tables' },
      LakeStateMachine: {
        value: this.machine.stateMachine.stateMachineArn,
        description: 'The state machine that keeps the history',
      },
      AnalystsPolicy: {
        value: this.analysts.policy.managedPolicyArn,
        description: 'The policy for people who may query the whole lake',
      },
      ...Object.fromEntries(policies),
    });
  }

  /** The machine has a workgroup of its own: the limit for people's queries would stop a large merge. */
  #createMachine({ settings, dataBucket, dataKey, deadLetters }: LakeStackProps): LakeMachine {
    const { stage, lake, retention, schedules } = settings;
    const databaseName = lakeDatabase(stage);
    const removalPolicy = removalOf(settings);
    const { results } = this;
    const workGroup = createWorkGroup(this, 'HistoryWorkGroup', {
      name: historyWorkGroup(databaseName),
      description: "The statements that keep Daybook's history",
      results,
      answers: MACHINE_ANSWERS,
      key: dataKey,
      removalPolicy,
    });
    const machine = new LakeMachine(this, 'History', {
      stateMachineName: `daybook-${stage}-lake`,
      databaseName,
      workGroupName: workGroup.name,
      dataBucket,
      dataKey,
      results,
      answers: MACHINE_ANSWERS,
      retention,
      groups: lake.groups,
      metricNamespace: metricNamespace(stage),
      log: { retention: retention.logDays, removalPolicy },
    });
    machine.node.addDependency(workGroup, this.database);
    if (lake.history) {
      new LakeSchedules(this, 'HistorySchedules', {
        stage,
        machine: machine.stateMachine,
        ...lake.schedules,
        timeZone: schedules.timeZone,
        deadLetters,
      });
    }
    return machine;
  }
}
