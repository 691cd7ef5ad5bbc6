import { describe, expect, it } from 'vitest';
import type { FanOutKind } from '#lib/functions.ts';
import type { State } from '#sandbox/step-functions/definition.ts';
import { fanOutDefinition } from '#sandbox/step-functions/fan-out-definition.ts';
import { defined } from '#support/assertions/defined.ts';

const machines = { daily: fanOutDefinition('daily'), alert: fanOutDefinition('alert') };

/** How many states an execution goes through, up to its end. @param ways where its choices go, in their order */
function count(kind: FanOutKind, ...ways: readonly string[]): number {
  const { StartAt, States } = machines[kind];
  const left = [...ways];
  let states = 0;
  for (let name: string | undefined = StartAt; name !== undefined; states += 1) {
    const state: State = defined(States[name], name);
    // A choice in each branch, and where it goes: a map, or a state that does nothing.
    states += 2 * (state.Branches?.length ?? 0);
    name = state.Type === 'Choice' ? defined(left.shift(), `where "${name}" goes`) : state.Next;
  }
  expect(left).toEqual([]);
  return states;
}

const PLAN = 'Plan who is due';
const FIRST = 'First round: every merchant';
const SECOND = 'Second round: the failed ones';
const VERDICT = 'How does it end?';
const DONE = 'Every merchant is done';
const NOBODY = 'Nothing due';

/** As docs/fan-out.md counts them ("Numbers"). */
describe('the state transitions of a tick', () => {
  it('of the reports are 6 with nothing due, 14 with somebody, and 16 with a second round', () => {
    // What a person starts makes no statements: those are counted below.
    const [begin, tick] = ['Its items will be run', 'Is it a tick of the schedule?'];
    const isTick = 1;
    expect(count('daily', begin, tick, VERDICT, NOBODY)).toBe(6 + isTick);
    expect(count('daily', begin, FIRST, 'Say that it ended', VERDICT, DONE)).toBe(14 + isTick);
    expect(count('daily', begin, FIRST, SECOND, VERDICT, DONE)).toBe(16 + isTick);
  });

  it('of a child are four, besides its start and its calls', () => {
    const map = Object.values(defined(machines.daily.States[SECOND]?.ItemProcessor).States);
    const ways = ['Choice', 'Map', 'Choice', 'Succeed'];
    expect(ways.filter((type) => map.some(({ Type }) => Type === type))).toEqual(ways);
  });

  it('of the alert checks are 5, 8 and 10', () => {
    expect(count('alert', PLAN, VERDICT, NOBODY)).toBe(5);
    expect(count('alert', PLAN, FIRST, VERDICT, DONE)).toBe(8);
    expect(count('alert', PLAN, FIRST, SECOND, DONE)).toBe(10);
  });

  it('are three more for statements with nothing due, and more with something due', () => {
    const begin = [
      'Its items will be run',
      'Is it a tick of the schedule?',
      'Plan the statements that are due',
    ];
    const first = 'Every statement that is due';
    expect(count('daily', ...begin, VERDICT, NOBODY)).toBe(6 + 3);
    expect(count('daily', ...begin, first, VERDICT, NOBODY)).toBe(6 + 3 + 3);
    expect(count('daily', ...begin, first, 'Every statement that failed', NOBODY)).toBe(6 + 3 + 3 + 2);
  });
});
