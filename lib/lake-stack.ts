import { Stack } from 'aws-cdk-lib';
import type { StackProps } from 'aws-cdk-lib';
import type * as athena from 'aws-cdk-lib/aws-athena';
import * as glue from 'aws-cdk-lib/aws-glue';
import type * as kms from 'aws-cdk-lib/aws-kms';
import type * as s3 from 'aws-cdk-lib/aws-s3';
import type * as sqs from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { AnalystGroup, AnalystPolicy } from './constructs/analysts.ts';
import type { DaybookFunction } from './constructs/daybook-function.ts';
import { grantLake } from './constructs/lake-rights.ts';
import { fillCatalogue } from './constructs/glue-lake.ts';
import { createNamedQueries, createResults, createWorkGroup } from './constructs/athena.ts';
import { StackOutputs } from './constructs/stack-outputs.ts';
import { Tick, tickGroup } from './constructs/tick.ts';
import { ANALYST_FOLDERS, ANALYST_OBJECTS } from './lake/tables.ts';
import {
  HISTORY_ANSWERS,
  PEOPLE_ANSWERS,
  historyWorkGroup,
  lakeWorkGroup,
  lakeDatabase,
} from '#lake/sql/lake-database.ts';
import { groupResource } from '#lake/sql/groups.ts';
import { NAMED_QUERIES } from './lake/queries/index.ts';
import { removalOf } from './removal.ts';
import type { Settings } from './settings.ts';

export interface LakeStackProps extends StackProps {
  settings: Settings;
  dataBucket: s3.IBucket;
  dataKey: kms.IKey;
  accessLogs: s3.IBucket;
  deadLetters: sqs.IQueue;
  /** The function `lake`. */
  keeper: DaybookFunction;
}

const GIB = 1024 ** 3;

/** The data as tables, views and named queries, ready to use in Athena after the deploy. */
export class LakeStack extends Stack {
  readonly database: glue.CfnDatabase;
  readonly workGroup: athena.CfnWorkGroup;
  readonly results: s3.Bucket;
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
    createNamedQueries(this, NAMED_QUERIES, this.database, this.workGroup);

    this.analysts = new AnalystPolicy(this, 'Analysts', {
      description: `Queries on the lake ${databaseName}`,
      workGroupName: this.workGroup.name,
      databaseName,
      dataBucket,
      dataKey,
      objects: ANALYST_OBJECTS,
      folders: ANALYST_FOLDERS,
      results: this.results,
      answers: PEOPLE_ANSWERS,
    });
    this.#keepHistory(props);
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
      AnalystsPolicy: {
        value: this.analysts.policy.managedPolicyArn,
        description: 'The policy for people who may query the whole lake',
      },
      ...Object.fromEntries(policies),
    });
  }

  /** The function `lake` has a workgroup of its own: the limit for people's queries would stop a large merge. */
  #keepHistory({ settings, dataBucket, dataKey, deadLetters, keeper }: LakeStackProps): void {
    const { stage, lake, schedules } = settings;
    const databaseName = lakeDatabase(stage);
    const { results } = this;
    const workGroup = createWorkGroup(this, 'HistoryWorkGroup', {
      name: historyWorkGroup(databaseName),
      description: "The statements that keep Daybook's history",
      results,
      answers: HISTORY_ANSWERS,
      key: dataKey,
      removalPolicy: removalOf(settings),
    });
    grantLake(this, keeper.role, {
      databaseName,
      workGroupName: workGroup.name,
      dataBucket,
      dataKey,
      results,
      groups: lake.groups,
    });
    const scope = new Construct(this, 'HistorySchedules');
    new Tick(scope, 'Look', {
      group: tickGroup(scope, `daybook-${stage}-lake`),
      timeZone: schedules.timeZone,
      deadLetters,
      description: 'Looks what has changed, and merges and maintains what is due',
      expression: lake.schedules.look,
      // Views without a history have merchants, too.
      event: lake.history ? {} : { merchants: true },
      calls: keeper.live,
    });
  }
}
