import { periodKind } from '#records/period/period.ts';
import { badnessOf, troubleOf } from '#watch/delivery-watch/delivery.ts';
import type { Delivery, ExpectedPage } from '#watch/delivery-watch/delivery.ts';
import { isMerchantDay } from '#records/storage/keys.ts';
import { adviceFor } from '#watch/delivery-watch/watch-notice.ts';
import type { PullFailure } from '#records/revision/check-record.ts';
import type { CommandContext } from '../context.ts';
import { answerOf, triesOf } from '../stage/failed-pull.ts';
import type { NextTry } from '../stage/failed-pull.ts';
import { queueLines } from '../stage/stage-queues.ts';
import type { QueueCounts } from '../stage/stage-queues.ts';
import { counted, firstNamed, utcMinute } from '../terminal/shown-text.ts';
import type { Style, Cell } from '../terminal/table.ts';

/**
 * What became of a page, in few words. `without mail`: there was nothing to send. `waiting`: its deadline has not passed, and a
 * run may still bring it. A person has to look at what is yellow or red.
 */
const STYLES = {
  delivered: 'green',
  mailed: 'green',
  'without mail': 'green',
  'stopped by readers': 'green',
  waiting: 'dim',
  unbalanced: 'yellow',
  provisional: 'yellow',
  bounced: 'red',
  held: 'red',
  missing: 'red',
} as const satisfies Record<string, Style>;
type PageState = keyof typeof STYLES;

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
  failure: PullFailure | undefined;
  /** When it is pulled again by itself, if the last pull failed. */
  nextTry: NextTry | null;
  /** How many of the present recipients have the mail, after all its rounds. */
  having: number;
  isReadable: boolean;
  lacking: Lacking;
  /** Whether it is a closed statement. */
  isClosed?: boolean;
  /** Until when such a page waits for what is not sealed. Milliseconds UTC, `null` for a merchant's day. */
  deadline: number | null;
}

