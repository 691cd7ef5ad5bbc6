import { FUNCTIONS } from '#lib/functions.ts';
import { alertScenarios, eventScenarios } from '#support/crash/event-scenarios.ts';
import { proofScenarios, statementScenarios } from '#support/crash/statement-scenarios.ts';
import { reportScenarios } from '#support/crash/report-scenarios.ts';
import { scheduleScenarios, sweepScenarios } from '#support/crash/schedule-scenarios.ts';
import { dieAt, recorded, withoutRepeated, type RecordedScenario } from '#support/crash/scenario.ts';

/*
 * Every call that a function makes to AWS is a place where it can die. The matrix is made from the calls themselves: each
 * scenario runs undisturbed while this file is loaded, and each of its calls becomes two tests, one that kills the process
 * before the call is performed and one that kills it before the answer comes.
 */

const all: RecordedScenario[] = [];
const broken: unknown[] = [];
for (const scenario of [
  ...reportScenarios,
  ...alertScenarios,
  ...eventScenarios,
  ...scheduleScenarios,
  ...sweepScenarios,
  ...statementScenarios,
  ...proofScenarios,
]) {
  try {
    all.push(await recorded(scenario));
  } catch (error) {
    // A scenario that fails must not stop the points of the others.
    broken.push(error);
  }
}
const scenarios = withoutRepeated(all);

it('every scenario reaches its expected end when no process dies', () => {
  if (broken.length > 0) throw new AggregateError(broken, broken.map(String).join('\n'));
});

describe.each(scenarios)('$functionName: $name', (scenario) => {
  it.concurrent.each(scenario.points)('recovers in the next run when it is killed at $name', (point) =>
    dieAt(scenario, point),
  );
});

it('the matrix has a point before and after each of many calls', () => {
  expect(scenarios.flatMap(({ points }) => points).length).toBeGreaterThan(200);
  const dying = new Set<string>([...scenarios.map(({ functionName }) => functionName), 'lake']);
  expect(dying).toEqual(new Set([...Object.keys(FUNCTIONS), 'announce', 'unsubscribe', 'prove']));
});
