import * as sfn from 'aws-cdk-lib/aws-stepfunctions';
import {
  DAYS_HISTORY,
  VIEW_HISTORIES,
  INVOICES_HISTORY,
  MAIL_HISTORY,
  HISTORY_MERGES,
  REFUNDS_HISTORY,
} from '../lake/history/tables.ts';
import type { HistoryTable } from '../lake/history/tables.ts';
import { optimize, vacuum } from '../lake/history/statements/tables.ts';
import {
  deleteOldDays,
  deleteOldMail,
  deleteOldMerges,
  deleteOldRows,
} from '../lake/history/statements/retention.ts';
import type { GroupTables } from '../lake/groups.ts';
import { MORE_RUNS } from './lake-machine-retries.ts';
import { inOrder } from './lake-machine-states.ts';
import type { LakeStates, Step } from './lake-machine-states.ts';
import { valueAt } from './states-format.ts';

/** How long the bucket keeps objects after they were written, days. */
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

/** A table, and the statement that deletes what is too old in it. */
type Deletion = readonly [HistoryTable, string];

/** Rows first, then figures: the figures say when the rows have to go. */
function deletePages(
  { invoices, refunds, days }: Record<'invoices' | 'refunds' | 'days', HistoryTable>,
  { dataDays, manifestDays }: LakeRetention,
): Deletion[] {
  return [
    [invoices, deleteOldRows(invoices, days, { kept: dataDays })],
    [refunds, deleteOldRows(refunds, days, { kept: dataDays })],
    [days, deleteOldDays({ invoices, refunds, days }, { kept: manifestDays })],
  ];
}

/**
 * The statements that delete what is too old, in their order. A run may die between any two of them: the next one goes on.
 *
 * @param copies of the groups
 */
export function deletions(retention: LakeRetention, copies: readonly GroupTables[]): Deletion[] {
  const { ledgerDays } = retention;
  const history = { invoices: INVOICES_HISTORY, refunds: REFUNDS_HISTORY, days: DAYS_HISTORY };
  return [
    ...deletePages(history, retention),
    [MAIL_HISTORY, deleteOldMail(MAIL_HISTORY, { kept: ledgerDays })],
    [HISTORY_MERGES, deleteOldMerges(HISTORY_MERGES, VIEW_HISTORIES, { kept: ledgerDays })],
    ...copies.flatMap((tables) => deletePages(tables, retention)),
  ];
}

/** Deletes what is too old, then joins small files, then removes old snapshots. @param copies of the groups */
export function maintain(
  states: LakeStates,
  retention: LakeRetention,
  copies: readonly GroupTables[],
): sfn.IChainable {
  const steps = deletions(retention, copies).flatMap(([table, sql]) => [
    states.statement({ stateName: `Delete old days of ${table.name}`, sql }),
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
