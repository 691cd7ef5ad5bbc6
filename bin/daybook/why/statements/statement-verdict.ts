import { recipientStates } from '#domain/ledger/ledger-outcome.ts';
import { adviceFor } from '#functions/delivery-watch/advice.ts';
import { PROVISIONAL } from '#functions/delivery-watch/delivery.ts';
import { counted } from '../../terminal/counted.ts';
import { recipients } from '../verdict.ts';
import { partWord, whatTicksDo } from './facts.ts';
import type { PageFacts, PartFacts, StatementFacts } from './facts.ts';
import { changedParts, lackedBy, namedParts } from './statement-timeline.ts';
import { makeAgain, statementAdvice, statementVerdictOf, timeOf } from './statement-ending.ts';
import type { StatementVerdict } from './statement-ending.ts';
import { whyNotSealed } from './not-sealed.ts';

const MAIL_TROUBLE = ['mail held', 'bounced', 'complained', 'mail stopped'] as const;
/** The most days or merchants that get a command each. */
const MOST_COMMANDS = 3;

/** What became of the mail, in a sentence. */
function mailSentence({ mail }: StatementFacts): string {
  const ledger = mail?.ledger;
  const entries = ledger === undefined ? [] : recipientStates(ledger);
  const got = entries.filter(({ status }) => status === 'accepted' || status === 'delivered').length;
  switch (mail?.standing) {
    case 'delivered':
      return `The mail was delivered to ${recipients(got)}.`;
    case 'accepted':
      return `The mail service took the mail for ${recipients(got)}.`;
    default: {
      const reason = ledger?.nothingToSend ?? ledger?.reason ?? 'not known';
      return `There was no mail to send. The reason in the ledger: ${reason}.`;
    }
  }
}

function mailTrouble(facts: StatementFacts, reason: string): StatementVerdict {
  const { mail, now } = facts;
  const ledger = mail?.ledger;
  if (ledger?.status === 'intended' && now < Date.parse(ledger.until)) {
    return statementVerdictOf({
      ending: 'under way',
      sentence: 'A run is sending the mail now. Look again in a minute.',
    });
  }
  const ending = MAIL_TROUBLE.find((name) => name === reason) ?? 'mail not sent';
  const again = makeAgain(facts);
  return statementVerdictOf({
    ...statementAdvice(reason),
    ending,
    sentence: `It is sealed, but its mail did not arrive (${reason}): ${adviceFor(reason).means}`,
    commands: [ending === 'mail not sent' ? again : [...again, '--resend', '--failed']],
  });
}

/** The commands that mend what is still missing or not balanced. A group's show why. */
function mendingCommands({ owner, period }: StatementFacts, left: readonly PartFacts[]): string[][] {
  const names = left.map(({ name }) => name);
  if (owner.group !== undefined) return names.slice(0, MOST_COMMANDS).map((name) => ['why', name, period]);
  const [first, last] = [names.at(0), names.at(-1)];
  if (names.length > MOST_COMMANDS && first !== undefined && last !== undefined) {
    return [['backfill', '--merchant', owner.merchantCode, '--from', first, '--to', last]];
  }
  return names.map((name) => ['report', owner.merchantCode, '--day', name]);
}

/** What the person who asks can do. Unlike the notice of the watch, it speaks of the commands that follow it. */
function mendingWords({ owner }: StatementFacts, left: readonly PartFacts[], isOpen: boolean): string {
  if (left.length === 0) {
    return isOpen ? 'You need do nothing.' : 'Make it again with the command below.';
  }
  if (owner.group !== undefined) {
    return 'See with the first commands why these merchants are missing, and mend that. Then make the page again with the last command.';
  }
  const run = 'Run the reports of these days again with the commands below.';
  return isOpen ? run : `${run} Then make the statement again with the last command.`;
}

