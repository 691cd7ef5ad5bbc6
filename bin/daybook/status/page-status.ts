import { periodKind } from '#records/period/period.ts';
import { badnessOf, troubleOf } from '#watch/delivery-watch/delivery.ts';
import type { Delivery, ExpectedPage } from '#watch/delivery-watch/delivery.ts';
import { isMerchantDay } from '#records/storage/keys.ts';
import { adviceFor } from '#watch/delivery-watch/watch-notice.ts';
import type { CommandContext } from '../context.ts';
import { firstNamed } from '../terminal/shown-text.ts';
import type { Style, Cell } from '../terminal/table.ts';

/**
 * What became of a page, in one word. `without mail`: there was nothing to send. `waiting`: its deadline has not passed, and a
 * run may still bring it.
 */
type PageState =
  | 'delivered'
  | 'mailed'
  | 'without mail'
  | 'unbalanced'
  | 'provisional'
  | 'bounced'
  | 'held'
  | 'missing'
  | 'waiting';

/** What is not there: days of a merchant, or merchants of a group. */
export interface Lacking {
  missing: readonly string[];
  unbalanced: readonly string[];
}

export interface PageStatus {
  page: ExpectedPage;
  delivery: Delivery;
  /** Of a merchant's day: when it was last pulled, with success or not (ISO 8601, UTC). */
  pulledAt: string | null;
  isReadable: boolean;
  lacking: Lacking;
  /** Until when such a page waits for what is not sealed. Milliseconds UTC, `null` for a merchant's day. */
  deadline: number | null;
}

/** What became of a page, from what the watch says of it. */
export function stateOf({ missing, mail, isGood, isDue }: Delivery): PageState {
  switch (missing) {
    case null:
      if (!isGood) return 'provisional';
      if (mail === 'delivered') return 'delivered';
      return mail === 'accepted' ? 'mailed' : 'without mail';
    case 'mail held':
      return 'held';
    case 'unbalanced':
      return 'unbalanced';
    case 'bounced':
    case 'complained':
      return 'bounced';
    default:
      return !isDue && badnessOf(missing) === 2 ? 'waiting' : 'missing';
  }
}

const NEEDS_LOOK: ReadonlySet<PageState> = new Set([
  'unbalanced',
  'provisional',
  'bounced',
  'held',
  'missing',
]);

/** Whether a person has to look at it. */
export function needsLook({ delivery }: Pick<PageStatus, 'delivery'>): boolean {
  return NEEDS_LOOK.has(stateOf(delivery));
}

/** A merchant's day as the result has it. An entry without a usable code has its path, such as `merchants[3]`. */
export function reportMembers({ page, delivery, isReadable, pulledAt }: PageStatus) {
  const { revision, missing, mail, isGood, isDue } = delivery;
  const isSealed = mail !== null;
  return {
    merchantCode: page.owner.merchantCode ?? '',
    name: page.name,
    day: page.period,
    state: stateOf(delivery),
    reason: missing,
    isDue,
    revision: revision ?? null,
    // Whether the whole day is sealed, not only a part of it.
    sealed: isReadable ? isSealed : null,
    balanced: isSealed ? isGood : null,
    mail,
    pulledAt,
  };
}

/** A statement or a group's page as the result has it. */
export function statementMembers({ page, delivery, lacking, deadline }: PageStatus) {
  const { owner, name, period } = page;
  const { revision, missing: reason, mail, isGood } = delivery;
  return {
    merchantCode: owner.merchantCode ?? null,
    group: owner.group ?? null,
    name,
    kind: periodKind(period),
    period,
    state: stateOf(delivery),
    revision: revision ?? null,
    final: revision === undefined ? null : isGood,
    mail,
    reason,
    ...lacking,
    deadline: deadline === null ? null : new Date(deadline).toISOString(),
  };
}

/** How many reports are in which state. An unbalanced report that was mailed counts in both. */
interface StatusCounts {
  expected: number;
  sealed: number;
  balanced: number;
  /** The mail service took it, or it was delivered. */
  mailed: number;
  delivered: number;
  withoutMail: number;
  unbalanced: number;
  bounced: number;
  held: number;
  missing: number;
  waiting: number;
}

/** Counts the reports. */
export function countStatuses(reports: readonly Pick<PageStatus, 'delivery'>[]): StatusCounts {
  const number = (isMeant: (one: Delivery) => boolean) =>
    reports.filter(({ delivery }) => isMeant(delivery)).length;
  const inState = (state: PageState) => number((one) => stateOf(one) === state);
  return {
    expected: reports.length,
    sealed: number(({ mail }) => mail !== null),
    balanced: number(({ mail, isGood }) => mail !== null && isGood),
    mailed: number(({ mail }) => mail === 'accepted' || mail === 'delivered'),
    delivered: number(({ mail }) => mail === 'delivered'),
    withoutMail: number(({ mail }) => mail === 'none'),
    unbalanced: number(({ mail, isGood }) => mail !== null && !isGood),
    bounced: inState('bounced'),
    held: inState('held'),
    missing: inState('missing'),
    waiting: inState('waiting'),
  };
}

/** How often each reason for a look occurs, the most frequent first. */
export function countReasons(
  pages: readonly Pick<PageStatus, 'delivery'>[],
): { reason: string; count: number }[] {
  const reasons = Map.groupBy(pages.filter(needsLook), ({ delivery }) => troubleOf(delivery) ?? '');
  return [...reasons]
    .map(([reason, of]) => ({ reason, count: of.length }))
    .sort((one, other) => other.count - one.count || (one.reason < other.reason ? -1 : 1));
}

