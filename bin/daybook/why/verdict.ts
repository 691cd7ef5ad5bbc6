import { badnessOf } from '#functions/delivery-watch/notified-day.ts';
import { adviceFor } from '#functions/delivery-watch/reason-advice.ts';
import { localTime } from '#domain/day/business-day.ts';
import { presentEntries } from '#domain/ledger/ledger-rounds.ts';
import { HEADINGS } from '#domain/notices/runbook.ts';
import type { WhyFacts } from './facts.ts';
import { counted } from '../terminal/counted.ts';

/** Why there is a mail or none, and what to do. */
export interface Verdict {
  /** One of a few words, for programs. */
  ending: Ending;
  /** One sentence. */
  sentence: string;
  /** What to do, `null` when nothing is to be done. */
  toDo: string | null;
  /** Where to read on, such as `docs/runbook.md, "A mail is held"`. */
  readOn: string | null;
  /** The words after `daybook` of each command that helps. */
  commands: readonly (readonly string[])[];
}

/** How it ended. */
export type Ending =
  | 'delivered'
  | 'mailed'
  | 'nothing to send'
  | 'not due yet'
  | 'before reportFrom'
  | 'under way'
  | 'round open'
  | 'plan did not run'
  | 'never planned'
  | 'no pull'
  | 'pull failed'
  | 'no mail begun'
  | 'mail refused'
  | 'mail not finished'
  | 'held'
  | 'bounced'
  | 'complained'
  | 'stopped'
  | 'unbalanced'
  | 'entry rejected'
  | 'not in the registry'
  | 'not readable'
  | 'not a recipient'
  | 'not written to';

const FINE: ReadonlySet<Ending> = new Set([
  'delivered',
  'mailed',
  'nothing to send',
  'not due yet',
  'before reportFrom',
  'under way',
]);

/** Whether somebody has to do something. */
export function isTrouble({ ending }: Verdict): boolean {
  return !FINE.has(ending);
}

type Said = Pick<Verdict, 'ending' | 'sentence'> & Partial<Verdict>;

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

/** A verdict without the members that say nothing. */
export function verdictOf(said: Said): Verdict {
  return { toDo: null, readOn: null, commands: [], ...said };
}

/** The local time of a moment, such as `2026-11-21 06:00`. @param at milliseconds UTC, or ISO 8601 */
export function timeIn({ timeZone }: Pick<WhyFacts, 'timeZone'>, at: number | string): string {
  return localTime(new Date(at).toISOString(), timeZone);
}

/** The command that runs the report. */
export function runAgain({ merchantCode, day }: WhyFacts): string[] {
  return ['report', merchantCode, '--day', day];
}

/** The command that sends it to those who do not have it. */
export function sendToFailed(facts: WhyFacts): string[] {
  return [...runAgain(facts), '--resend', '--failed'];
}

/** What the watch advises for its reason: what to do, and where to read on. */
function adviceOf(reason: string): Pick<Verdict, 'toDo' | 'readOn'> {
  const { toDo, heading } = adviceFor(reason);
  const { document, heading: title } = HEADINGS[heading];
  return { toDo, readOn: `docs/${document}.md, "${title.replaceAll('`', '')}"` };
}

function recipients(count: number): string {
  return counted(count, 'recipient');
}

/** The report arrived, or there was nothing to send. */
function arrived(facts: WhyFacts): Verdict {
  const { mail, delivery } = facts;
  const entries = mail === undefined ? [] : presentEntries(mail);
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
  const refused = presentEntries(mail).filter(({ status }) => status === 'failed');
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

const PULL_FAILED = 'pull failed: ';

type Advice = ReturnType<typeof adviceOf>;

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
  const entries = facts.mail === undefined ? [] : presentEntries(facts.mail);
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
function missing(facts: WhyFacts, reason: string): Verdict {
  const { entry, mail, merchantCode } = facts;
  const entries = mail === undefined ? [] : presentEntries(mail);
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

/** Why there is a mail of the day or none, and what to do. */
export function verdict(facts: WhyFacts): Verdict {
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
