import { isMerchantDay } from '#records/storage/keys.ts';
import { adviceFor } from '#watch/delivery-watch/watch-notice.ts';
import type { CommandContext } from '../context.ts';
import { firstNamed } from '../terminal/words.ts';
import type { Style, Cell } from '../terminal/table.ts';
import { countReasons, countStatuses, needsLook, stateOf } from './page-status.ts';
import type { PageState, PageStatus, StatusCounts } from './page-status.ts';

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

/** Why it needs a look, what it waits for, and what it lacks, in words. */
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
