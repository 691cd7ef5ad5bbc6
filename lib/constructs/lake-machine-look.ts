import * as sfn from 'aws-cdk-lib/aws-stepfunctions';
import { askFor } from '../lake/history/statements/ask-for.ts';
import { look, lookSince } from '../lake/history/statements/look.ts';
import { readDays, whetherDays } from './lake-machine-input.ts';
import { inOrder } from './lake-machine-states.ts';
import type { LakeStates, Step } from './lake-machine-states.ts';
import { valueAt } from './states-format.ts';

const LOOKED = { since: valueAt('$.dates.since'), now: valueAt('$.time.now') };

/** Keeps the dates that Step Functions cannot compute as `$.dates`. @param dataDays how long the files of a day stay */
export function askForDates(states: LakeStates, dataDays: number): Step {
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
export function firstLook(states: LakeStates, next: sfn.IChainable): sfn.Choice {
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
export function secondLook(states: LakeStates): Step {
  return inOrder(
    states.time('Note the time again'),
    states.statement({ stateName: 'Look again', sql: look(LOOKED), idPath: '$.query' }),
  );
}
