import * as sfn from 'aws-cdk-lib/aws-stepfunctions';
import type { Construct } from 'constructs';
import { createGroupTables, groupTables, lookAtGroup, mergeGroup } from '../lake/groups.ts';
import type { LakeGroup } from '../lake/groups.ts';
import { StatementFailure } from './lake-machine-failure.ts';
import { rowTask, statementTask } from './lake-machine-statement.ts';
import type { StatementPlace } from './lake-machine-statement.ts';
import { inOrder } from './lake-machine-states.ts';
import type { Step } from './lake-machine-states.ts';
import { valueAt } from './states-format.ts';

export interface GroupStepsProps extends StatementPlace {
  /** Such as `s3://bucket/`. */
  bucketUrl: string;
  failure: StatementFailure;
}

/**
 * The states that bring a group's copy up to the history: make its tables, find the months that differ, and merge them. They
 * read `days_history` over all time, so a new group and a run that was missed need nothing more.
 */
export function groupSteps(scope: Construct, group: LakeGroup, props: GroupStepsProps): Step[] {
  const { databaseName, bucketUrl, failure } = props;
  const { name } = group;
  const statement = (stateName: string, sql: string, idPath?: string) =>
    statementTask(scope, props, failure, { stateName, sql, ...(idPath !== undefined && { idPath }) });
  const tables = Object.values(groupTables(databaseName, group));
  const made = createGroupTables(databaseName, group, bucketUrl, 'athena').map((sql, index) =>
    statement(`Make ${tables[index]?.short ?? ''} of ${name}`, sql),
  );
  return [
    ...made,
    statement(`Look at the copy of ${name}`, lookAtGroup(databaseName, group), '$.query'),
    rowTask(scope, failure, {
      stateName: `Read the look at ${name}`,
      idPath: '$.query.id',
      rowPath: '$.copy',
      columns: ['windows'],
      parsed: { windows: 'windows' },
    }),
    eachWindow(scope, group, props),
  ];
}

function eachWindow(scope: Construct, group: LakeGroup, props: GroupStepsProps): sfn.Map {
  const { name } = group;
  const map = new sfn.Map(scope, `Each window of ${name}`, {
    stateName: `Each half-year of ${name} that differs`,
    itemsPath: '$.copy.windows',
    itemSelector: { 'window.$': '$$.Map.Item.Value' },
    maxConcurrency: 1,
    resultPath: sfn.JsonPath.DISCARD,
  });
  const failure = new StatementFailure(scope, `Failure of ${name}`, ` (${name})`);
  const window = { from: valueAt('$.window.from'), to: valueAt('$.window.to') };
  const statements = mergeGroup(props.databaseName, group, window).map((sql, index) =>
    statementTask(scope, props, failure, {
      stateName: `Merge the ${['invoices', 'refunds', 'days'][index] ?? ''} of ${name}`,
      sql,
    }),
  );
  map.itemProcessor(inOrder(...statements));
  return map;
}
