import { decisiveEntries, recipientStates } from '#records/ledger/ledger-outcome.ts';
import { isStoppedByReader } from '#records/storage/readers-stop.ts';
import { addressHash, isMerchantDay } from '#records/storage/keys.ts';
import { PROVISIONAL } from '#watch/delivery-watch/delivery.ts';
import { triesOf } from '../stage/failed-pull.ts';
import { counted } from '../terminal/shown-text.ts';
import {
  partWord,
  whatTicksDo,
  adviceOf,
  makeAgain,
  MOST_COMMANDS,
  noEventYet,
  putAsideSentence,
  recipients,
  sendToFailed,
  timeIn,
  verdictOf,
} from './verdict.ts';
import type { PartFacts, RevisionFacts, WhyFacts, Verdict } from './verdict.ts';
import { whyNotThere } from './not-there.ts';
import { changedParts, lackedBy, namedParts, SAYS } from './timeline.ts';

/** What became of the mail of a page that arrived, or was not to be mailed. */
function mailSentence(facts: WhyFacts): string {
  const { mail, delivery } = facts;
  if (mail === undefined || (delivery.mail !== 'accepted' && delivery.mail !== 'delivered'))
    return `There was no mail to send. The reason in the ledger: ${mail?.nothingToSend ?? mail?.reason ?? 'not known'}.`;
  const got = (wanted: 'accepted' | 'delivered') => {
    const entries = recipientStates(mail).filter(({ status }) => status === wanted);
    const last = entries.reduce((latest, { at }) => (at > latest ? at : latest), '');
    return { words: `${recipients(entries.length)}, last at ${last && timeIn(facts, last)}`, last };
  };
  const [delivered, accepted] = [got('delivered'), got('accepted')];
  const [stopped, ofReaders] = [stoppedIn(facts), stoppedIn(facts, true)];
  return [
    ...(delivered.last === '' ? [] : [`The mail was delivered to ${delivered.words}.`]),
    ...(accepted.last === ''
      ? []
      : [`The mail service took the mail for ${accepted.words}. ${noEventYet(facts, accepted.last)}`]),
    ...(stopped === 0 ? [] : [`${recipients(stopped)} got none, because mail to the address is stopped.`]),
    ...(ofReaders === 0
      ? []
      : [`${recipients(ofReaders)} got none, because its reader stopped these mails.`]),
  ].join(' ');
}

/** To how many addresses no mail went, because they are stopped, or because their readers stopped these mails. */
function stoppedIn({ mail }: WhyFacts, byReader = false): number {
  const skipped =
    mail === undefined ? [] : recipientStates(mail).filter(({ status }) => status === 'skipped');
  return skipped.filter((entry) => isStoppedByReader(entry) === byReader).length;
}

/** It is sealed, and its mail was refused or has not been sent to everybody. */
function notSent(facts: WhyFacts): Verdict {
  const { mail, now } = facts;
  const advice = adviceOf('mail not sent');
  if (mail === undefined) {
    return verdictOf({
      ...advice,
      toDo: 'Correct the cause, if it is still there. Then make it with the command below.',
      ending: 'no mail begun',
      sentence:
        'It is sealed, but no mail was begun: the run died after the seal, or it sent a preview only.',
      commands: [makeAgain(facts)],
    });
  }
  if (mail.status === 'intended' && now < Date.parse(mail.until)) {
    return verdictOf({
      ending: 'under way',
      sentence: 'A run is sending the mail now. Look again in a minute.',
    });
  }
  const toDo =
    'Correct the cause. Then run the command below. Recipients who have the mail do not get it twice.';
  const refused = recipientStates(mail).filter(({ status }) => status === 'failed');
  if (mail.status === 'intended' || refused.length === 0) {
    return verdictOf({
      ...advice,
      toDo,
      ending: 'mail not finished',
      sentence: 'The run that sent the mail did not finish, so some recipients have none.',
      commands: [sendToFailed(facts)],
    });
  }
  const tries = Math.max(...refused.map((entry) => entry.tries ?? 0));
  const reasons = [...new Set(refused.map(({ reason }) => reason ?? 'no reason is known'))].join('; ');
  return verdictOf({
    ...advice,
    toDo,
    ending: 'mail refused',
    sentence: `The mail for ${recipients(refused.length)} was not taken by the mail service, or not given to it (${reasons}).${tries > 0 ? ` It was ${triesOf({ tries })}.` : ''}`,
    commands: [sendToFailed(facts)],
  });
}

/** The mail bounced or was complained about, or an earlier one was and stopped the addresses. */
function cameBack(facts: WhyFacts, reason: 'bounced' | 'complained'): Verdict {
  const entries = facts.mail === undefined ? [] : recipientStates(facts.mail);
  const count = entries.filter(({ status }) => status === reason).length;
  const isBounce = reason === 'bounced';
  const ofThis = `${isBounce ? 'The mail came back from' : 'The mail was marked as unwanted by'} ${recipients(count)}.`;
  const ofEarlier = `Mail to every recipient is stopped, because an earlier mail ${isBounce ? 'came back' : 'was marked as unwanted'}.`;
  return verdictOf({
    ...adviceOf(reason),
    ending: reason,
    sentence: count > 0 ? ofThis : ofEarlier,
    commands: [['suppression', 'list'], ...(isBounce ? [sendToFailed(facts)] : [])],
  });
}

