import { periodKind } from '#records/period/period.ts';
import { isMerchantDay } from '#records/storage/keys.ts';
import { badnessOf, NOT_SEALED, NOTHING_SEALED } from '#watch/delivery-watch/delivery.ts';
import { answerOf, triesOf } from '../stage/failed-pull.ts';
import { counted } from '../terminal/shown-text.ts';
import {
  partWord,
  whatTicksDo,
  adviceOf,
  backfillOf,
  lookAtParts,
  queued,
  makeAgain,
  putAsideIn,
  putAsideSentence,
  timeIn,
  verdict,
} from './verdict.ts';
import type { PageClock, PartFacts, WhyFacts, Verdict } from './verdict.ts';
import { namedParts } from './timeline.ts';

function noRun(facts: WhyFacts, dueAt: number): Verdict {
  const due = timeIn(facts, dueAt);
  const again = makeAgain(facts);
  const advice = { ...adviceOf('no run'), commands: [again] };
  const { lastTick } = facts.queues;
  const putAside = putAsideIn(facts);
  if (putAside !== null) return verdict('put aside', putAsideSentence(facts, putAside), advice);
  if (lastTick === null || Date.parse(lastTick) < dueAt) {
    const last =
      lastTick === null ? 'No tick is known at all' : `The last one was at ${timeIn(facts, lastTick)}`;
    const sentence = `No tick of plan came after the hour of the report (${due}). ${last}.`;
    return verdict('plan did not run', sentence, { ...advice, commands: [['doctor'], again] });
  }
  const since = `plan has run since the hour of the report (${due})`;
  if (queued(facts) > 0) return verdict('in the queue', `${since}. No pull is recorded yet.`, advice);
  const why = 'the merchant was not in the registry then, or had another hour or zone';
  return verdict('never planned', `${since}, and the queues are empty: ${why}.`, advice);
}

const PULL_FAILED = 'pull failed: ';

function pullFailed(facts: WhyFacts, reason: string): Verdict {
  const { check } = facts;
  const when = check === undefined ? '' : ` at ${timeIn(facts, check.checkedAt)}`;
  const failure = check?.failure;
  const answer = failure === undefined ? '' : answerOf(failure);
  const tries =
    failure === undefined ? '' : `. It was ${triesOf(failure)}, first at ${timeIn(facts, failure.since)}`;
  const how = `${reason.slice(PULL_FAILED.length)}${answer && `: ${answer}`}${tries}`;
  const sentence = `The last pull ended${when} with ${how}. So nothing is sealed, and nothing was mailed.`;
  return verdict('pull failed', sentence, { ...adviceOf(reason), commands: [makeAgain(facts)] });
}

function notInRegistry({ page: { owner } }: WhyFacts): Verdict {
  const sentence = `The registry has no merchant ${owner.merchantCode ?? ''} any more, so no run was planned.`;
  return verdict('not in the registry', sentence, adviceOf('not in the registry any more'));
}

function whyNotPulled(facts: WhyFacts, { dueAt, watchedAt }: PageClock): Verdict | null {
  const { page, delivery, reportFrom, now, problem } = facts;
  const { missing: reason } = delivery;
  if (reason === null) return null;
  const again = makeAgain(facts);
  const mayStillCome = badnessOf(reason) === 2;
  if (mayStillCome && reportFrom !== undefined && page.period < reportFrom) {
    const first = `the first day of this merchant is ${reportFrom} (reportFrom in the registry)`;
    return verdict('before reportFrom', `No report of ${page.period} is planned: ${first}.`, {
      toDo: 'If this day is wanted, run its report.',
      commands: [again],
    });
  }
  if (mayStillCome && now < dueAt) {
    const [due, watched] = [timeIn(facts, dueAt), timeIn(facts, watchedAt)];
    return verdict('not due yet', `It is due at ${due}. The watch expects it until ${watched}.`);
  }
  if (reason.startsWith(PULL_FAILED)) return pullFailed(facts, reason);
  if (reason === 'no run') return noRun(facts, dueAt);
  if (reason === 'not in the registry any more') return notInRegistry(facts);
  if (reason !== 'entry not usable') return null;
  return verdict('entry rejected', `No run was planned, because ${problem ?? 'the entry cannot be used'}.`, {
    ...adviceOf(reason),
    commands: [['registry', 'pull'], again],
  });
}

