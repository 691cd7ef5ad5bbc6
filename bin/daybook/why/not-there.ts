import { periodKind } from '#records/period/period.ts';
import { isMerchantDay } from '#records/storage/keys.ts';
import { badnessOf, NOT_SEALED, NOTHING_SEALED } from '#watch/delivery-watch/delivery.ts';
import { answerOf, triesOf } from '../stage/failed-pull.ts';
import { counted } from '../terminal/shown-text.ts';
import {
  partWord,
  whatTicksDo,
  adviceOf,
  queued,
  makeAgain,
  MOST_COMMANDS,
  putAsideSentence,
  timeIn,
  verdictOf,
} from './verdict.ts';
import type { PageClock, PartFacts, WhyFacts, Verdict } from './verdict.ts';
import { namedParts } from './timeline.ts';

function noRun(facts: WhyFacts, dueAt: number): Verdict {
  const due = timeIn(facts, dueAt);
  const again = makeAgain(facts);
  const advice = { ...adviceOf('no run'), commands: [again] };
  const { lastTick, putAside } = facts.queues;
  if (putAside !== null && putAside !== 'hidden') {
    return verdictOf({ ...advice, ending: 'put aside', sentence: putAsideSentence(facts, putAside) });
  }
  if (lastTick === null || Date.parse(lastTick) < dueAt) {
    const last =
      lastTick === null ? 'No tick is known at all' : `The last one was at ${timeIn(facts, lastTick)}`;
    return verdictOf({
      ...advice,
      ending: 'plan did not run',
      sentence: `No tick of plan came after the hour of the report (${due}). ${last}.`,
      commands: [['doctor'], again],
    });
  }
  const since = `plan has run since the hour of the report (${due})`;
  if (queued(facts) > 0) {
    return verdictOf({ ...advice, ending: 'in the queue', sentence: `${since}. No pull is recorded yet.` });
  }
  return verdictOf({
    ...advice,
    ending: 'never planned',
    sentence: `${since}, and the queues are empty: the merchant was not in the registry then, or had another hour or zone.`,
  });
}

const PULL_FAILED = 'pull failed: ';

function failedInWords(facts: WhyFacts): string {
  const failure = facts.check?.failure;
  if (failure === undefined) return '';
  const answer = answerOf(failure);
  return `${answer === '' ? '' : `: ${answer}`}. It was ${triesOf(failure)}, first at ${timeIn(facts, failure.since)}`;
}

function notInRegistry({ page: { owner } }: WhyFacts): Verdict {
  return verdictOf({
    ...adviceOf('not in the registry any more'),
    ending: 'not in the registry',
    sentence: `The registry has no merchant ${owner.merchantCode ?? ''} any more, so no run was planned.`,
  });
}

function whyNotPulled(facts: WhyFacts, { dueAt, watchedAt }: PageClock): Verdict | null {
  const { page, delivery, reportFrom, now, check, problem } = facts;
  const { missing: reason } = delivery;
  if (reason === null) return null;
  const again = makeAgain(facts);
  const mayStillCome = badnessOf(reason) === 2;
  if (mayStillCome && reportFrom !== undefined && page.period < reportFrom) {
    return verdictOf({
      ending: 'before reportFrom',
      sentence: `No report of ${page.period} is planned: the first day of this merchant is ${reportFrom} (reportFrom in the registry).`,
      toDo: 'If this day is wanted, run its report.',
      commands: [again],
    });
  }
  if (mayStillCome && now < dueAt) {
    return verdictOf({
      ending: 'not due yet',
      sentence: `It is due at ${timeIn(facts, dueAt)}. The watch expects it until ${timeIn(facts, watchedAt)}.`,
    });
  }
  if (reason.startsWith(PULL_FAILED)) {
    const when = check === undefined ? '' : ` at ${timeIn(facts, check.checkedAt)}`;
    return verdictOf({
      ...adviceOf(reason),
      ending: 'pull failed',
      sentence: `The last pull ended${when} with ${reason.slice(PULL_FAILED.length)}${failedInWords(facts)}. So nothing is sealed, and nothing was mailed.`,
      commands: [again],
    });
  }
  switch (reason) {
    case 'no run':
      return noRun(facts, dueAt);
    case 'entry not usable':
      return verdictOf({
        ...adviceOf(reason),
        ending: 'entry rejected',
        sentence: `No run was planned, because ${problem ?? 'the entry cannot be used'}.`,
        commands: [['registry', 'pull'], again],
      });
    case 'not in the registry any more':
      return notInRegistry(facts);
    default:
      return null;
  }
}

