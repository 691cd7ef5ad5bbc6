import * as sfn from 'aws-cdk-lib/aws-stepfunctions';
import { LOOK_COLUMNS } from '../lake/history/statements/look.ts';
import type { LookColumn } from '../lake/history/statements/look.ts';
import {
  stateStatement,
  viewStatement,
  viewWithoutHistory,
} from '../lake/history/statements/view-statement.ts';
import { ALL_VIEWS } from '../lake/views/all-views.ts';
import { HISTORY_STATE } from '../lake/views/history-state.ts';
import { inOrder } from './lake-machine-states.ts';
import type { LakeStates, Step } from './lake-machine-states.ts';
import { valueAt } from './states-format.ts';

function found(column: LookColumn): string {
  return valueAt(`$.look.${column}`);
}

/** Reads a look's answer and points the views as it says. @param again tells the second look's states from the first's */
export function pointViews(states: LakeStates, again: string): Step {
  const views = ALL_VIEWS.map((view) =>
    states.statement({
      stateName: `Point ${view.name}${again}`,
      sql: viewStatement(view, { merged: found(view.merged) }),
    }),
  );
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
    }),
  });
  const read = states.row(`Read the look${again}`, '$.look', LOOK_COLUMNS, { slices: 'slices' });
  return inOrder(read, ...views, state);
}

/** The views read the JSON files only. */
export function turnOff(states: LakeStates): sfn.IChainable {
  const taken = [...ALL_VIEWS, HISTORY_STATE].map((view) =>
    states.statement({ stateName: `Take ${view.name} off the history`, sql: viewWithoutHistory(view) }),
  );
  return sfn.Chain.start(inOrder(...taken)).next(
    new sfn.Succeed(states.scope, 'Off', { stateName: 'The views read the JSON files' }),
  );
}
