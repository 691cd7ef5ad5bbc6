import * as sfn from 'aws-cdk-lib/aws-stepfunctions';
import type { Construct } from 'constructs';
import { groupTables } from '../lake/groups.ts';
import type { LakeGroup } from '../lake/groups.ts';
import { createTable } from '../lake/history/statements/tables.ts';
import { HISTORY_TABLES } from '../lake/history/tables.ts';
import { StatementFailure } from './lake-machine-failure.ts';
import { groupSteps } from './lake-machine-groups.ts';
import { isOnlyLook, readInput, readDays, whetherDays } from './lake-machine-input.ts';
import { joinNewFiles, maintain } from './lake-machine-maintenance.ts';
import type { LakeRetention } from './lake-machine-maintenance.ts';
import { eachSlice } from './lake-machine-slices.ts';
import type { StatementPlace } from './lake-machine-statement.ts';
import { LakeStates, inOrder } from './lake-machine-states.ts';
import type { Step } from './lake-machine-states.ts';
import { judge } from './lake-machine-verdict.ts';
import { pointViews, turnOff } from './lake-machine-views.ts';
import { askFor } from '../lake/history/statements/notes.ts';
import { look, lookSince } from '../lake/history/statements/look.ts';
import { valueAt } from './states-format.ts';

const LOOKED = { since: valueAt('$.dates.since'), now: valueAt('$.time.now') };

/** Keeps the dates that Step Functions cannot compute as `$.dates`. @param dataDays how long the files of a day stay */
function askForDates(states: LakeStates, dataDays: number): Step {
  const before = (days: number) => `CAST(CAST(date_add('day', -${days}, current_date) AS date) AS varchar)`;
  // Last month and this one: a day's merges seldom reach further back, and the weekly run joins the rest.
  const months = `CAST(CAST(date_add('month', -1, date_trunc('month', current_date)) AS date) AS varchar)`;
  const sql = `SELECT since, ${before(dataDays)} AS data_from, ${before(1)} AS yesterday, ${months} AS optimize_from
FROM (${lookSince()})`;
  return inOrder(
    states.statement({ stateName: 'Ask for the dates', sql, idPath: '$.query' }),
    states.row('Read the dates', '$.dates', ['since', 'data_from', 'yesterday', 'optimize_from']),
  );
}

/** The first look: at the days that the input names, or at what has changed. */
function firstLook(states: LakeStates, next: sfn.IChainable): sfn.Choice {
  const plain = inOrder(
    states.time('Note the time'),
    states.statement({ stateName: 'Look', sql: look(LOOKED), idPath: '$.query' }),
  );
  const atDays = inOrder(
    states.time('Note the time of the days'),
    states.statement({
      stateName: 'Note that the days are asked for',
      sql: askFor({ now: LOOKED.now, from: valueAt('$.days.from'), to: valueAt('$.days.to') }),
    }),
    states.statement({ stateName: 'Look at the days', sql: look(LOOKED), idPath: '$.query' }),
  );
  for (const either of [plain, atDays]) sfn.Chain.start(either).next(next);
  return whetherDays(states, readDays(states, atDays), plain);
}

/** The look after the merges. */
function secondLook(states: LakeStates): Step {
  return inOrder(
    states.time('Note the time again'),
    states.statement({ stateName: 'Look again', sql: look(LOOKED), idPath: '$.query' }),
  );
}

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
