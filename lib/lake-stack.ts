import { Stack } from 'aws-cdk-lib';
import type { StackProps } from 'aws-cdk-lib';
import * as glue from 'aws-cdk-lib/aws-glue';
import type * as kms from 'aws-cdk-lib/aws-kms';
import type * as s3 from 'aws-cdk-lib/aws-s3';
import type * as sqs from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { createAnalystGroup, createAnalystPolicy } from './constructs/analysts.ts';
import type { DaybookFunction } from './constructs/daybook-function.ts';
import { grantLake } from './constructs/lake-rights.ts';
import { fillCatalogue } from './constructs/glue-lake.ts';
import { createNamedQueries, createResults, createWorkGroup } from './constructs/athena.ts';
import { StackOutputs } from './constructs/stack-outputs.ts';
import { createTick, tickGroup } from './constructs/tick.ts';
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
  constructor(scope: Construct, id: string, props: LakeStackProps) {
    super(scope, id, props);
    const { settings, dataBucket, dataKey } = props;
    const { firstDay, scanLimit, resultDays, groups } = settings.lake;
    const databaseName = lakeDatabase(settings.stage);
    const scanLimitBytes = Math.floor(scanLimit * GIB);
    const removalPolicy = removalOf(settings);

    const database = new glue.CfnDatabase(this, 'Database', {
      catalogId: this.account,
      databaseInput: {
        name: databaseName,
        description: 'Daybook: invoices, refunds, sealed days and mail',
      },
    });
    fillCatalogue(this, database, databaseName, dataBucket, firstDay);

    const results = createResults(this, 'Results', {
      key: dataKey,
      accessLogs: props.accessLogs,
      days: resultDays,
      removalPolicy,
    });
    const workGroup = createWorkGroup(this, 'WorkGroup', {
      name: lakeWorkGroup(databaseName),
      description: 'Queries on the lake of Daybook',
      scanLimitBytes,
      results,
      answers: PEOPLE_ANSWERS,
      key: dataKey,
      removalPolicy,
    });
    createNamedQueries(this, NAMED_QUERIES, database, workGroup);

    const place = { databaseName, dataBucket, dataKey, results };
    const analysts = createAnalystPolicy(this, 'Analysts', {
      ...place,
      description: `Queries on the lake ${databaseName}`,
      workGroupName: workGroup.name,
      objects: ANALYST_OBJECTS,
      folders: ANALYST_FOLDERS,
      answers: PEOPLE_ANSWERS,
    });
    this.#keepHistory(props, results);
    const policies = groups.map((group) => {
      const policy = createAnalystGroup(this, group, { ...place, scanLimitBytes, removalPolicy });
      const output = {
        value: policy.managedPolicyArn,
        description: `The policy for people of the group ${group.name}`,
      };
      return [`${groupResource(group)}Policy`, output] as const;
    });
    new StackOutputs(this, {
      LakeFirstDay: { value: firstDay, description: 'The first day of the tables' },
      AnalystsPolicy: {
        value: analysts.managedPolicyArn,
        description: 'The policy for people who may query the whole lake',
      },
      ...Object.fromEntries(policies),
    });
  }

  /** The function `lake` has a workgroup of its own: the limit for people's queries would stop a large merge. */
  #keepHistory(
    { settings, dataBucket, dataKey, deadLetters, keeper }: LakeStackProps,
    results: s3.IBucket,
  ): void {
    const { stage, lake, schedules } = settings;
    const databaseName = lakeDatabase(stage);
    const workGroup = createWorkGroup(this, 'HistoryWorkGroup', {
      name: historyWorkGroup(databaseName),
      description: "The statements that keep Daybook's history",
      results,
      answers: HISTORY_ANSWERS,
      key: dataKey,
      removalPolicy: removalOf(settings),
    });
    const place = { databaseName, dataBucket, dataKey, results };
    grantLake(this, keeper.role, { ...place, workGroupName: workGroup.name, groups: lake.groups });
    const scope = new Construct(this, 'HistorySchedules');
    createTick(scope, 'Look', {
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
