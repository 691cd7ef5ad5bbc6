import { badnessOf } from '#functions/delivery-watch/delivery.ts';
import type { WhyFacts } from './facts.ts';
import { missing } from './reasons/missing.ts';
import { runAgain, timeIn, verdictOf, recipients } from './verdict.ts';
import type { Verdict } from './verdict.ts';
import { recipientStates } from '#domain/ledger/ledger-outcome.ts';

/** The report arrived, or there was nothing to send. */
function arrived(facts: WhyFacts): Verdict {
  const { mail, delivery } = facts;
  const entries = mail === undefined ? [] : recipientStates(mail);
  const got = entries.filter(({ status }) => status === 'accepted' || status === 'delivered');
  const last = got
    .map(({ at }) => at)
    .sort()
    .at(-1);
  const stopped = entries.filter(({ status }) => status === 'skipped').length;
  const without =
    stopped === 0 ? '' : ` ${recipients(stopped)} got none, because mail to the address is stopped.`;
  if (delivery.mail === 'delivered' || delivery.mail === 'accepted') {
    const when = last === undefined ? '' : `, last at ${timeIn(facts, last)}`;
    const is = delivery.mail === 'delivered';
    return verdictOf({
      ending: is ? 'delivered' : 'mailed',
      sentence: is
        ? `The mail was delivered to ${recipients(got.length)}${when}.${without}`
        : `The mail service took the mail for ${recipients(got.length)}${when}. No event says yet that it was delivered.${without}`,
      ...(stopped > 0 && { commands: [['suppression', 'list']] }),
    });
  }
  const reason = mail?.nothingToSend ?? mail?.reason ?? 'not known';
  const wasWanted = reason === 'not asked for';
  return verdictOf({
    ending: 'nothing to send',
    sentence: `There was no mail to send. The reason in the ledger: ${reason}.`,
    ...(wasWanted && {
      toDo: 'If the mail is wanted after all, send it.',
      commands: [[...runAgain(facts), '--resend']],
    }),
  });
}

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
  if (!delivery.isGood && ending !== 'unbalanced')
    also.push('The day is not balanced: its rows and the totals of the service do not agree.');
  return also;
}
