import * as sfn from 'aws-cdk-lib/aws-stepfunctions';
import { Condition } from 'aws-cdk-lib/aws-stepfunctions';
import { mergeDays, mergeMail, mergeRecords } from '../lake/history/statements/merge.ts';
import { noteFailed, noteDaysMerged, noteMailMerged } from '../lake/history/statements/notes.ts';
import { STOPPED, StatementFailure } from './lake-machine-failure.ts';
import { LakeStates, inOrder } from './lake-machine-states.ts';
import type { StatementPlace } from './lake-machine-statement.ts';
import { valueAt } from './states-format.ts';

/** When the merge of the slice began. */
const BEGAN = valueAt('$.taken.began');
/** After so many failed slices, an execution merges no further one: the cause is not a bad file then. */
const MOST_FAILED = 10;
/** Whether a slice has failed. */
export const SLICES_FAILED = Condition.isPresent('$.first_failure');
/** Says how many slices have failed, and the reason of the first. */
export const SLICES_FAILED_CAUSE =
  "States.Format('{} of {} slices could not be merged. The first: {}', $.slices.failed, $.slices.all, $.first_failure.cause)";

/**
 * Merges the slices that a look gave. They come one after the other: two at once would fail each other's commits. A slice that fails does
 * not stop the others. In a `Map` it would.
 *
 * @param states for the states whose failure ends the execution
 * @param next what follows, whatever has failed
 */
export function eachSlice(states: LakeStates, place: StatementPlace, next: sfn.IChainable): sfn.IChainable {
  const { scope } = states;
  const whetherLeft = new sfn.Choice(scope, 'SliceLeft', { stateName: 'Is a slice left?' });
  const take = states.pass(
    'Take the next slice',
    { 'slice.$': 'States.ArrayGetItem($.look.slices, $.slices.done)', 'began.$': '$$.State.EnteredTime' },
    '$.taken',
  );
  whetherLeft
    .when(
      Condition.and(
        Condition.numberLessThanJsonPath('$.slices.done', '$.slices.all'),
        Condition.numberLessThan('$.slices.failed', MOST_FAILED),
      ),
      take,
    )
    .otherwise(next);
  const failed = noteFailure(states).next(
    counted(states, 'Count the failed slice', 'States.MathAdd($.slices.failed, 1)').next(whetherLeft),
  );
  const ofSlice = new LakeStates(
    scope,
    place,
    new StatementFailure(scope, 'SliceFailure', ' (slice)', failed),
  );
  const done = counted(states, 'Count the slice', '$.slices.failed');
  done.next(whetherLeft);
  const { days, mail } = merge(ofSlice);
  take.next(
    new sfn.Choice(scope, 'WhatSlice', { stateName: 'Days or mail?' })
      .when(Condition.stringEquals('$.taken.slice.what', 'days'), days.next(done))
      .otherwise(mail.next(done)),
  );
  const begin = { done: 0, 'all.$': 'States.ArrayLength($.look.slices)', failed: 0 };
  return sfn.Chain.start(states.pass('Begin with the first slice', begin, '$.slices')).next(whetherLeft);
}

/** The statements that merge a slice. */
function merge(states: LakeStates): Record<'days' | 'mail', sfn.Chain> {
  const statement = (stateName: string, sql: string) => states.statement({ stateName, sql });
  const slice = { days: taken('days'), from: taken('from'), to: taken('to') };
  const merged = { ...slice, mergedAt: BEGAN };
  return {
    // The order matters: a row of days_history says that the rows of its page are there.
    days: sfn.Chain.start(
      inOrder(
        statement('Merge the invoices of the slice', mergeRecords('invoices', slice)),
        statement('Merge the refunds of the slice', mergeRecords('refunds', slice)),
        statement(
          'Merge the days of the slice',
          mergeDays({ ...slice, dataFrom: valueAt('$.dates.data_from') }),
        ),
        statement('Note that the days are merged', noteDaysMerged(merged)),
      ),
    ),
    mail: sfn.Chain.start(
      inOrder(
        statement('Merge the mail of the slice', mergeMail(slice)),
        statement('Note that the mail is merged', noteMailMerged(merged)),
      ),
    ),
  };
}

/** Keeps the first failure of the execution, and notes in the history that the slice failed. */
function noteFailure(states: LakeStates): sfn.Chain {
  const note = states.statement({
    stateName: 'Note that the slice failed',
    sql: noteFailed({ what: taken('what'), days: taken('days'), failedAt: BEGAN }),
  });
  const keep = states.pass('Keep the first failure', { 'cause.$': `${STOPPED}.cause` }, '$.first_failure');
  const isFirst = new sfn.Choice(states.scope, 'FirstFailure', { stateName: 'Is it the first failure?' })
    .when(SLICES_FAILED, note)
    .otherwise(keep.next(note));
  return sfn.Chain.custom(isFirst, [note], note);
}

function counted(states: LakeStates, stateName: string, failed: string): sfn.Pass {
  const counts = {
    'done.$': 'States.MathAdd($.slices.done, 1)',
    'all.$': '$.slices.all',
    'failed.$': failed,
  };
  return states.pass(stateName, counts, '$.slices');
}

function taken(member: 'what' | 'days' | 'from' | 'to'): string {
  return valueAt(`$.taken.slice.${member}`);
}
