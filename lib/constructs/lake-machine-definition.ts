import * as sfn from 'aws-cdk-lib/aws-stepfunctions';
import type { Construct } from 'constructs';
import { groupTables } from '../lake/groups/index.ts';
import type { LakeGroup } from '../lake/groups/index.ts';
import { createTable } from '../lake/history/statements/create-table.ts';
import { HISTORY_TABLES } from '../lake/history/tables/index.ts';
import { StatementFailure } from './lake-machine-failure.ts';
import { groupSteps } from './lake-machine-groups.ts';
import { isOnlyLook, readInput } from './lake-machine-input.ts';
import { askForDates, firstLook, secondLook } from './lake-machine-look.ts';
import { joinNewFiles, maintain } from './lake-machine-maintenance.ts';
import type { LakeRetention } from './lake-machine-maintenance.ts';
import { eachSlice } from './lake-machine-slices.ts';
import type { StatementPlace } from './lake-machine-statement.ts';
import { LakeStates, inOrder } from './lake-machine-states.ts';
import type { Step } from './lake-machine-states.ts';
import { judge } from './lake-machine-verdict.ts';
import { pointViews, turnOff } from './lake-machine-views.ts';

export interface LakeDefinitionProps extends StatementPlace {
  bucketName: string;
  retention: LakeRetention;
  /** The namespace of the metric `MERGED_METRIC`. */
  metricNamespace: string;
  /** People who have a copy of a part of the history. */
  groups: readonly LakeGroup[];
}

/** The prefix of the history's files in the data bucket. Iceberg owns all of them. */
export const LAKE_PREFIX = 'lake/';

/** The first state of the machine that keeps the history. All others follow from it. */
export function lakeDefinition(scope: Construct, props: LakeDefinitionProps): sfn.IChainable {
  const states = new LakeStates(scope, props, new StatementFailure(scope, 'Failure', ''));
  const copies = props.groups.map((group) => groupTables(props.databaseName, group));
  return readInput(states, {
    merging: merging(states, props),
    maintaining: maintain(states, props.retention, copies),
    turningOff: turnOff(states),
  });
}

/** Looks, points the views, merges what waits, and looks again. */
function merging(states: LakeStates, props: LakeDefinitionProps): sfn.IChainable {
  const ready = inOrder(...makeTables(states, props), askForDates(states, props.retention.dataDays));
  const lookAgain = secondLook(states);
  const merged = eachSlice(states, props, lookAgain);
  const kept = sfn.Chain.start(inOrder(...joinNewFiles(states), ...copyForGroups(states, props))).next(
    judge(states, props.metricNamespace),
  );
  sfn.Chain.start(lookAgain).next(sfn.Chain.start(pointViews(states, ' again')).next(kept));
  const whetherMore = new sfn.Choice(states.scope, 'OnlyLook', { stateName: 'Was it only a look?' })
    .when(isOnlyLook(), new sfn.Succeed(states.scope, 'Looked', { stateName: 'Looked' }))
    .otherwise(merged);
  const seen = sfn.Chain.start(pointViews(states, '')).next(whetherMore);
  return sfn.Chain.start(ready).next(firstLook(states, seen));
}

function makeTables(states: LakeStates, { bucketName, databaseName }: LakeDefinitionProps): Step[] {
  return HISTORY_TABLES.map((table) => {
    const place = { database: databaseName, location: `s3://${bucketName}/${LAKE_PREFIX}${table.name}/` };
    return states.statement({
      stateName: `Make ${table.name}`,
      sql: createTable(table, place, 'athena'),
    });
  });
}

/** Brings the groups' copies up to the history. */
function copyForGroups(states: LakeStates, props: LakeDefinitionProps): Step[] {
  const { groups, bucketName, ...place } = props;
  const bucketUrl = `s3://${bucketName}/`;
  return groups.flatMap((group) =>
    groupSteps(states.scope, group, { ...place, bucketUrl, failure: states.failure }),
  );
}
