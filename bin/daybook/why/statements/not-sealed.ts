import { periodKind } from '#domain/period/period.ts';
import { NOT_SEALED, NOTHING_SEALED } from '#functions/delivery-watch/delivery.ts';
import { counted } from '../../terminal/counted.ts';
import { partWord } from './facts.ts';
import type { PartFacts, StatementClock, StatementFacts } from './facts.ts';
import { makeAgain, statementAdvice, statementVerdictOf, timeOf } from './statement-ending.ts';
import type { StatementVerdict } from './statement-ending.ts';
import { namedParts } from './statement-timeline.ts';

const MEMBERS = { day: 'daily', week: 'weekly', month: 'monthly' } as const;
/** The most days or merchants that get a command each. */
const MOST_COMMANDS = 3;

function notAskedFor(facts: StatementFacts): StatementVerdict {
  const { owner, period, isForGroup } = facts;
  const member = MEMBERS[periodKind(period) ?? 'month'];
  const where =
    owner.group === undefined ? `"statements.${member}" for the merchant` : `"${member}" for the group`;
  return statementVerdictOf({
    ending: 'not asked for',
    sentence: isForGroup
      ? `The registry has no ${where}. A group adds it up, so it is made in time for the group's page, without a mail.`
      : `The registry has no ${where}, so it is not made by itself.`,
    toDo: 'If it is wanted, make it by hand, or change the registry.',
    commands: [makeAgain(facts)],
  });
}

/** The commands that show why parts are not sealed. */
function lookAt({ owner, period }: StatementFacts, left: readonly PartFacts[]): string[][] {
  return left
    .slice(0, MOST_COMMANDS)
    .map(({ name }) =>
      owner.group === undefined ? ['why', owner.merchantCode, name] : ['why', name, period],
    );
}

function waiting(
  facts: StatementFacts,
  { deadline }: StatementClock,
  left: readonly PartFacts[],
): StatementVerdict {
  const word = partWord(facts);
  const names = namedParts(left.map(({ name }) => name));
  const last =
    left.length === facts.parts.length
      ? 'Without any it is not issued.'
      : 'Then it is issued as provisional.';
  return statementVerdictOf({
    ending: 'waiting',
    sentence: `It waits for ${counted(left.length, word)} of ${facts.parts.length} without a sealed page: ${names}. It waits until ${timeOf(facts, deadline)}. ${last}`,
    commands: lookAt(facts, left),
  });
}

/** The notice of the watch is about many; here the commands are those of this one. */
function nothingSealed(facts: StatementFacts, left: readonly PartFacts[]): StatementVerdict {
  const { owner, from, to } = facts;
  const isGroup = owner.group !== undefined;
  return statementVerdictOf({
    ...statementAdvice(NOTHING_SEALED),
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

/** Why a statement or page was not issued: nothing is sealed, or nothing but a page without a mail. */
export function whyNotSealed(facts: StatementFacts): StatementVerdict {
  const { clock, now, parts } = facts;
  if (clock === null) return notAskedFor(facts);
  const left = parts.filter(({ revision }) => revision === null);
  if (now < clock.dueAt) {
    const open =
      left.length === 0
        ? ''
        : ` ${counted(left.length, partWord(facts))} of ${parts.length} are not sealed yet.`;
    return statementVerdictOf({
      ending: 'not due yet',
      sentence: `It is due at ${timeOf(facts, clock.dueAt)}.${open}`,
    });
  }
  if (now < clock.deadline && left.length > 0) return waiting(facts, clock, left);
  if (left.length === parts.length) {
    return nothingSealed(facts, left);
  }
  if (clock.issueUntil !== null && now >= clock.issueUntil) {
    return statementVerdictOf({
      ending: 'not issued any more',
      sentence: `It was not made until ${timeOf(facts, clock.issueUntil)}, and the next one is due already. An old one is not made by itself.`,
      toDo: 'If it is wanted, make it by hand.',
      commands: [makeAgain(facts)],
    });
  }
  if (now < clock.deadline) {
    return statementVerdictOf({
      ending: 'next tick',
      sentence: `Everything that it adds up is sealed. The next tick of the reports makes it.`,
    });
  }
  return statementVerdictOf({
    ...statementAdvice(NOT_SEALED),
    ending: NOT_SEALED,
    sentence: `It could have been made since ${timeOf(facts, left.length === 0 ? clock.dueAt : clock.deadline)}, but nothing is sealed: no tick handed it out since, or its run failed.`,
    commands: [makeAgain(facts)],
  });
}
