import { createHash } from 'node:crypto';
import { viewStatement } from '../history/statements/view-statement.ts';
import type { LakeView } from '../lake-view.ts';
import { ALL_VIEWS } from './all-views.ts';

/** How the id begins that a deploy gives. */
export const DEPLOYED = 'deployed ';
/** How the id ends of a look that met another one. */
export const MET = ' and another';

/** Which look last began to replace the views over all time. One row. @param begunBy its id */
export function historyViews(begunBy: string): LakeView {
  return {
    name: 'history_views',
    description:
      'Which look of the state machine `lake` last began to replace the views over all time. One row.',
    columns: [
      {
        name: 'begun_by',
        type: 'varchar',
        meaning: 'The id of the look. If `history_state` has another one, the next look replaces the views.',
        expression: `CAST('${begunBy}' AS varchar)`,
        nullable: false,
        contract: 'Daybook',
      },
    ],
    from: '(VALUES 1) AS t (one)',
  };
}

/** Differs when the text of a view differs, as it is deployed or as the state machine writes it. */
function fingerprint(): string {
  const texts = ALL_VIEWS.map((view) => [
    view.description,
    view.columns,
    view.from,
    viewStatement(view, { merged: 'merged' }),
  ]);
  return createHash('sha256').update(JSON.stringify(texts)).digest('hex').slice(0, 16);
}

/**
 * As it is deployed, it has no look's id. A deploy puts every view that it changes back to its text without history. It changes this one
 * with them, so the next look replaces all of them.
 */
export const HISTORY_VIEWS = historyViews(`${DEPLOYED}${fingerprint()}`);