const MEMBERS = { day: 'daily', week: 'weekly', month: 'monthly' } as const;
function notAskedFor(facts: WhyFacts): Verdict {
  const { page, isForGroup } = facts;
  const member = MEMBERS[periodKind(page.period) ?? 'month'];
  const where =
    page.owner.group === undefined ? `"statements.${member}" for the merchant` : `"${member}" for the group`;
  return verdictOf({
    ending: 'not asked for',
    sentence: isForGroup
      ? `The registry has no ${where}. A group adds it up, so it is made in time for the group's page, without a mail.`
      : `The registry has no ${where}, so it is not made by itself.`,
    toDo: 'If it is wanted, make it by hand, or change the registry.',
    commands: [makeAgain(facts)],
  });
}

function lookAt({ page }: WhyFacts, left: readonly PartFacts[]): string[][] {
  const { owner, period } = page;
  return left
    .slice(0, MOST_COMMANDS)
    .map(({ name }) =>
      owner.group === undefined ? ['why', owner.merchantCode, name] : ['why', name, period],
    );
}

function waiting(facts: WhyFacts, { deadline }: PageClock, left: readonly PartFacts[]): Verdict {
  const { parts } = facts;
  const names = namedParts(left.map(({ name }) => name));
  const last =
    left.length === parts.length ? 'Without any it is not issued.' : 'Then it is issued as provisional.';
  return verdictOf({
    ending: 'waiting',
    sentence: `It waits for ${counted(left.length, partWord(facts))} of ${parts.length} without a sealed page: ${names}. It waits until ${timeIn(facts, deadline)}. ${last}`,
    commands: lookAt(facts, left),
  });
}

/** The notice of the watch is about many; here the commands are those of this one. */
function nothingSealed(facts: WhyFacts, left: readonly PartFacts[]): Verdict {
  const { owner, from, to } = facts.page;
  const isGroup = owner.group !== undefined;
  return verdictOf({
    ...adviceOf(NOTHING_SEALED),
    ending: NOTHING_SEALED,
    sentence: 'Nothing of it is sealed, so there is nothing to add up.',
    toDo: isGroup
      ? 'If its merchants are new or closed, you need do nothing. Otherwise see with the commands below why they have no page.'
      : 'If the merchant is new or closed, you need do nothing. Otherwise see with the first command why a day is not sealed. The last command makes up for all of them.',
    commands: isGroup
      ? lookAt(facts, left)
      : [
          ...lookAt(facts, left.slice(0, 1)),
          ['backfill', '--merchant', owner.merchantCode, '--from', from, '--to', to],
        ],
  });
}

function whyNotAddedUp(facts: WhyFacts): Verdict {
  const { clock, now, parts, page } = facts;
  if (page.entry === 'gone') return notInRegistry(facts);
  if (clock === null) return notAskedFor(facts);
  const { dueAt, deadline, issueUntil } = clock;
  const left = parts.filter(({ revision }) => revision === null);
  if (now < dueAt) {
    const open =
      left.length === 0
        ? ''
        : ` ${counted(left.length, partWord(facts))} of ${parts.length} are not sealed yet.`;
    return verdictOf({ ending: 'not due yet', sentence: `It is due at ${timeIn(facts, dueAt)}.${open}` });
  }
  if (now < deadline && left.length > 0) return waiting(facts, clock, left);
  if (left.length === parts.length) return nothingSealed(facts, left);
  if (issueUntil !== null && now >= issueUntil) {
    return verdictOf({
      ending: 'not issued any more',
      sentence: `It was not made until ${timeIn(facts, issueUntil)}, and the next one is due already. An old one is not made by itself.`,
      toDo: 'If it is wanted, make it by hand.',
      commands: [makeAgain(facts)],
    });
  }
  if (now < deadline) {
    return verdictOf({
      ending: 'next tick',
      sentence: 'Everything that it adds up is sealed. The next tick of the reports makes it.',
    });
  }
  return verdictOf({
    ...adviceOf(NOT_SEALED),
    ending: NOT_SEALED,
    sentence: `It could have been made since ${timeIn(facts, left.length === 0 ? dueAt : deadline)}, but nothing is sealed: no tick handed it out since, or its run failed.`,
    commands: [makeAgain(facts)],
  });
}

/** Why a page is not there or not issued yet, `null` for one that was to be mailed. */
export function whyNotThere(facts: WhyFacts): Verdict | null {
  const { page, clock, revisions } = facts;
  if (isMerchantDay(page)) return clock && whyNotPulled(facts, clock);
  return revisions.length === 0 || whatTicksDo(facts) === 'issue' ? whyNotAddedUp(facts) : null;
}
