import { recipientStates } from '#domain/ledger/ledger-standing.ts';
import type { WhyFacts } from '../facts.ts';
import { adviceOf, recipients, runAgain, sendToFailed, verdictOf } from '../verdict.ts';
import type { Verdict } from '../verdict.ts';

/** The day is sealed, and its mail was refused or has not been sent to everybody. */
export function notSent(facts: WhyFacts): Verdict {
  const { mail, now } = facts;
  if (mail === undefined) {
    return verdictOf({
      ...adviceOf('mail not sent'),
      ending: 'no mail begun',
      sentence:
        'The day is sealed, but no mail was begun: the run died after the seal, or it sent a preview only.',
      commands: [runAgain(facts)],
    });
  }
  if (mail.status === 'intended' && now < Date.parse(mail.until)) {
    return verdictOf({
      ending: 'under way',
      sentence: 'A run is sending the mail now. Look again in a minute.',
    });
  }
  const refused = recipientStates(mail).filter(({ status }) => status === 'failed');
  if (mail.status === 'intended' || refused.length === 0) {
    return verdictOf({
      ...adviceOf('mail not sent'),
      ending: 'mail not finished',
      sentence: 'The run that sent the mail did not finish, so some recipients have none.',
      commands: [sendToFailed(facts)],
    });
  }
  const reasons = [...new Set(refused.map(({ reason }) => reason ?? 'no reason is known'))].join('; ');
  return verdictOf({
    ...adviceOf('mail not sent'),
    ending: 'mail refused',
    sentence: `The mail for ${recipients(refused.length)} was not taken by the mail service, or not given to it (${reasons}).`,
    commands: [sendToFailed(facts)],
  });
}
