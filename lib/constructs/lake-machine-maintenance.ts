import * as sfn from 'aws-cdk-lib/aws-stepfunctions';
import type { HistoryTable } from '../lake/history/history-table.ts';
import { optimize, retention, vacuum } from '../lake/history/statements/maintain.ts';
import { DAYS_HISTORY } from '../lake/history/tables/days.ts';
import { INVOICES_HISTORY } from '../lake/history/tables/invoices.ts';
import { MAIL_HISTORY } from '../lake/history/tables/mail.ts';
import { HISTORY_MERGES } from '../lake/history/tables/merges.ts';
import { REFUNDS_HISTORY } from '../lake/history/tables/refunds.ts';
import type { GroupTables } from '../lake/groups/index.ts';
import { MORE_RUNS } from './lake-machine-retries.ts';
import { inOrder } from './lake-machine-states.ts';
import type { LakeStates, Step } from './lake-machine-states.ts';
import { valueAt } from './states-format.ts';

/** How long days stay in the history: as long as the objects that they were made of. */
export interface LakeRetention {
  dataDays: number;
  manifestDays: number;
  ledgerDays: number;
}

/** Joins the files of the months that a day's merges add to. A month stays at a few files, whatever is merged. */
export function joinNewFiles(states: LakeStates): Step[] {
  return [INVOICES_HISTORY, REFUNDS_HISTORY, DAYS_HISTORY, MAIL_HISTORY].map((table) =>
    states.statement({
      stateName: `Join the new files of ${table.name}`,
      sql: optimize(table, 'athena', valueAt('$.dates.optimize_from')),
      retries: MORE_RUNS,
    }),
  );
}

/** Deletes what is too old, then joins small files, then removes old snapshots. @param copies of the groups */
export function maintain(
  states: LakeStates,
  { dataDays, manifestDays, ledgerDays }: LakeRetention,
  copies: readonly GroupTables[],
): sfn.IChainable {
  const kept: readonly (readonly [HistoryTable, number])[] = [
    [INVOICES_HISTORY, dataDays],
    [REFUNDS_HISTORY, dataDays],
    [DAYS_HISTORY, manifestDays],
    [MAIL_HISTORY, ledgerDays],
    // The longest of all: a day without its merge would wait to be merged.
    [HISTORY_MERGES, ledgerDays],
    ...copies.flatMap(({ invoices, refunds, days }) => [
      [invoices, dataDays] as const,
      [refunds, dataDays] as const,
      [days, manifestDays] as const,
    ]),
  ];
  const steps = kept.flatMap(([table, days]) => [
    states.statement({
      stateName: `Delete old days of ${table.name}`,
      sql: retention(table, { days: days.toString() }),
    }),
    states.statement({
      stateName: `Join the files of ${table.name}`,
      sql: optimize(table, 'athena'),
      retries: MORE_RUNS,
    }),
    states.statement({
      stateName: `Remove old snapshots of ${table.name}`,
      sql: vacuum(table, 'athena'),
      retries: MORE_RUNS,
    }),
  ]);
  return sfn.Chain.start(inOrder(...steps)).next(
    new sfn.Succeed(states.scope, 'Maintained', { stateName: 'Maintained' }),
  );
}
