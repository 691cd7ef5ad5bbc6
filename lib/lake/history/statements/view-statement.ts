import { viewSql } from '../../lake-view.ts';
import type { LakeView } from '../../lake-view.ts';
import type { AllView } from '../../views/all-view.ts';
import { historyState } from '../../views/history-state.ts';
import type { StateTexts } from '../../views/history-state.ts';
import { listed, quoted } from './columns.ts';

/** The statement that replaces a view. */
function replace({ name }: LakeView, sql: string): string {
  return `CREATE OR REPLACE VIEW ${name} AS\n${sql}`;
}

/**
 * Puts the days of a condition into the history's part of a view, and all others into the part of the JSON files. Both parts have the
 * condition as literals, so both engines leave out the files of the other part when they plan.
 *
 * @param merged a condition on `day`, such as `day BETWEEN '2026-01-01' AND '2026-11-19'`
 */
export function viewStatement(view: AllView, { merged }: { merged: string }): string {
  const { columns, history } = view;
  const names = columns.map(({ name }) => quoted(name));
  const kept = columns.map(({ name, type }) =>
    // Iceberg has microseconds, and the JSON files have none.
    type === 'timestamp(3)' ? `CAST(${quoted(name)} AS timestamp(3)) AS ${quoted(name)}` : quoted(name),
  );
  return replace(
    view,
    `SELECT
${listed(kept, 2)}
FROM ${history.name}
WHERE ${merged}
UNION ALL
SELECT
${listed(names, 2)}
FROM ${history.latest.name}
WHERE NOT (${merged})`,
  );
}

/** The view as it was deployed: all days from the JSON files. It needs no history. */
export function viewWithoutHistory(view: LakeView): string {
  return replace(view, viewSql(view));
}

/** Puts what a look found into `history_state`. */
export function stateStatement(texts: StateTexts): string {
  return viewWithoutHistory(historyState(texts));
}
