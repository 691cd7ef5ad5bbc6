import { adviceFor } from '#functions/delivery-watch/advice.ts';
import type { CommandContext } from '../context.ts';
import type { Style } from '../terminal/style.ts';
import type { Cell } from '../terminal/table.ts';
import { needsLook } from './merchant-status.ts';
import type { MerchantStatus, ReportState, StatusCounts } from './merchant-status.ts';

/** The result of `daybook status`. */
export interface StatusResult {
  stage: string;
  days: readonly string[];
  counts: StatusCounts;
  reasons: readonly { reason: string; count: number }[];
  merchants: readonly MerchantStatus[];
}

/** The most merchants that are listed without `--all`. */
const MOST_LISTED = 100;
/** The most reasons that are explained. */
const MOST_REASONS = 5;

const STYLES: Record<ReportState, Style> = {
  delivered: 'green',
  mailed: 'green',
  'without mail': 'green',
  waiting: 'dim',
  unbalanced: 'yellow',
  bounced: 'red',
  held: 'red',
  missing: 'red',
};

const COUNTS: readonly (readonly [keyof StatusCounts, string])[] = [
  ['expected', 'expected'],
  ['sealed', 'sealed'],
  ['balanced', 'balanced'],
  ['mailed', 'mailed'],
  ['delivered', 'of these delivered'],
  ['withoutMail', 'without a mail to send'],
  ['unbalanced', 'not balanced'],
  ['bounced', 'bounced'],
  ['held', 'held'],
  ['missing', 'missing'],
  ['waiting', 'not due yet'],
];
/** Always shown, also when they are zero. */
const ALWAYS: ReadonlySet<keyof StatusCounts> = new Set([
  'expected',
  'sealed',
  'balanced',
  'mailed',
  'missing',
]);

function yesNo(value: boolean | null): string {
  if (value === null) return '-';
  return value ? 'yes' : 'no';
}

function rowOf(merchant: MerchantStatus): Cell[] {
  const { merchantCode, name, day, state, sealed, revision, balanced, mail, reason } = merchant;
  return [
    merchantCode,
    name ?? '-',
    day,
    { text: state, style: STYLES[state] },
    sealed === true && revision !== null ? { text: `r${revision}` } : '-',
    yesNo(balanced),
    mail ?? '-',
    reason ?? '-',
  ];
}

/** Prints the counts, then the merchants that need a look, or all of them. */
export function showStatus(
  { output, lines }: Pick<CommandContext, 'lines' | 'output'>,
  result: StatusResult,
  isAll: boolean,
): void {
  const { stage, days, counts, reasons, merchants } = result;
  output.line(output.style('bold', `Reports of ${days.join(', ')} on ${stage}`));
  for (const [name, words] of COUNTS) {
    if (counts[name] === 0 && !ALWAYS.has(name)) continue;
    output.line(`  ${words.padEnd(22)} ${counts[name].toLocaleString('en').padStart(7)}`);
  }
  const listed = isAll ? merchants : merchants.filter(needsLook);
  if (listed.length === 0) {
    output.line();
    output.line('Nothing needs a look.');
    return;
  }
  const rows = isAll ? listed : listed.slice(0, MOST_LISTED);
  output.line();
  output.table(['Merchant', 'Name', 'Day', 'State', 'Sealed', 'Balanced', 'Mail', 'Reason'], rows.map(rowOf));
  const more = listed.length - rows.length;
  if (more > 0) output.line(`and ${more.toLocaleString('en')} more: --all lists every merchant`);
  if (reasons.length > 0) output.line();
  for (const { reason, count } of reasons.slice(0, MOST_REASONS)) {
    const { means, toDo } = adviceFor(reason);
    output.line(`${output.style('bold', reason)} (${count.toLocaleString('en')}): ${means}`);
    output.line(`  ${toDo}`);
  }
  const first = merchants.find(needsLook);
  if (first === undefined) return;
  output.line();
  output.line(`More about one of them: ${lines.daybook('why', first.merchantCode, first.day)}`);
}
