import { recipientStates } from '#domain/ledger/ledger-standing.ts';
import type { WhyFacts } from '../facts.ts';
import { recipients, runAgain, timeIn, verdictOf } from '../verdict.ts';
import type { Verdict } from '../verdict.ts';

/** The report arrived, or there was nothing to send. */
export function arrived(facts: WhyFacts): Verdict {
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
