import type { WhyFacts } from '../facts.ts';
import { adviceOf, runAgain, timeIn, verdictOf } from '../verdict.ts';
import type { Verdict } from '../verdict.ts';

/** Nothing is sealed, and no pull has failed. */
export function noRun(facts: WhyFacts): Verdict {
  const { plan, dueAt } = facts;
  const { lastTick, plannedAt, isOpen } = plan;
  const due = timeIn(facts, dueAt);
  const advice = { ...adviceOf('no run'), commands: [runAgain(facts)] };
  if (plannedAt !== null) {
    const since = `plan handed the report out at ${timeIn(facts, plannedAt)}`;
    return verdictOf({
      ...advice,
      ending: isOpen ? 'round open' : 'no pull',
      sentence: isOpen
        ? `${since}, and its round has not ended. No pull is recorded yet.`
        : `${since}, and its round has ended, but no pull is recorded: the run did not begin, or died.`,
    });
  }
  if (lastTick === null || Date.parse(lastTick) < dueAt) {
    const last =
      lastTick === null ? 'No tick is known at all' : `The last one was at ${timeIn(facts, lastTick)}`;
    return verdictOf({
      ...advice,
      ending: 'plan did not run',
      sentence: `No tick of plan came after the hour of the report (${due}). ${last}.`,
      commands: [['doctor'], runAgain(facts)],
    });
  }
  return verdictOf({
    ...advice,
    ending: 'never planned',
    sentence: `plan has run since the hour of the report (${due}), and has not handed it out: the merchant was not in the registry then, or had another hour or zone.`,
  });
}
