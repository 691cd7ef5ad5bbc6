import { recipientStates } from '#domain/ledger/ledger-outcome.ts';
import type { WhyFacts } from '../facts.ts';
import { adviceOf, recipients, runAgain, sendToFailed, timeIn, verdictOf } from '../verdict.ts';
import type { Advice, Verdict } from '../verdict.ts';

/** The day is sealed, and its mail was refused or has not been sent to everybody. */
function notSent(facts: WhyFacts): Verdict {
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

/** Nothing is sealed, and no pull has failed. */
function noRun(facts: WhyFacts): Verdict {
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
