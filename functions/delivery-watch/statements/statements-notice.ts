import { createHash } from 'node:crypto';
import type { NoticeCommand, OpsNotice } from '#domain/notices/ops-notice.ts';
import { pageKey } from '#domain/storage/keys.ts';
import type { PageOwner } from '#domain/storage/keys.ts';
import type { NotifiedPeriod } from './notified-period.ts';
import { adviceForStatement } from './statement-advice.ts';
import { PROVISIONAL, troubleOf } from './statement-delivery.ts';
import type { StatementDelivery } from './statement-delivery.ts';

/** The most statements that a notice lists. */
const MOST_LISTED = 100;
/** The most reasons that a notice explains, the most frequent first. */
const MOST_REASONS = 8;
/** The reasons after which the same revision is sent again to those who do not have it. */
const SENT_AGAIN = ['mail held', 'bounced', 'mail stopped'];

/** A statement in trouble, and why. */
interface Troubled extends StatementDelivery {
  trouble: string;
}

function once(values: readonly (string | undefined)[]): string[] {
  return [...new Set(values.filter((value) => value !== undefined))];
}

function ownerInWords({ merchantCode, group }: PageOwner): string {
  return merchantCode ?? `group ${group}`;
}

/** What the subject says happened. A statement that arrived is not said to be missing. */
function whatHappened(troubled: readonly Troubled[]): string {
  const many = troubled.length > 1;
  const reasons = new Set(troubled.map(({ trouble }) => trouble));
  const did = [...reasons].some((reason) => reason !== PROVISIONAL);
  return [
    ...(did ? ['did not arrive'] : []),
    ...(reasons.has('complained') ? [many ? 'need a look' : 'needs a look'] : []),
    ...(reasons.has(PROVISIONAL) ? [many ? 'are provisional' : 'is provisional'] : []),
  ].join(' or ');
}

/** A group gets pages, a merchant statements. */
function noun(owners: readonly PageOwner[], count: number): string {
  const one = owners.every(({ group }) => group !== undefined) ? 'page' : 'statement';
  return count === 1 ? one : `${one}s`;
}

/** The commands about one of them, as an example for all. */
function commandsAbout(troubled: Troubled): NoticeCommand[] {
  const { owner, period, revision, trouble } = troubled;
  const whose = `${ownerInWords(owner)}, ${period}`;
  const again = SENT_AGAIN.includes(trouble);
  const owned = owner.merchantCode === undefined ? ['--group', owner.group] : [owner.merchantCode];
  return [
    {
      shows: again
        ? `Sends the newest revision to the recipients who do not have it (${whose})`
        : `Makes it, and mails it if it is new. What is done is not done twice (${whose})`,
      does: 'daybook',
      words: ['statement', ...owned, '--period', period, ...(again ? ['--resend', '--failed'] : [])],
    },
    ...(revision === undefined
      ? []
      : [
          {
            shows: `The newest revision. "missing" and "unbalanced" say why it is provisional (${whose})`,
            does: 'show object',
            key: pageKey({ owner, period, revision }),
          } as const,
        ]),
  ];
}

/** Reasons with how often each is there, the most frequent first. */
function byFrequency(troubled: readonly Troubled[]): [string, number][] {
  const reasons = Map.groupBy(troubled, ({ trouble }) => trouble);
  return [...reasons]
    .map(([reason, { length }]): [string, number] => [reason, length])
    .sort(([, one], [, other]) => other - one);
}

/**
 * The notice of statements and groups' pages that are missing or provisional. The same set gives the same `about`, in any
 * order, until an all-clear.
 *
 * @param looked what became of each; those that do not count are left out
 * @param notified what ops know of the periods
 * @param asked makes it another notice, for a person who asks for another time
 */
export function statementsNotice(
  looked: readonly StatementDelivery[],
  notified: readonly NotifiedPeriod[],
  asked = '',
): OpsNotice {
  const counted = looked.filter(({ counts }) => counts);
  const troubled = counted.flatMap((one): Troubled[] => {
    const trouble = troubleOf(one);
    return trouble === null ? [] : [{ ...one, trouble }];
  });
  const owners = troubled.map(({ owner }) => owner);
  const count = troubled.length;
  const what = whatHappened(troubled);
  const lines = troubled.map(
    ({ owner, period, trouble }) => `${ownerInWords(owner)}, period ${period}: ${trouble}`,
  );
  const periods = once(troubled.map(({ period }) => period)).sort();
  const spells = notified.flatMap(({ period, spell }) =>
    periods.includes(period) ? [`${period} ${spell}`] : [],
  );
  const reasons = byFrequency(troubled);
  const explained = reasons
    .slice(0, MOST_REASONS)
    .map(([reason]) => ({ reason, advice: adviceForStatement(reason) }));
  const content = createHash('sha256')
    .update([asked, ...spells, ...lines.toSorted()].join('\n'))
    .digest('hex');
  const [example] = troubled;
  return {
    about: `missing statements ${content}`,
    merchants: once(owners.map(({ merchantCode }) => merchantCode)),
    groups: once(owners.map(({ group }) => group)),
    days: [],
    periods,
    happened: `${noun(owners, count)} ${what}`,
    meaning: [
      `${count} of ${counted.length} ${noun(owners, counted.length)} that were due ${what}: ${reasons
        .map(([reason, times]) => `${times} × ${reason}`)
        .join(', ')}.`,
      ...explained.map(({ reason, advice }) => `${reason}: ${advice.means}`),
    ],
    tried: explained.map(({ reason, advice }) => `${reason}: ${advice.tried}`),
    toDo: explained.map(({ reason, advice }) => `${reason}: ${advice.toDo}`),
    headings: [...new Set(explained.map(({ advice }) => advice.heading))],
    commands: example === undefined ? [] : commandsAbout(example),
    list: {
      heading: 'The statements',
      lines: lines.slice(0, MOST_LISTED),
      total: count,
      others: 'in the answer of delivery-watch',
    },
  };
}

/** The notice that all is well again in a period of which ops know trouble. */
export function periodAllClearNotice({ period, spell, told, nothingSealed }: NotifiedPeriod): OpsNotice {
  const missing = told.filter(({ badness }) => badness > 1);
  const lines = missing.map(({ owner }) => owner.replace(/^merchant=/, '').replace(/^group=/, 'group '));
  const named = (prefix: string) =>
    missing.flatMap(({ owner }) => (owner.startsWith(prefix) ? [owner.slice(prefix.length)] : []));
  const nothing = nothingSealed.length;
  return {
    about: `all is well again: statements of ${period}, ${spell}`,
    merchants: named('merchant='),
    groups: named('group='),
    days: [],
    periods: [period],
    happened: 'the statements are there now',
    meaning: [
      `No statement and no page of period ${period} is missing any more.`,
      ...(nothing === 0 ? [] : [`${nothing} of them had no sealed day. They are not looked at any more.`]),
      `You were notified of ${lines.length === 1 ? 'this one' : `these ${lines.length}`} before.`,
    ],
    tried: ['delivery-watch looked at each of them again.'],
    toDo: ['You need do nothing.'],
    headings: ['statementsMissing'],
    commands: [],
    list: { heading: 'Merchants and groups', lines: lines.slice(0, MOST_LISTED), total: lines.length },
  };
}
