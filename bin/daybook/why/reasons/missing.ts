import { recipientStates } from '#domain/ledger/ledger-standing.ts';
import type { WhyFacts } from '../facts.ts';
import { adviceOf, recipients, runAgain, sendToFailed, timeIn, verdictOf } from '../verdict.ts';
import type { Advice, Verdict } from '../verdict.ts';
import { noRun } from './no-run.ts';
import { notSent } from './not-sent.ts';

const PULL_FAILED = 'pull failed: ';

/** The last pull failed. @param error the name of its error */
function pullFailed(facts: WhyFacts, error: string, advice: Advice): Verdict {
  const { check } = facts;
  const when = check === undefined ? '' : ` at ${timeIn(facts, check.checkedAt)}`;
  return verdictOf({
    ...advice,
    ending: 'pull failed',
    sentence: `The last pull ended${when} with ${error}, so nothing is sealed and nothing was mailed.`,
    commands: [runAgain(facts)],
  });
}

/** The mail of the day bounced or was complained about, or an earlier one was and stopped the addresses. */
function cameBack(facts: WhyFacts, reason: 'bounced' | 'complained', advice: Advice): Verdict {
  const entries = facts.mail === undefined ? [] : recipientStates(facts.mail);
  const count = entries.filter(({ status }) => status === reason).length;
  const isBounce = reason === 'bounced';
  const ofToday = `${isBounce ? 'The mail came back from' : 'The mail was marked as unwanted by'} ${recipients(count)}.`;
  const ofEarlier = `Mail to every recipient is stopped, because an earlier mail ${isBounce ? 'came back' : 'was marked as unwanted'}.`;
  return verdictOf({
    ...advice,
    ending: reason,
    sentence: count > 0 ? ofToday : ofEarlier,
    commands: [['suppression', 'list'], ...(isBounce ? [sendToFailed(facts)] : [])],
  });
}

/** Why a report is missing, for the reason of the watch. */
export function missing(facts: WhyFacts, reason: string): Verdict {
  const { entry, mail, merchantCode } = facts;
  const entries = mail === undefined ? [] : recipientStates(mail);
  const held = entries.filter(({ status }) => status === 'held' || status === 'intended').length;
  const advice = adviceOf(reason);
  if (reason.startsWith(PULL_FAILED)) return pullFailed(facts, reason.slice(PULL_FAILED.length), advice);
  switch (reason) {
    case 'no run':
      return noRun(facts);
    case 'mail not sent':
      return notSent(facts);
    case 'entry not usable':
      return verdictOf({
        ...advice,
        ending: 'entry rejected',
        sentence: `No run was planned, because ${entry.is === 'not usable' ? entry.problem : 'the entry cannot be used'}.`,
        commands: [['registry', 'pull'], runAgain(facts)],
      });
    case 'not in the registry any more':
      return verdictOf({
        ...advice,
        ending: 'not in the registry',
        sentence: `The registry has no merchant ${merchantCode} any more, so no run was planned.`,
      });
    case 'mail held':
      return verdictOf({
        ...advice,
        ending: 'held',
        sentence: `It is not known whether the mail reached ${recipients(held)}. Daybook does not send it twice by itself.`,
        commands: [sendToFailed(facts)],
      });
    case 'bounced':
    case 'complained':
      return cameBack(facts, reason, advice);
    case 'mail stopped':
      return verdictOf({
        ...advice,
        ending: 'stopped',
        sentence: 'Mail to every recipient is stopped, so nobody got the report.',
        commands: [['suppression', 'list'], sendToFailed(facts)],
      });
    case 'unbalanced':
      return verdictOf({
        ...advice,
        ending: 'unbalanced',
        sentence: 'The report was mailed, but its rows and the totals of the service do not agree.',
        commands: [runAgain(facts)],
      });
    default:
      return verdictOf({
        ...advice,
        ending: 'not readable',
        sentence: `What became of the report is not known, because ${facts.unreadable ?? 'its records cannot be read'}.`,
      });
  }
}