/** What became of a page, from what the watch says of it. */
export function stateOf({ missing, mail, isGood, isDue }: Delivery): PageState {
  switch (missing) {
    case null:
      if (!isGood) return 'provisional';
      if (mail === 'delivered') return 'delivered';
      if (mail === 'stopped by readers') return mail;
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

/** Whether a person has to look at it. */
export function needsLook({ delivery }: Pick<PageStatus, 'delivery'>): boolean {
  const style = STYLES[stateOf(delivery)];
  return style === 'yellow' || style === 'red';
}

/** Whether nothing more is to be known of a page. */
export function hasArrived({ delivery }: PageStatus): boolean {
  const state = stateOf(delivery);
  return state === 'delivered' || state === 'without mail' || state === 'stopped by readers';
}

/** How far a morning is, in a line. `undefined`: no report may still come by itself. */
export function followedInWords(
  reports: readonly PageStatus[],
  queues: readonly QueueCounts[],
): string | undefined {
  const isQueued = queues.some(({ name, waiting }) => name === 'reports' && waiting > 0);
  const toCome = reports.filter((one) => {
    if (hasArrived(one)) return false;
    const { missing } = one.delivery;
    const isTried = isQueued && missing !== null && badnessOf(missing) === 2;
    return isTried || stateOf(one.delivery) === 'waiting' || one.nextTry !== null;
  }).length;
  if (toCome === 0) return undefined;
  const { expected, mailed, withoutMail, stoppedByReaders } = countStatuses(reports);
  const reasons = countReasons(reports).map(({ reason, count }) => `${reason}: ${count}`);
  const come = `${mailed + withoutMail + stoppedByReaders} of ${counted(expected, 'report')} done, ${toCome} may still come`;
  return [come, ...reasons.slice(0, MOST_REASONS), ...queueLines(queues)].join('; ');
}

/** A merchant's day as the result has it. An entry without a usable code has its path, such as `merchants[3]`. */
export function reportMembers(status: PageStatus) {
  const { page, delivery, isReadable, pulledAt, failure, nextTry, having } = status;
  const { revision, missing, mail, isGood, isDue } = delivery;
  const isSealed = mail !== null;
  return {
    merchantCode: page.owner.merchantCode ?? '',
    name: page.name,
    removed: page.entry === 'gone',
    day: page.period,
    state: stateOf(delivery),
    reason: missing,
    isDue,
    revision: revision ?? null,
    // Whether the whole day is sealed, not only a part of it.
    sealed: isReadable ? isSealed : null,
    balanced: isSealed ? isGood : null,
    mail,
    recipients: { expected: page.recipients.length, having },
    pulledAt,
    failure: failure ?? null,
    nextTry,
  };
}

/** A statement or a group's page as the result has it. */
export function statementMembers({ page, delivery, lacking, deadline, isClosed = false }: PageStatus) {
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
    closed: isClosed,
    mail,
    reason,
    ...lacking,
    deadline: deadline === null ? null : new Date(deadline).toISOString(),
  };
}

function isNotToAll({ page, delivery, having }: Pick<PageStatus, 'delivery' | 'having' | 'page'>): boolean {
  const { mail } = delivery;
  return (mail === 'accepted' || mail === 'delivered') && having < page.recipients.length;
}

/** How many reports are in which state. An unbalanced report that was mailed counts in both. */
export function countStatuses(reports: readonly Pick<PageStatus, 'delivery' | 'having' | 'page'>[]) {
  const number = (isMeant: (one: Delivery) => boolean) =>
    reports.filter(({ delivery }) => isMeant(delivery)).length;
  const inState = (state: PageState) => number((one) => stateOf(one) === state);
  return {
    expected: reports.length,
    sealed: number(({ mail }) => mail !== null),
    balanced: number(({ mail, isGood }) => mail !== null && isGood),
    /** The mail service took it, or it was delivered. */
    mailed: number(({ mail }) => mail === 'accepted' || mail === 'delivered'),
    delivered: number(({ mail }) => mail === 'delivered'),
    /** Mailed, and a present recipient does not have it. */
    notToAll: reports.filter(isNotToAll).length,
    withoutMail: number(({ mail }) => mail === 'none'),
    stoppedByReaders: number(({ mail }) => mail === 'stopped by readers'),
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

function reasonWords({ page, delivery, lacking, failure, nextTry }: PageStatus): string {
  const words = [delivery.missing ?? ''];
  if (failure !== undefined && delivery.mail === null) {
    const next = nextTry === null ? '' : `again by ${utcMinute(nextTry.until)} UTC`;
    words.push(answerOf(failure), triesOf(failure), next);
  }
  const name = (what: string, names: readonly string[]) => {
    if (names.length > 0) words.push(`${what}: ${firstNamed(names, MOST_NAMED)}`);
  };
  name('not there', lacking.missing);
  name(page.owner.group === undefined ? 'not balanced' : 'not final', lacking.unbalanced);
  return words.filter((one) => one !== '').join('; ') || '-';
}

function rowOf(status: PageStatus): Cell[] {
  const { page, delivery, having } = status;
  const { owner, name, period } = page;
  const { revision, mail, isGood } = delivery;
  const state = stateOf(delivery);
  const isSealed = mail !== null && revision !== undefined;
  const [good, bad] = isMerchantDay(page)
    ? ['yes', 'no']
    : [status.isClosed ? 'closed' : 'final', 'provisional'];
  return [
    owner.merchantCode ?? `group ${owner.group}`,
    name ?? '-',
    period,
    { text: state, style: STYLES[state] },
    isSealed ? { text: `r${revision}` } : '-',
    isSealed ? (isGood ? good : bad) : '-',
    isNotToAll(status) ? `${mail}, ${having} of ${page.recipients.length}` : (mail ?? '-'),
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
  // What needs a look, and what fails so far.
  const isListed = (one: PageStatus) =>
    needsLook(one) || (one.failure !== undefined && one.delivery.mail === null);
  const listed = isAll || pages.length <= few ? pages : pages.filter(isListed);
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

/** Counts that are shown also when they are 0. */
const ALWAYS = new Set(['expected', 'sealed', 'balanced', 'mailed', 'missing']);

/** Prints what became of the reports of a stage, of its newest statements if it has any, and what the queues have. */
export function showStatus(
  context: Pick<CommandContext, 'lines' | 'output'>,
  { stage, days, queues }: { stage: string; days: readonly string[]; queues: readonly QueueCounts[] },
  { reports, statements }: Record<'reports' | 'statements', readonly PageStatus[]>,
  isAll: boolean,
): void {
  const counts = countStatuses(reports);
  const inWords: Section['counts'] = [
    ['expected', counts.expected],
    ['sealed', counts.sealed],
    ['balanced', counts.balanced],
    ['mailed', counts.mailed],
    ['of these delivered', counts.delivered],
    ['of these not to all', counts.notToAll],
    ['without a mail to send', counts.withoutMail],
    ['stopped by readers', counts.stoppedByReaders],
    ['not balanced', counts.unbalanced],
    ['bounced', counts.bounced],
    ['held', counts.held],
    ['missing', counts.missing],
    ['may still come', counts.waiting],
  ];
  const ofReports: Section = {
    title: `Reports of ${days.join(', ')} on ${stage}`,
    counts: inWords.filter(([words, count]) => count > 0 || ALWAYS.has(words)),
    heading: ['Merchant', 'Name', 'Day', 'State', 'Sealed', 'Balanced', 'Mail', 'Reason'],
    pages: reports,
    few: 0,
  };
  const { output, lines } = context;
  showSection(context, ofReports, isAll);
  const removed = reports.flatMap(({ page: { entry, owner } }) =>
    entry === 'gone' && owner.merchantCode !== undefined ? [owner.merchantCode] : [],
  );
  if (removed.length > 0)
    output.line(
      `Removed from the registry, with a page of the last 14 days: ${firstNamed(removed, MOST_NAMED)}`,
    );
  if (statements.length > 0) {
    const sealed = statements.filter(({ delivery }) => delivery.revision !== undefined);
    const waiting = statements.filter(({ delivery }) => stateOf(delivery) === 'waiting');
    const ofStatements: Section = {
      title: 'Newest statements and pages of groups',
      counts: [
        ['due', statements.length],
        ['sealed', sealed.length],
        ['final', sealed.filter(({ delivery }) => delivery.isGood).length],
        ['waiting', waiting.length],
        ['need a look', statements.filter(needsLook).length],
      ],
      heading: ['Whose', 'Name', 'Period', 'State', 'Sealed', 'Final', 'Mail', 'What is missing'],
      pages: statements,
      few: FEW,
    };
    output.line();
    showSection(context, ofStatements, isAll);
  }
  const inQueues = queueLines(queues);
  if (inQueues.length > 0) output.line();
  for (const text of inQueues) output.line(text);
  const isAside = queues.some(({ putAside }) => putAside > 0);
  if (isAside) output.line(`What was put aside is not done again by itself: ${lines.daybook('redrive')}`);
}
