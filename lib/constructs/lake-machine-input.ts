import * as sfn from 'aws-cdk-lib/aws-stepfunctions';
import { Condition } from 'aws-cdk-lib/aws-stepfunctions';
import { inOrder } from './lake-machine-states.ts';
import type { LakeStates } from './lake-machine-states.ts';

/** The error of an execution whose input is not one of the known ones. */
export const UNKNOWN_INPUT = 'UnknownInput';

const FORMS =
  '{}, {"merge":false}, {"from":"2026-01-01","to":"2026-11-20"}, {"maintain":true} or {"off":true}';

/** What an execution can be started for. */
interface Branches {
  merging: sfn.IChainable;
  maintaining: sfn.IChainable;
  turningOff: sfn.IChainable;
}

/** Whether the input has so many members. */
function hasMembers(count: number): Condition {
  // `readInput` adds one.
  return Condition.numberEquals('$.members', count + 1);
}

/** Whether it is a daily execution: one with the input `{}`. */
export function isDaily(): Condition {
  return hasMembers(0);
}

/** Whether the execution only looks. */
export function isOnlyLook(): Condition {
  return Condition.isPresent('$.asked.merge');
}

/** The first states: they keep the input as `$.asked`, and refuse what is not known. */
export function readInput(states: LakeStates, branches: Branches): sfn.IChainable {
  // A member of its own makes the number of members at least one: a path finds nothing in an empty object.
  const given = states.pass('Take the input', { 'given.$': '$', counted: { member: '' } });
  const whole = states.pass('Add a member to count', {
    'asked.$': 'States.JsonMerge($.counted, $.given, false)',
  });
  const counted = states.pass('Count the members', {
    'asked.$': '$.asked',
    'members.$': 'States.ArrayLength($.asked.*)',
  });
  return sfn.Chain.start(inOrder(given, whole, counted)).next(choose(states, branches));
}

function choose(states: LakeStates, { merging, maintaining, turningOff }: Branches): sfn.Choice {
  const only = (member: string, value: boolean) =>
    Condition.and(
      hasMembers(1),
      Condition.isPresent(`$.asked.${member}`),
      Condition.booleanEquals(`$.asked.${member}`, value),
    );
  return new sfn.Choice(states.scope, 'Asked', { stateName: 'What is asked for?' })
    .when(isDaily(), merging)
    .when(only('merge', false), merging)
    .when(Condition.and(hasMembers(1), Condition.isPresent('$.asked.from')), merging)
    .when(
      Condition.and(hasMembers(2), Condition.isPresent('$.asked.from'), Condition.isPresent('$.asked.to')),
      merging,
    )
    .when(only('maintain', true), maintaining)
    .when(only('off', true), turningOff)
    .otherwise(unknown(states, 'Unknown', 'The input is not known', `The input must be one of ${FORMS}.`));
}

/** Whether the input names days. @param withDays the states that follow if so */
export function whetherDays(
  states: LakeStates,
  withDays: sfn.IChainable,
  without: sfn.IChainable,
): sfn.Choice {
  return new sfn.Choice(states.scope, 'WhichLook', { stateName: 'Are days asked for?' })
    .when(Condition.isPresent('$.asked.from'), withDays)
    .otherwise(without);
}

/** Keeps the days that the input names as `$.days.from` and `$.days.to`. @param next the states that follow if they are days in their order */
export function readDays(states: LakeStates, next: sfn.IChainable): sfn.Choice {
  const time = (day: string) => `States.Format('{}T00:00:00Z', ${day})`;
  const check = states.pass(
    'Write the days as times',
    { 'from.$': time('$.days.from'), 'to.$': time('$.days.to') },
    '$.times',
  );
  const days = (stateName: string, to: string) =>
    sfn.Chain.start(states.pass(stateName, { 'from.$': '$.asked.from', 'to.$': to }, '$.days')).next(check);
  check.next(
    // A text that is a timestamp with this end is a day and nothing else, so it can stand in a statement.
    new sfn.Choice(states.scope, 'AreDays', { stateName: 'Are they days in their order?' })
      .when(
        Condition.and(
          Condition.isTimestamp('$.times.from'),
          Condition.isTimestamp('$.times.to'),
          Condition.timestampLessThanEqualsJsonPath('$.times.from', '$.times.to'),
        ),
        next,
      )
      .otherwise(
        unknown(
          states,
          'NotDays',
          'These are not days in their order',
          '"from" and "to" must be days such as "2026-11-20", and "from" must not be after "to". Without "to", it is yesterday.',
        ),
      ),
  );
  return new sfn.Choice(states.scope, 'HasTo', { stateName: 'Is there a last day?' })
    .when(Condition.isPresent('$.asked.to'), days('Take both days', '$.asked.to'))
    .otherwise(days('Take the days up to yesterday', '$.dates.yesterday'));
}

function unknown({ scope }: LakeStates, id: string, stateName: string, cause: string): sfn.Fail {
  return new sfn.Fail(scope, id, { stateName, error: UNKNOWN_INPUT, cause });
}
