import { badnessOf } from '#functions/delivery-watch/notified-day.ts';
import type { WhyFacts } from './facts.ts';
import { arrived } from './reasons/arrived.ts';
import { missing } from './reasons/missing.ts';
import { runAgain, timeIn, verdictOf } from './verdict.ts';
import type { Verdict } from './verdict.ts';

/** Why there is a mail of the day or none, and what to do. */
export function verdictOfReport(facts: WhyFacts): Verdict {
  const { delivery, day, reportFrom, now, dueAt, deadlineAt } = facts;
  if (delivery.missing === null) return arrived(facts);
  const mayStillCome = badnessOf(delivery.missing) === 2;
  if (mayStillCome && reportFrom !== undefined && day < reportFrom) {
    return verdictOf({
      ending: 'before reportFrom',
      sentence: `No report of ${day} is planned: the first day of this merchant is ${reportFrom} (reportFrom in the registry).`,
      toDo: 'If this day is wanted, run its report.',
      commands: [runAgain(facts)],
    });
  }
  if (mayStillCome && now < dueAt) {
    return verdictOf({
      ending: 'not due yet',
      sentence: `The report is due at ${timeIn(facts, dueAt)}. The watch expects it until ${timeIn(facts, deadlineAt)}.`,
    });
  }
  return missing(facts, delivery.missing);
}

/** What is to be looked at, too, besides the verdict. */
export function alsoTrue(facts: WhyFacts, { ending }: Verdict): string[] {
  const { entry, delivery } = facts;
  const also: string[] = [];
  if (entry.is === 'not usable' && ending !== 'entry rejected')
    also.push(`No further run can begin: ${entry.problem}.`);
  if (delivery.unbalanced && ending !== 'unbalanced')
    also.push('The day is not balanced: its rows and the totals of the service do not agree.');
  return also;
}
