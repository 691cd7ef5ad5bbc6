import * as sfn from 'aws-cdk-lib/aws-stepfunctions';
import {
  beginStatement,
  stateStatement,
  viewStatement,
  viewWithoutHistory,
  HISTORY_STATE,
  HISTORY_VIEWS,
  MET,
} from '../lake/history/statements/views.ts';
import { LOOK_COLUMNS } from '../lake/history/statements/look-columns.ts';
import type { LookColumn } from '../lake/history/statements/look-columns.ts';
import { ALL_VIEWS } from '../lake/views/all.ts';
import { inOrder } from './lake-machine-states.ts';
import type { LakeStates, Step } from './lake-machine-states.ts';
import { valueAt } from './states-format.ts';

function found(column: LookColumn): string {
  return valueAt(`$.look.${column}`);
}

/**
 * Reads a look's answer and replaces the views as the look says. If they say so already, they stay: a look an hour would be some 50,000 versions of
 * views in Glue every year. `history_state` is always written, because it says when the machine last looked.
 *
 * The look believes `history_state` only if it has the id that `history_views` has. So `history_views` gets the look's id before the first
 * view changes, and `history_state` after the last. A look that dies in between is not believed, and the next one replaces all views.
 * Of two looks at the same time, either may write a view last. The one that began first finds the other's id in `history_views` at its end. The
 * other one knows from its look that a look has begun and not ended; that one may also have died. Each of them writes an id into
 * `history_views` that no look has. So the next look replaces all views.
 *
 * @param again tells the second look's states from the first's
 */
export function pointViews(states: LakeStates, again: string): Step {
  const views = ALL_VIEWS.map((view) =>
    states.statement({
      stateName: `Point ${view.name}${again}`,
      sql: viewStatement(view, { merged: found(view.merged) }),
    }),
  );
  const begin = states.statement({
    stateName: `Write history_views${again}`,
    sql: beginStatement({ pointed_by: found('pointed_by') }),
  });
  const state = states.statement({
    stateName: `Write history_state${again}`,
    sql: stateStatement({
      complete_from: found('complete_from'),
      complete_to: found('complete_to'),
      merged_days: found('merged_days'),
      merged_mail_days: found('merged_mail_days'),
      days_waiting: found('days_waiting'),
      mail_waiting: found('mail_waiting'),
      waiting_since: found('waiting_since'),
      looked_at: found('looked_at'),
      settled_at: found('settled_at'),
      pointed_by: found('pointed_by'),
    }),
  });
  const ask = inOrder(
    states.statement({
      stateName: `Ask which look began last${again}`,
      sql: `SELECT begun_by FROM ${HISTORY_VIEWS.name}`,
      idPath: '$.query',
    }),
    states.row(`Read which look began last${again}`, '$.last', ['begun_by']),
  );
  const doubt = states.statement({
    stateName: `Doubt the views${again}`,
    sql: beginStatement({ pointed_by: `${found('pointed_by')}${MET}` }),
  });
  const whetherAlone = new sfn.Choice(states.scope, `AnotherLook${again}`, {
    stateName: `Was it alone?${again}`,
  })
    .when(
      sfn.Condition.and(
        sfn.Condition.stringEqualsJsonPath('$.last.begun_by', '$.look.pointed_by'),
        sfn.Condition.stringEquals('$.look.is_alone', 'true'),
      ),
      state,
    )
    .otherwise(doubt.next(state));
  const read = states.row(`Read the look${again}`, '$.look', LOOK_COLUMNS, { slices: 'slices' });
  const whether = new sfn.Choice(states.scope, `ViewsDiffer${again}`, {
    stateName: `Do the views differ?${again}`,
  })
    .when(
      sfn.Condition.stringEquals('$.look.views_differ', 'true'),
      sfn.Chain.start(inOrder(begin, ...views, ask)).next(whetherAlone),
    )
    .otherwise(state);
  return sfn.Chain.custom(read.next(whether).startState, state.endStates, state);
}

/** The views read the JSON files only. `history_views` is the first, so that an execution that dies here is not believed either. */
export function turnOff(states: LakeStates): sfn.IChainable {
  const taken = [HISTORY_VIEWS, ...ALL_VIEWS, HISTORY_STATE].map((view) =>
    states.statement({ stateName: `Take ${view.name} off the history`, sql: viewWithoutHistory(view) }),
  );
  return sfn.Chain.start(inOrder(...taken)).next(
    new sfn.Succeed(states.scope, 'Off', { stateName: 'The views read the JSON files' }),
  );
}