function provisional(facts: StatementFacts, newest: PageFacts): StatementVerdict {
  const { clock, parts } = facts;
  const isOpen = clock !== null && whatTicksDo(facts) === 'follow';
  const left = parts.filter(({ revision, good }) => revision === null || good === false);
  const next = isOpen
    ? left.length === 0
      ? 'Now all of it is there and balances. plan makes the statement again by itself, within a day.'
      : `When that is mended, plan makes it again by itself, until ${timeOf(facts, clock.closedAt)}.`
    : 'It is not made again by itself.';
  return statementVerdictOf({
    ...statementAdvice(PROVISIONAL),
    toDo: mendingWords(facts, left, isOpen),
    ending: 'provisional',
    sentence: `Revision ${newest.revision} is provisional (${lackedBy(facts, newest)}). ${mailSentence(facts)} ${next}`,
    commands: [...mendingCommands(facts, left), ...(isOpen ? [] : [makeAgain(facts)])],
  });
}

function arrived(facts: StatementFacts, newest: PageFacts): StatementVerdict {
  const { pages, mail } = facts;
  const sent = mailSentence(facts);
  const all = `It is final: ${counted(newest.added.size, partWord(facts))} added up.`;
  if (mail?.ledger?.kind === 'correction' && mail.ledger === newest.ledger) {
    const before = pages.at(-2);
    const changed = changedParts(newest, before);
    const was = before?.final === false ? `Revision ${before.revision} was provisional. ` : '';
    const why = changed.length === 0 ? '' : ` Changed: ${namedParts(changed)}.`;
    return statementVerdictOf({
      ending: 'corrected',
      sentence: `${was}Revision ${newest.revision} corrects the mail of revision ${mail.ledger.corrects ?? newest.revision - 1}.${why} ${sent}`,
    });
  }
  if (mail?.standing === 'none') {
    const isWanted = mail.ledger?.nothingToSend === 'not asked for';
    return statementVerdictOf({
      ending: 'nothing to send',
      sentence: `${sent} ${all}`,
      ...(isWanted && {
        toDo: 'If the mail is wanted after all, send it.',
        commands: [[...makeAgain(facts), '--resend']],
      }),
    });
  }
  const ending = mail?.standing === 'delivered' ? 'delivered' : 'mailed';
  return statementVerdictOf({ ending, sentence: `${sent} ${all}` });
}

/** The parts that have a newer revision than the newest page adds up. */
function newerParts({ parts }: StatementFacts, { added }: PageFacts): string[] {
  return parts.flatMap(({ name, revision }) => {
    const was = added.get(name);
    if (revision === null || was === revision) return [];
    return [was === undefined ? `${name} (new)` : `${name} (r${was} → r${revision})`];
  });
}

/** What else is true of a statement that is there. */
export function alsoTrueOf(facts: StatementFacts): string[] {
  const newest = facts.pages.at(-1);
  if (newest === undefined) return [];
  const newer = newerParts(facts, newest);
  if (newer.length === 0) return [];
  return [`Changed since it was sealed: ${namedParts(newer)}. ${whatBecomesOf(facts)}`];
}

/** What becomes of a page some of whose parts have changed. */
function whatBecomesOf(facts: StatementFacts): string {
  const { clock, owner } = facts;
  const does = whatTicksDo(facts);
  if (does === 'issue') return 'It has no mail yet, so it is made again with them.';
  if (owner.group !== undefined) return 'The next page of the group says what changed.';
  return does === 'follow' && clock !== null
    ? `plan looks once a day, until ${timeOf(facts, clock.closedAt)}, and makes it again.`
    : 'It is not made again by itself any more.';
}

/** Why a statement was sent, is provisional, is waited for, was corrected, or did not come. */
export function verdictOfStatement(facts: StatementFacts): StatementVerdict {
  const newest = facts.pages.at(-1);
  if (newest === undefined || whatTicksDo(facts) === 'issue') return whyNotSealed(facts);
  const reason = facts.mail?.reason ?? null;
  if (reason !== null) return mailTrouble(facts, reason);
  return newest.final ? arrived(facts, newest) : provisional(facts, newest);
}