const MOST_LISTED = 100;
/** As many statements are all listed, also those that need no look. */
const FEW = 20;
const MOST_REASONS = 5;
const MOST_NAMED = 4;

const STYLES: Record<PageState, Style> = {
  delivered: 'green',
  mailed: 'green',
  'without mail': 'green',
  waiting: 'dim',
  unbalanced: 'yellow',
  provisional: 'yellow',
  bounced: 'red',
  held: 'red',
  missing: 'red',
};

function reasonWords({ page, delivery, lacking: { missing, unbalanced } }: PageStatus): string {
  const wrong = page.owner.group === undefined ? 'not balanced' : 'not final';
  const words = [
    ...(delivery.missing === null ? [] : [delivery.missing]),
    ...(missing.length === 0 ? [] : [`not there: ${firstNamed(missing, MOST_NAMED)}`]),
    ...(unbalanced.length === 0 ? [] : [`${wrong}: ${firstNamed(unbalanced, MOST_NAMED)}`]),
  ];
  return words.join('; ') || '-';
}

function rowOf(status: PageStatus): Cell[] {
  const { page, delivery } = status;
  const { owner, name, period } = page;
  const { revision, mail, isGood } = delivery;
  const state = stateOf(delivery);
  const isSealed = mail !== null && revision !== undefined;
  const [good, bad] = isMerchantDay(page) ? ['yes', 'no'] : ['final', 'provisional'];
  return [
    owner.merchantCode ?? `group ${owner.group}`,
    name ?? '-',
    period,
    { text: state, style: STYLES[state] },
    isSealed ? { text: `r${revision}` } : '-',
    isSealed ? (isGood ? good : bad) : '-',
    mail ?? '-',
    reasonWords(status),
  ];
}

interface Section {
  title: string;
  counts: readonly (readonly [words: string, count: number])[];
  heading: readonly string[];
  pages: readonly PageStatus[];
  /** As many are all listed, also those that need no look. */
  few: number;
}

function showSection(
  { output, lines }: Pick<CommandContext, 'lines' | 'output'>,
  { title, counts, heading, pages, few }: Section,
  isAll: boolean,
): void {
  output.line(output.style('bold', title));
  for (const [words, count] of counts) {
    output.line(`  ${words.padEnd(22)} ${count.toLocaleString('en').padStart(7)}`);
  }
  const listed = isAll || pages.length <= few ? pages : pages.filter(needsLook);
  output.line();
  if (listed.length === 0) {
    output.line('None of them needs a look.');
    return;
  }
  const rows = isAll ? listed : listed.slice(0, MOST_LISTED);
  output.table(heading, rows.map(rowOf));
  const more = listed.length - rows.length;
  if (more > 0) output.line(`and ${more.toLocaleString('en')} more: --all lists all of them`);
  const reasons = countReasons(pages);
  if (reasons.length > 0) output.line();
  for (const { reason, count } of reasons.slice(0, MOST_REASONS)) {
    const { means, toDo } = adviceFor(reason);
    output.line(`${output.style('bold', reason)} (${count.toLocaleString('en')}): ${means}`);
    output.line(`  ${toDo}`);
  }
  const first = pages.find(needsLook);
  if (first === undefined) return;
  const { owner, period } = first.page;
  const whose = owner.group === undefined ? [owner.merchantCode] : ['--group', owner.group];
  output.line();
  output.line(`More about one of them: ${lines.daybook('why', ...whose, period)}`);
}

const COUNTS: readonly (readonly [name: keyof StatusCounts, words: string, isAlwaysShown?: true])[] = [
  ['expected', 'expected', true],
  ['sealed', 'sealed', true],
  ['balanced', 'balanced', true],
  ['mailed', 'mailed', true],
  ['delivered', 'of these delivered'],
  ['withoutMail', 'without a mail to send'],
  ['unbalanced', 'not balanced'],
  ['bounced', 'bounced'],
  ['held', 'held'],
  ['missing', 'missing', true],
  ['waiting', 'not due yet'],
];

/** Prints what became of the reports of a stage, and of its newest statements if it has any. */
export function showStatus(
  context: Pick<CommandContext, 'lines' | 'output'>,
  { stage, days }: { stage: string; days: readonly string[] },
  { reports, statements }: Record<'reports' | 'statements', readonly PageStatus[]>,
  isAll: boolean,
): void {
  const counts = countStatuses(reports);
  const ofReports: Section = {
    title: `Reports of ${days.join(', ')} on ${stage}`,
    counts: COUNTS.flatMap(([name, words, isAlwaysShown]) =>
      counts[name] > 0 || isAlwaysShown === true ? [[words, counts[name]] as const] : [],
    ),
    heading: ['Merchant', 'Name', 'Day', 'State', 'Sealed', 'Balanced', 'Mail', 'Reason'],
    pages: reports,
    few: 0,
  };
  showSection(context, ofReports, isAll);
  if (statements.length === 0) return;
  const number = (isMeant: (one: PageStatus) => boolean) => statements.filter(isMeant).length;
  const isSealed = ({ delivery }: PageStatus) => delivery.revision !== undefined;
  const ofStatements: Section = {
    title: 'Newest statements and pages of groups',
    counts: [
      ['due', statements.length],
      ['sealed', number(isSealed)],
      ['final', number((one) => isSealed(one) && one.delivery.isGood)],
      ['waiting', number(({ delivery }) => stateOf(delivery) === 'waiting')],
      ['need a look', number(needsLook)],
    ],
    heading: ['Whose', 'Name', 'Period', 'State', 'Sealed', 'Final', 'Mail', 'What is missing'],
    pages: statements,
    few: FEW,
  };
  context.output.line();
  showSection(context, ofStatements, isAll);
}
