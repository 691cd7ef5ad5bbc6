import * as z from 'zod';
import type { Athena } from './athena.ts';
import { look } from './sql/statements/look.ts';
import {
  LOOK_COLUMNS,
  HISTORY_STATE,
  HISTORY_VIEWS,
  MET,
  beginStatement,
  stateStatement,
  viewStatement,
  viewWithoutHistory,
} from './sql/statements/views.ts';
import type { LookColumn } from './sql/statements/views.ts';
import { ALL_VIEWS } from './sql/views/all.ts';

/** A look's one row. */
export type Found = Record<LookColumn, string>;

const foundSchema = z.lazy(() => z.record(z.enum(LOOK_COLUMNS), z.string()));

/**
 * Looks what is merged and what waits, and makes the views read all that waits from the JSON files.
 * @param since the first UTC date of the markers to read, `YYYY-MM-DD`; @param now milliseconds UTC
 * @throws {StatementFailedError} when a statement failed at every attempt
 */
export async function lookAndPointViews(athena: Athena, since: string, now: number): Promise<Found> {
  const sql = look({ since, now: new Date(now).toISOString() });
  const found = foundSchema.parse(await athena.row('Look', sql));
  if (found.views_differ === 'true') await pointViews(athena, found);
  // It also says when the function last looked.
  await athena.run('Write history_state', stateStatement(found));
  return found;
}

/**
 * Replaces the views. If they say so already, they stay: a look an hour would be some 50,000 versions of views in Glue every year.
 *
 * The look believes `history_state` only if it has the id that `history_views` has. So `history_views` gets the look's id before the first
 * view changes, and `history_state` after the last. A look that dies in between is not believed, and the next one replaces all views.
 * Of two looks at the same time, either may write a view last. The one that began first finds the other's id in `history_views` at its end. The
 * other one knows from its look that a look has begun and not ended; that one may also have died. Each of them writes an id into
 * `history_views` that no look has. So the next look replaces all views.
 */
async function pointViews(athena: Athena, found: Found): Promise<void> {
  await athena.run('Write history_views', beginStatement(found));
  for (const view of ALL_VIEWS) {
    await athena.run(`Point ${view.name}`, viewStatement(view, found));
  }
  const last = await athena.row('Ask which look began last', `SELECT begun_by FROM ${HISTORY_VIEWS.name}`);
  if (last['begun_by'] === found.pointed_by && found.is_alone === 'true') return;
  await athena.run('Doubt the views', beginStatement({ pointed_by: `${found.pointed_by}${MET}` }));
}

/** The views read the JSON files only. `history_views` is the first, so that a run that dies here is not believed either. */
export async function turnOff(athena: Athena): Promise<void> {
  for (const view of [HISTORY_VIEWS, ...ALL_VIEWS, HISTORY_STATE]) {
    await athena.run(`Take ${view.name} off the history`, viewWithoutHistory(view));
  }
}