/** Why the mail did not arrive, for the reason of the watch. `null` for a reason that is not about a mail. */
function mailTrouble(facts: WhyFacts, reason: string): Verdict | null {
  const entries = facts.mail === undefined ? [] : recipientStates(facts.mail);
  const held = entries.filter(({ status }) => status === 'held' || status === 'intended').length;
  switch (reason) {
    case 'mail not sent':
      return notSent(facts);
    case 'mail held':
      return verdictOf({
        ...adviceOf(reason),
        ending: 'held',
        sentence: `It is not known whether the mail reached ${recipients(held)}.`,
        commands: [sendToFailed(facts)],
      });
    case 'bounced':
    case 'complained':
      return cameBack(facts, reason);
    case 'mail stopped':
      return verdictOf({
        ...adviceOf(reason),
        ending: 'stopped',
        sentence: 'Mail to every recipient is stopped, so nobody got it.',
        commands: [['suppression', 'list'], sendToFailed(facts)],
      });
    default:
      return null;
  }
}

function mendingCommands({ page }: WhyFacts, left: readonly PartFacts[]): string[][] {
  const { owner, period } = page;
  const names = left.map(({ name }) => name);
  if (owner.group !== undefined) return names.slice(0, MOST_COMMANDS).map((name) => ['why', name, period]);
  const [first, last] = [names.at(0), names.at(-1)];
  if (names.length > MOST_COMMANDS && first !== undefined && last !== undefined) {
    return [['backfill', '--merchant', owner.merchantCode, '--from', first, '--to', last]];
  }
  return names.map((name) => ['report', owner.merchantCode, '--day', name]);
}

/** What the person who asks can do. Unlike the notice of the watch, it speaks of the commands that follow it. */
function mendingWords({ page }: WhyFacts, left: readonly PartFacts[], isOpen: boolean): string {
  if (left.length === 0) {
    return isOpen ? 'You need do nothing.' : 'Make it again with the command below.';
  }
  if (page.owner.group !== undefined) {
    return 'See with the first commands why these merchants are missing, and mend that. Then make the page again with the last command.';
  }
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
  return verdictOf({
    ...adviceOf(PROVISIONAL),
    toDo: mendingWords(facts, left, isOpen),
    ending: PROVISIONAL,
    sentence: `Revision ${newest.revision} is provisional (${lackedBy(facts, newest)}). ${mailSentence(facts)} ${next}`,
    commands: [...mendingCommands(facts, left), ...(isOpen ? [] : [makeAgain(facts)])],
  });
}

function corrected(facts: WhyFacts, newest: RevisionFacts, corrects: number | null | undefined): Verdict {
  const before = facts.revisions.at(-2);
  const changed = before === undefined ? [] : changedParts(newest.added, before.added);
  const was = before?.isGood === false ? `Revision ${before.revision} was provisional. ` : '';
  const why = changed.length === 0 ? '' : ` Changed: ${namedParts(changed)}.`;
  return verdictOf({
    ending: 'corrected',
    sentence: `${was}Revision ${newest.revision} corrects the mail of revision ${corrects ?? newest.revision - 1}.${why} ${mailSentence(facts)}`,
  });
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
  const sentence = `${mailSentence(facts)}${all}`;
  if (delivery.mail === 'stopped by readers') {
    return verdictOf({
      ending: 'stopped by its readers',
      sentence: `Every recipient stopped these mails with one click, so nobody got one.${all}`,
      commands: [['suppression', 'list']],
    });
  }
  if (delivery.mail === 'delivered' || delivery.mail === 'accepted') {
    const ending = delivery.mail === 'delivered' ? 'delivered' : 'mailed';
    return verdictOf({
      ending,
      sentence,
      ...(stoppedIn(facts) > 0 && { commands: [['suppression', 'list']] }),
    });
  }
  return verdictOf({
    ending: 'nothing to send',
    sentence,
    ...((mail?.nothingToSend ?? mail?.reason) === 'not asked for' && {
      toDo: 'If the mail is wanted after all, send it.',
      commands: [[...makeAgain(facts), '--resend']],
    }),
  });
}

/** Why a page was sent, is waited for, was corrected, did not come, or needs a look, and what to do. */
export function verdictOfPage(facts: WhyFacts): Verdict {
  const { page, delivery, revisions, unreadable } = facts;
  if (unreadable !== null) {
    return verdictOf({
      ...adviceOf('records not readable'),
      ending: 'not readable',
      sentence: `What became of it is not known, because ${unreadable}.`,
    });
  }
  const trouble = whyNotThere(facts) ?? mailTrouble(facts, delivery.missing ?? '');
  if (trouble !== null) return trouble;
  const newest = revisions.at(-1);
  if (newest?.isGood !== false) return arrived(facts, newest);
  if (!isMerchantDay(page)) return provisional(facts, newest);
  return verdictOf({
    ...adviceOf('unbalanced'),
    ending: 'unbalanced',
    sentence: 'The report was mailed, but its rows and the totals of the service do not agree.',
    commands: [makeAgain(facts)],
  });
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
  const { putAside } = facts.queues;
  const also: string[] = [];
  if (putAside !== null && putAside !== 'hidden' && ending !== 'put aside')
    also.push(putAsideSentence(facts, putAside));
  if (problem !== null && ending !== 'entry rejected') also.push(`No further run can begin: ${problem}.`);
  // A page that is not issued yet is made again first.
  const isGood = newest?.isGood !== false || delivery.mail === null || whatTicksDo(facts) === 'issue';
  if (isGood || ending === 'unbalanced' || ending === PROVISIONAL) return also;
  also.push(
    isMerchantDay(page)
      ? 'The day is not balanced: its rows and the totals of the service do not agree.'
      : `Revision ${newest.revision} is provisional (${lackedBy(facts, newest)}).`,
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
  return changed.length === 0
    ? []
    : [`Changed since it was sealed: ${namedParts(changed)}. ${whatBecomesOf(facts)}`];
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
