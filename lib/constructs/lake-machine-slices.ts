import * as sfn from 'aws-cdk-lib/aws-stepfunctions';
import { Condition } from 'aws-cdk-lib/aws-stepfunctions';
import type { Construct } from 'constructs';
import { mergeDays } from '../lake/history/statements/merge-days.ts';
import { mergeMail } from '../lake/history/statements/merge-mail.ts';
import { mergeRecords } from '../lake/history/statements/merge-records.ts';
import { noteDaysMerged, noteMailMerged } from '../lake/history/statements/note-merged.ts';
import { StatementFailure } from './lake-machine-failure.ts';
import { LakeStates, inOrder } from './lake-machine-states.ts';
import type { StatementPlace } from './lake-machine-statement.ts';
import { valueAt } from './states-format.ts';

/** Merges the slices that a look gave, one after the other. */
export function eachSlice(scope: Construct, place: StatementPlace): sfn.Map {
  const map = new sfn.Map(scope, 'EachSlice', {
    stateName: 'Each slice of days',
    itemsPath: '$.look.slices',
    itemSelector: { 'slice.$': '$$.Map.Item.Value', 'dataFrom.$': '$.dates.data_from' },
    // Two at once would fail each other's commits.
    maxConcurrency: 1,
    resultPath: sfn.JsonPath.DISCARD,
  });
  const states = new LakeStates(scope, place, new StatementFailure(scope, 'SliceFailure', ' (slice)'));
  const statement = (stateName: string, sql: string) => states.statement({ stateName, sql });
  const slice = {
    days: valueAt('$.slice.days'),
    from: valueAt('$.slice.from'),
    to: valueAt('$.slice.to'),
  };
  const merged = { ...slice, mergedAt: valueAt('$.time.now') };
  // The order matters: a row of days_history says that the rows of its page are there.
  const days = inOrder(
    statement('Merge the invoices of the slice', mergeRecords('invoices', slice)),
    statement('Merge the refunds of the slice', mergeRecords('refunds', slice)),
    statement('Merge the days of the slice', mergeDays({ ...slice, dataFrom: valueAt('$.dataFrom') })),
    statement('Note that the days are merged', noteDaysMerged(merged)),
  );
  const mail = inOrder(
    statement('Merge the mail of the slice', mergeMail(slice)),
    statement('Note that the mail is merged', noteMailMerged(merged)),
  );
  map.itemProcessor(
    states
      .time('Note the time of the slice')
      .next(
        new sfn.Choice(scope, 'WhatSlice', { stateName: 'Days or mail?' })
          .when(Condition.stringEquals('$.slice.what', 'days'), days)
          .otherwise(mail),
      ),
  );
  return map;
}