const MEMBERS = { day: 'daily', week: 'weekly', month: 'monthly' } as const;

function notAskedFor(facts: WhyFacts): Verdict {
  const { page, isForGroup } = facts;
  const member = MEMBERS[periodKind(page.period) ?? 'month'];
  const where =
    page.owner.group === undefined ? `"statements.${member}" for the merchant` : `"${member}" for the group`;
  const so = isForGroup
    ? `. A group adds it up, so it is made in time for the group's page, without a mail`
    : ', so it is not made by itself';
  return verdict('not asked for', `The registry has no ${where}${so}.`, {
    toDo: 'If it is wanted, make it by hand, or change the registry.',
    commands: [makeAgain(facts)],
  });
}

function waiting(facts: WhyFacts, { deadline }: PageClock, left: readonly PartFacts[]): Verdict {
  const { parts } = facts;
  const names = namedParts(left.map(({ name }) => name));
  const last =
    left.length === parts.length ? 'Without any it is not issued.' : 'Then it is issued as provisional.';
  const what = `${counted(left.length, partWord(facts))} of ${parts.length} without a sealed page: ${names}`;
  const sentence = `It waits for ${what}. It waits until ${timeIn(facts, deadline)}. ${last}`;
  return verdict('waiting', sentence, { commands: lookAtParts(facts, left) });
}

/** The notice of the watch is about many; here the commands are those of this one. */
function nothingSealed(facts: WhyFacts, left: readonly PartFacts[]): Verdict {
  const { owner, from, to } = facts.page;
  const its =
    owner.group === undefined
      ? {
          toDo: 'If the merchant is new or closed, you need do nothing. Otherwise see with the first command why a day is not sealed. The last command makes up for all of them.',
          commands: [...lookAtParts(facts, left.slice(0, 1)), backfillOf(owner.merchantCode, from, to)],
        }
      : {
          toDo: 'If its merchants are new or closed, you need do nothing. Otherwise see with the commands below why they have no page.',
          commands: lookAtParts(facts, left),
        };
  const sentence = 'Nothing of it is sealed, so there is nothing to add up.';
  return verdict(NOTHING_SEALED, sentence, { ...adviceOf(NOTHING_SEALED), ...its });
}

function whyNotAddedUp(facts: WhyFacts): Verdict {
  const { clock, now, parts, page } = facts;
  if (page.entry === 'gone') return notInRegistry(facts);
  if (clock === null) return notAskedFor(facts);
  const { dueAt, deadline, issueUntil } = clock;
  const left = parts.filter(({ revision }) => revision === null);
  if (now < dueAt) {
    const words = `${counted(left.length, partWord(facts))} of ${parts.length} are not sealed yet.`;
    const sentence = `It is due at ${timeIn(facts, dueAt)}.`;
    return verdict('not due yet', left.length === 0 ? sentence : `${sentence} ${words}`);
  }
  if (now < deadline && left.length > 0) return waiting(facts, clock, left);
  if (left.length === parts.length) return nothingSealed(facts, left);
  const commands = [makeAgain(facts)];
  if (issueUntil !== null && now >= issueUntil) {
    const sentence = `It was not made until ${timeIn(facts, issueUntil)}, and the next one is due already. An old one is not made by itself.`;
    return verdict('not issued any more', sentence, { toDo: 'If it is wanted, make it by hand.', commands });
  }
  if (now < deadline)
    return verdict(
      'next tick',
      'Everything that it adds up is sealed. The next tick of the reports makes it.',
    );
  const since = timeIn(facts, left.length === 0 ? dueAt : deadline);
  const sentence = `It could have been made since ${since}, but nothing is sealed: no tick handed it out since, or its run failed.`;
  return verdict(NOT_SEALED, sentence, { ...adviceOf(NOT_SEALED), commands });
}

/** Why a page is not there or not issued yet, `null` for one that was to be mailed. */
export function whyNotThere(facts: WhyFacts): Verdict | null {
  const { page, clock, revisions } = facts;
  if (isMerchantDay(page)) return clock && whyNotPulled(facts, clock);
  return revisions.length === 0 || whatTicksDo(facts) === 'issue' ? whyNotAddedUp(facts) : null;
}
