import { RemovalPolicy, Stack } from 'aws-cdk-lib';
import type { StackProps } from 'aws-cdk-lib';
import * as athena from 'aws-cdk-lib/aws-athena';
import * as glue from 'aws-cdk-lib/aws-glue';
import type * as kms from 'aws-cdk-lib/aws-kms';
import type * as s3 from 'aws-cdk-lib/aws-s3';
import type { Construct } from 'constructs';
import { AnalystPolicy } from './constructs/analyst-policy.ts';
import { LakeMachine } from './constructs/lake-machine.ts';
import { LakeSchedules } from './constructs/lake-machine-schedules.ts';
import type { LakeSchedulesProps } from './constructs/lake-machine-schedules.ts';
import { GlueLakeTable } from './constructs/lake-table.ts';
import { GlueLakeView } from './constructs/lake-view.ts';
import { QueryResults } from './constructs/query-results.ts';
import { metricNamespace } from './constructs/runbook-alarm.ts';
import { StackOutputs } from './constructs/stack-outputs.ts';
import type * as logs from 'aws-cdk-lib/aws-logs';
import { NAMED_QUERIES } from './lake/queries/index.ts';
import { LAKE_TABLES } from './lake/tables/index.ts';
import { ALL_VIEWS } from './lake/views/all-views.ts';
import { HISTORY_STATE } from './lake/views/history-state.ts';
import { LAKE_VIEWS } from './lake/views/index.ts';

export interface LakeStackProps extends StackProps {
  /** Small letters, digits and `_`. The workgroup has the same name with `-`. */
  databaseName: string;
  /** The first day of the tables, `YYYY-MM-DD`. */
  firstDay: string;
  /** The most that one query may read, bytes. Athena requires at least 10 MB. */
  scanLimitBytes: number;
  /** How long answers of queries are kept. */
  queryResultDays: number;
  /** What happens to the answers when the stack is deleted. */
  removalPolicy: RemovalPolicy;
  dataBucket: s3.IBucket;
  dataKey: kms.IKey;
  accessLogs: s3.IBucket;
  stage: string;
  history: {
    /** How long the objects are kept that the history is made of. */
    retention: { dataDays: number; manifestDays: number; ledgerDays: number };
    logRetention: logs.RetentionDays;
    /** Not set: nothing runs by itself. */
    schedules: Omit<LakeSchedulesProps, 'stage' | 'machine'> | undefined;
  };
}

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
    const { databaseName, dataBucket, dataKey, firstDay } = props;

    this.database = new glue.CfnDatabase(this, 'Database', {
      catalogId: this.account,
      databaseInput: {
        name: databaseName,
        description: 'Daybook: invoices, refunds, sealed days and mail',
      },
    });
    for (const table of LAKE_TABLES) {
      new GlueLakeTable(this, table.name, { database: this.database, table, bucket: dataBucket, firstDay });
    }
    for (const view of [...LAKE_VIEWS, ...ALL_VIEWS, HISTORY_STATE]) {
      new GlueLakeView(this, view.name, { database: this.database, databaseName, view });
    }

    const { bucket } = new QueryResults(this, 'Results', {
      key: dataKey,
      accessLogs: props.accessLogs,
      days: props.queryResultDays,
      removalPolicy: props.removalPolicy,
    });
    this.results = bucket;
    this.workGroup = this.#createWorkGroup(props);
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
      databaseName,
      workGroupName: this.workGroup.name,
      dataBucket,
      dataKey,
      results: this.results,
    });
    this.machine = this.#createMachine(props);
    new StackOutputs(this, {
      LakeStateMachine: {
        value: this.machine.stateMachine.stateMachineArn,
        description: 'The state machine that keeps the history',
      },
    });
  }

  #createMachine({ databaseName, dataBucket, dataKey, stage, history }: LakeStackProps): LakeMachine {
    const machine = new LakeMachine(this, 'History', {
      stateMachineName: `daybook-${stage}-lake`,
      databaseName,
      workGroupName: this.workGroup.name,
      dataBucket,
      dataKey,
      results: this.results,
      retention: history.retention,
      metricNamespace: metricNamespace(stage),
      logRetention: history.logRetention,
    });
    machine.node.addDependency(this.workGroup, this.database);
    if (history.schedules !== undefined) {
      new LakeSchedules(this, 'HistorySchedules', {
        stage,
        machine: machine.stateMachine,
        ...history.schedules,
      });
    }
    return machine;
  }

  #createWorkGroup({ databaseName, scanLimitBytes, dataKey, removalPolicy }: LakeStackProps) {
    return new athena.CfnWorkGroup(this, 'WorkGroup', {
      name: databaseName.replaceAll('_', '-'),
      description: 'Queries on the lake of Daybook',
      recursiveDeleteOption: removalPolicy === RemovalPolicy.DESTROY,
      workGroupConfiguration: {
        // A client cannot choose another place for its answers, or leave them unencrypted.
        enforceWorkGroupConfiguration: true,
        publishCloudWatchMetricsEnabled: true,
        bytesScannedCutoffPerQuery: scanLimitBytes,
        requesterPaysEnabled: false,
        engineVersion: { selectedEngineVersion: 'Athena engine version 3' },
        resultConfiguration: {
          outputLocation: `s3://${this.results.bucketName}/`,
          expectedBucketOwner: this.account,
          encryptionConfiguration: { encryptionOption: 'SSE_KMS', kmsKey: dataKey.keyArn },
        },
      },
    });
  }
}
