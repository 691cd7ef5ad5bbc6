import { decisiveEntries, recipientStates } from '#records/ledger/ledger-rounds.ts';
import { isStoppedByReader, type LedgerEntry } from '#records/ledger/ledger.ts';
import { addressHash, isMerchantDay } from '#records/storage/keys.ts';
import { PROVISIONAL } from '#watch/delivery-watch/delivery.ts';
import { triesOf } from '../stage/failed-pull.ts';
import { counted } from '../terminal/shown-text.ts';
import {
  partWord,
  whatTicksDo,
  adviceOf,
  backfillOf,
  isUnderWay,
  lookAtParts,
  makeAgain,
  MOST_COMMANDS,
  noEventYet,
  putAsideIn,
  putAsideSentence,
  sendToFailed,
  timeIn,
  verdict,
} from './verdict.ts';
import type { PartFacts, RevisionFacts, WhyFacts, Verdict } from './verdict.ts';
import { whyNotThere } from './not-there.ts';
import { changedParts, lackedBy, namedParts, SAYS } from './timeline.ts';

const STOPPED = [['suppression', 'list']];

function recipients(count: number): string {
  return counted(count, 'recipient');
}

/** What became of the mail to each recipient who has these states. */
function entriesIn({ mail }: WhyFacts, ...statuses: readonly LedgerEntry['status'][]) {
  return mail === undefined ? [] : recipientStates(mail).filter(({ status }) => statuses.includes(status));
}

/** To how many addresses no mail went, because they are stopped, or because their readers stopped these mails. */
function stoppedIn(facts: WhyFacts, byReader = false): number {
  return entriesIn(facts, 'skipped').filter((entry) => isStoppedByReader(entry) === byReader).length;
}

/** What became of the mail of a page that arrived, or was not to be mailed. */
function mailSentence(facts: WhyFacts): string {
  const { mail, delivery } = facts;
  if (mail === undefined || (delivery.mail !== 'accepted' && delivery.mail !== 'delivered'))
    return `There was no mail to send. The reason in the ledger: ${mail?.nothingToSend ?? mail?.reason ?? 'not known'}.`;
  const said: string[] = [];
  for (const status of ['delivered', 'accepted'] as const) {
    const entries = entriesIn(facts, status);
    const last = entries
      .map(({ at }) => at)
      .sort()
      .at(-1);
    if (last === undefined) continue;
    const whom = `${recipients(entries.length)}, last at ${timeIn(facts, last)}.`;
    said.push(
      status === 'delivered'
        ? `The mail was delivered to ${whom}`
        : `The mail service took the mail for ${whom} ${noEventYet(facts, last)}`,
    );
  }
  const [stopped, ofReaders] = [stoppedIn(facts), stoppedIn(facts, true)];
  if (stopped > 0) said.push(`${recipients(stopped)} got none, because mail to the address is stopped.`);
  if (ofReaders > 0) said.push(`${recipients(ofReaders)} got none, because its reader stopped these mails.`);
  return said.join(' ');
}

/** It is sealed, and its mail was refused or has not been sent to everybody. */
function notSent(facts: WhyFacts): Verdict {
  const { mail } = facts;
  const advice = adviceOf('mail not sent');
  if (mail === undefined) {
    const sentence =
      'It is sealed, but no mail was begun: the run died after the seal, or it sent a preview only.';
    return verdict('no mail begun', sentence, {
      ...advice,
      toDo: 'Correct the cause, if it is still there. Then make it with the command below.',
      commands: [makeAgain(facts)],
    });
  }
  if (isUnderWay(facts))
    return verdict('under way', 'A run is sending the mail now. Look again in a minute.');
  const more = {
    ...advice,
    toDo: 'Correct the cause. Then run the command below. Recipients who have the mail do not get it twice.',
    commands: [sendToFailed(facts)],
  };
  const refused = entriesIn(facts, 'failed');
  if (mail.status === 'intended' || refused.length === 0) {
    const sentence = 'The run that sent the mail did not finish, so some recipients have none.';
    return verdict('mail not finished', sentence, more);
  }
  const tries = Math.max(...refused.map((entry) => entry.tries ?? 0));
  const reasons = [...new Set(refused.map(({ reason }) => reason ?? 'no reason is known'))].join('; ');
  const tried = tries > 0 ? ` It was ${triesOf({ tries })}.` : '';
  const sentence = `The mail for ${recipients(refused.length)} was not taken by the mail service, or not given to it (${reasons}).${tried}`;
  return verdict('mail refused', sentence, more);
}

/** The mail bounced or was complained about, or an earlier one was and stopped the addresses. */
function cameBack(facts: WhyFacts, reason: 'bounced' | 'complained'): Verdict {
  const count = entriesIn(facts, reason).length;
  const isBounce = reason === 'bounced';
  const ofThis = `The mail ${isBounce ? 'came back from' : 'was marked as unwanted by'} ${recipients(count)}.`;
  const ofEarlier = `Mail to every recipient is stopped, because an earlier mail ${isBounce ? 'came back' : 'was marked as unwanted'}.`;
  return verdict(reason, count > 0 ? ofThis : ofEarlier, {
    ...adviceOf(reason),
    commands: [...STOPPED, ...(isBounce ? [sendToFailed(facts)] : [])],
  });
}

