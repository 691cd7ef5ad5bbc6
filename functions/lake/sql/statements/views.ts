import { createHash } from 'node:crypto';
import { viewSql } from '../lake-view.ts';
import type { LakeView } from '../lake-view.ts';
import { ALL_VIEWS } from '../views/all.ts';
import type { AllView } from '../views/all.ts';
import { countColumn, ownColumn, textColumn, utcColumn } from '../views/columns.ts';
import { quotedText } from '../quoting.ts';
import { listed, quoted } from './columns.ts';

/**
 * What a column of a look says when there is nothing to say. It is no empty text: nobody documents whether Athena answers an empty text, or
 * leaves it out as it leaves out a null.
 */
export const NONE = 'none';

/** The columns of a look's one row. All of them are text, never null and never empty. */
export const LOOK_COLUMNS = [
  'slices',
  'days_waiting',
  'mail_waiting',
  'waiting_since',
  'behind',
  'complete_from',
  'complete_to',
  'merged_days',
  'merged_mail_days',
  'looked_at',
  'settled_at',
  'views_differ',
  'pointed_by',
  'is_alone',
] as const;
export type LookColumn = (typeof LOOK_COLUMNS)[number];

function replace({ name }: LakeView, sql: string): string {
  return `CREATE OR REPLACE VIEW ${name} AS\n${sql}`;
}

/** SQL for "the day is in one of these ranges". @param ranges such as `2026-11-19 to 2026-11-20, 2026-11-04 to 2026-11-05` */
function isIn(ranges: string): string {
  const found = ranges.matchAll(/(\d{4}-\d\d-\d\d) to (\d{4}-\d\d-\d\d)/g);
  const conditions = [...found].map(
    ([, from = '', to = '']) => `day BETWEEN ${quotedText(from)} AND ${quotedText(to)}`,
  );
  return conditions.length === 0 ? 'false' : conditions.join(' OR ');
}

/**
 * Puts merged days into the history's part of a view, and all others into the part of the JSON files. Both parts have the days as
 * literals, so both engines leave out the files of the other part when they plan.
 * @param found what a look answered
 */
export function viewStatement(
  view: AllView,
  found: Pick<Record<LookColumn, string>, AllView['merged']>,
): string {
  const { columns, history } = view;
  const merged = isIn(found[view.merged]);
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

type Kept = Exclude<LookColumn, 'slices' | 'behind' | 'views_differ' | 'is_alone'>;

export function stateStatement(texts: Record<Kept, string>): string {
  return viewWithoutHistory(historyState(texts));
}

/** What the history holds, as the last look found it. One row of literals. */
function historyState(texts: Partial<Record<Kept, string>> = {}): LakeView {
  const textOf = (name: Kept) => quotedText(texts[name] ?? NONE);
  const known = (name: Kept) => `nullif(${textOf(name)}, '${NONE}')`;
  const day = (name: Kept, text: string) =>
    ownColumn(name, 'date', `CAST(${known(name)} AS date)`, `${text} [date]`, true);
  const moment = (name: Kept, text: string) => utcColumn(name, known(name), text, true);
  const count = (name: Kept, text: string) => countColumn(name, `CAST(${known(name)} AS bigint)`, text);
  const words = (name: Kept, text: string) => textColumn(name, `CAST(${textOf(name)} AS varchar)`, text);
  return {
    name: 'history_state',
    description: 'What the history holds, as the function `lake` last found it. One row.',
    columns: [
      day('complete_from', 'The first day of the newest days that are in the history without a gap.'),
      day('complete_to', 'The last of these days.'),
      moment('looked_at', 'When the function `lake` last looked; null if it never did, or is turned off.'),
      count('days_waiting', 'Past days whose rows and figures wait to be merged.'),
      count('mail_waiting', 'Past days whose mail waits to be merged.'),
      moment('waiting_since', 'Since when the day that waits longest has waited.'),
      words(
        'merged_days',
        'The days that `all_invoices`, `all_refunds` and `all_days` read from the history. They read all others from the JSON files.',
      ),
      words('merged_mail_days', 'The days that `all_mail` reads from the history.'),
      moment(
        'settled_at',
        'All changes before this time are merged. The next look reads the markers from one day earlier on.',
      ),
      words(
        'pointed_by',
        'The id of the look that last replaced the views. The function `lake` compares it with `history_views`.',
      ),
    ],
    from: '(VALUES 1) AS t (one)',
  };
}

export const HISTORY_STATE = historyState();

/** How the id begins that a deploy gives. */
export const DEPLOYED = 'deployed ';
/** How the id ends of a look that met another one. */
export const MET = ' and another';

/** Which look last began to replace the views over all time. One row. @param begunBy its id */
function historyViews(begunBy: string): LakeView {
  return {
    name: 'history_views',
    description: 'Which look of the function `lake` last began to replace the views over all time. One row.',
    columns: [
      textColumn(
        'begun_by',
        `CAST(${quotedText(begunBy)} AS varchar)`,
        'The id of the look. If `history_state` has another one, the next look replaces the views.',
      ),
    ],
    from: '(VALUES 1) AS t (one)',
  };
}

/** Differs when the text of a view differs, as it is deployed or as the function `lake` writes it. */
function fingerprint(): string {
  const texts = ALL_VIEWS.map((view) => [
    view.description,
    view.columns,
    view.from,
    viewStatement(view, { merged_days: NONE, merged_mail_days: NONE }),
  ]);
  return createHash('sha256').update(JSON.stringify(texts)).digest('hex').slice(0, 16);
}

/**
 * As it is deployed, it has no look's id. A deploy puts every view that it changes back to its text without history. It changes this one
 * with them, so the next look replaces all of them.
 */
export const HISTORY_VIEWS = historyViews(`${DEPLOYED}${fingerprint()}`);

/** Says that a look begins to replace the views. It comes before the first of them. `history_state` comes after the last. */
export function beginStatement({ pointed_by }: Record<Extract<LookColumn, 'pointed_by'>, string>): string {
  return viewWithoutHistory(historyViews(pointed_by));
}