/** Why the mail did not arrive, for the reason of the watch. `null` for a reason that is not about a mail. */
function mailTrouble(facts: WhyFacts, reason: string | null): Verdict | null {
  switch (reason) {
    case 'mail not sent':
      return notSent(facts);
    case 'mail held': {
      const held = entriesIn(facts, 'held', 'intended').length;
      return verdict('held', `It is not known whether the mail reached ${recipients(held)}.`, {
        ...adviceOf(reason),
        commands: [sendToFailed(facts)],
      });
    }
    case 'bounced':
    case 'complained':
      return cameBack(facts, reason);
    case 'mail stopped':
      return verdict('stopped', 'Mail to every recipient is stopped, so nobody got it.', {
        ...adviceOf(reason),
        commands: [...STOPPED, sendToFailed(facts)],
      });
    default:
      return null;
  }
}

function mendingCommands(facts: WhyFacts, left: readonly PartFacts[]): string[][] {
  const { owner } = facts.page;
  if (owner.group !== undefined) return lookAtParts(facts, left);
  const names = left.map(({ name }) => name);
  const [first, last] = [names.at(0), names.at(-1)];
  if (names.length > MOST_COMMANDS && first !== undefined && last !== undefined)
    return [backfillOf(owner.merchantCode, first, last)];
  return names.map((name) => ['report', owner.merchantCode, '--day', name]);
}

/** What the person who asks can do. Unlike the notice of the watch, it speaks of the commands that follow it. */
function mendingWords({ page }: WhyFacts, left: readonly PartFacts[], isOpen: boolean): string {
  if (left.length === 0) return isOpen ? 'You need do nothing.' : 'Make it again with the command below.';
  if (page.owner.group !== undefined)
    return 'See with the first commands why these merchants are missing, and mend that. Then make the page again with the last command.';
  const run = 'Run the reports of these days again with the commands below.';
  return isOpen ? run : `${run} Then make the statement again with the last command.`;
}

function provisional(facts: WhyFacts, newest: RevisionFacts): Verdict {
  const { clock, parts } = facts;
  const isOpen = clock !== null && whatTicksDo(facts) === 'follow';
  const left = parts.filter(({ revision, good }) => revision === null || good === false);
  const next = isOpen
    ? left.length === 0
      ? 'Now all of it is there and balances. plan makes the statement again by itself, within a day.'
      : `When that is mended, plan makes it again by itself, until ${timeIn(facts, clock.followedUntil)}.`
    : 'It is not made again by itself.';
  return verdict(PROVISIONAL, `${provisionalWords(facts, newest)} ${mailSentence(facts)} ${next}`, {
    ...adviceOf(PROVISIONAL),
    toDo: mendingWords(facts, left, isOpen),
    commands: [...mendingCommands(facts, left), ...(isOpen ? [] : [makeAgain(facts)])],
  });
}

function provisionalWords(facts: WhyFacts, newest: RevisionFacts): string {
  return `Revision ${newest.revision} is provisional (${lackedBy(facts, newest)}).`;
}

function corrected(facts: WhyFacts, newest: RevisionFacts, corrects: number | null | undefined): Verdict {
  const before = facts.revisions.at(-2);
  const changed = before === undefined ? [] : changedParts(newest.added, before.added);
  const was = before?.isGood === false ? `Revision ${before.revision} was provisional. ` : '';
  const why = changed.length === 0 ? '' : ` Changed: ${namedParts(changed)}.`;
  const of = `Revision ${newest.revision} corrects the mail of revision ${corrects ?? newest.revision - 1}.`;
  return verdict('corrected', `${was}${of}${why} ${mailSentence(facts)}`);
}

/** When it was or will be closed. */
function closing(facts: WhyFacts, { closedAt, reopenedAt }: RevisionFacts): string {
  if (closedAt !== undefined) return ` It was closed on ${timeIn(facts, closedAt)}.`;
  const closesAt = facts.clock?.closesAt;
  if (reopenedAt !== undefined) {
    const again = closesAt === undefined ? '' : ', and is closed again when `closeAfter` has passed since';
    return ` It was reopened on ${timeIn(facts, reopenedAt)}${again}.`;
  }
  return closesAt === undefined ? '' : ` It is closed after ${timeIn(facts, closesAt)}.`;
}

function arrived(facts: WhyFacts, newest: RevisionFacts | undefined): Verdict {
  const { page, mail, delivery } = facts;
  const isAddedUp = newest !== undefined && !isMerchantDay(page);
  const isCorrection = mail?.kind === 'correction' && mail.intendedAt === newest?.ledger?.intendedAt;
  if (isAddedUp && isCorrection) return corrected(facts, newest, mail.corrects);
  const final = isAddedUp ? ` It is final: ${counted(newest.added.size, partWord(facts))} added up.` : '';
  const all = final + (isAddedUp ? closing(facts, newest) : '');
  if (delivery.mail === 'stopped by readers') {
    const stopped = 'Every recipient stopped these mails with one click, so nobody got one.';
    return verdict('stopped by its readers', `${stopped}${all}`, { commands: STOPPED });
  }
  const sentence = `${mailSentence(facts)}${all}`;
  const commands = stoppedIn(facts) > 0 ? STOPPED : [];
  if (delivery.mail === 'delivered') return verdict('delivered', sentence, { commands });
  if (delivery.mail === 'accepted') return verdict('mailed', sentence, { commands });
  const isWanted = (mail?.nothingToSend ?? mail?.reason) === 'not asked for';
  return verdict('nothing to send', sentence, {
    ...(isWanted && {
      toDo: 'If the mail is wanted after all, send it.',
      commands: [[...makeAgain(facts), '--resend']],
    }),
  });
}

/** Why a page was sent, is waited for, was corrected, did not come, or needs a look, and what to do. */
export function verdictOfPage(facts: WhyFacts): Verdict {
  const { page, delivery, revisions, unreadable } = facts;
  if (unreadable !== null) {
    const sentence = `What became of it is not known, because ${unreadable}.`;
    return verdict('not readable', sentence, adviceOf('records not readable'));
  }
  const trouble = whyNotThere(facts) ?? mailTrouble(facts, delivery.missing);
  if (trouble !== null) return trouble;
  const newest = revisions.at(-1);
  if (newest?.isGood !== false) return arrived(facts, newest);
  if (!isMerchantDay(page)) return provisional(facts, newest);
  const sentence = 'The report was mailed, but its rows and the totals of the service do not agree.';
  return verdict('unbalanced', sentence, { ...adviceOf('unbalanced'), commands: [makeAgain(facts)] });
}

/** What a mail that arrived has besides: recipients who were added later, and rounds that changed nothing. */
export function alsoSaid({ mail, page }: WhyFacts, { ending }: Pick<Verdict, 'ending'>): string[] {
  if (mail === undefined || (ending !== 'delivered' && ending !== 'mailed')) return [];
  const decisive = decisiveEntries(mail);
  const added = page.recipients.filter((address) => !decisive.has(addressHash(address))).length;
  const later = mail.recipients.filter(({ to, round }) => round > (decisive.get(to)?.round ?? round));
  return [
    ...(added === 0 ? [] : [`${recipients(added)} got none: added to the recipients after the mail.`]),
    ...later.map(({ status, round }) => `Round ${round} to a recipient who has the mail: ${SAYS[status]}.`),
  ];
}

/** What is to be looked at, too, besides the verdict. */
export function alsoWrong(facts: WhyFacts, { ending }: Verdict): string[] {
  const { page, problem, delivery, revisions } = facts;
  const newest = revisions.at(-1);
  const putAside = putAsideIn(facts);
  const also: string[] = [];
  if (putAside !== null && ending !== 'put aside') also.push(putAsideSentence(facts, putAside));
  if (problem !== null && ending !== 'entry rejected') also.push(`No further run can begin: ${problem}.`);
  // A page that is not issued yet is made again first.
  const isGood = newest?.isGood !== false || delivery.mail === null || whatTicksDo(facts) === 'issue';
  if (isGood || ending === 'unbalanced' || ending === PROVISIONAL) return also;
  also.push(
    isMerchantDay(page)
      ? 'The day is not balanced: its rows and the totals of the service do not agree.'
      : provisionalWords(facts, newest),
  );
  return also;
}

/** What has changed since the newest page was sealed, and what becomes of it. */
export function changedSince(facts: WhyFacts): string[] {
  const { parts, revisions } = facts;
  const newest = revisions.at(-1);
  if (newest === undefined) return [];
  const sealed = parts.flatMap(({ name, revision }) =>
    revision === null ? [] : [[name, revision] as const],
  );
  const changed = changedParts(sealed, newest.added);
  if (changed.length === 0) return [];
  return [`Changed since it was sealed: ${namedParts(changed)}. ${whatBecomesOf(facts)}`];
}

function whatBecomesOf(facts: WhyFacts): string {
  const { clock, page, revisions } = facts;
  if (revisions.at(-1)?.closedAt !== undefined) {
    return clock?.closesAt === undefined
      ? 'It is closed. By the registry no statement closes now, so none tells what changed.'
      : 'It is closed and stays as it is. The next open statement tells what changed of its money, as adjustments.';
  }
  const does = whatTicksDo(facts);
  if (does === 'issue') return 'It has no mail yet, so it is made again with them.';
  if (page.owner.group !== undefined) return 'The next page of the group says what changed.';
  return does === 'follow' && clock !== null
    ? `plan looks once a day, until ${timeIn(facts, clock.followedUntil)}, and makes it again.`
    : 'It is not made again by itself any more.';
}
