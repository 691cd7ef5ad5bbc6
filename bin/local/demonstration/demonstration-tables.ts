import { printTable } from '../../daybook/terminal/table.ts';
import type { Cell } from '../../daybook/terminal/table.ts';
import { grouped } from '../terminal/summary.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { CheckRow, Demonstration } from './demonstration.ts';
import type { Watch } from './missing-report.ts';
import type { ShownPages, ShownStatement } from './statements.ts';
import { RULE } from './watched-merchant.ts';

const NONE = '–';
/** After a large run, a small run has many missing reports. */
const MOST_MISSING = 10;

function checkLines({ style }: Terminal, checks: readonly CheckRow[]): string[] {
  return printTable(
    ['Rule', 'Check', 'Value', 'State', 'Mail'],
    checks.map(({ at, value, state, mail, mailStatus }) => [
      RULE.name,
      at,
      { text: value ?? NONE, side: 'right' },
      state,
      mail === undefined ? NONE : `${mail.says}, ${String(mailStatus)}`,
    ]),
    style,
  );
}

interface WatchRow {
  watch?: Watch;
  merchantCode: string;
  reason: string;
}

function watchLines({ style }: Terminal, watch: Watch): string[] {
  const { missing } = watch;
  const rows: WatchRow[] = missing.slice(0, MOST_MISSING);
  const [first = { merchantCode: NONE, reason: NONE }, ...others] = rows;
  const left = missing.length - rows.length;
  const more = left > 0 ? [{ merchantCode: '…', reason: `and ${left} more` }] : [];
  const all: WatchRow[] = [{ ...first, watch }, ...others, ...more];
  return printTable(
    ['Watch', 'Expected', 'Delivered', 'Missing', 'Reason'],
    all.map((row) => [
      row.watch?.at ?? '',
      { text: row.watch?.expected ?? '', side: 'right' },
      { text: row.watch?.delivered ?? '', side: 'right' },
      row.merchantCode,
      row.reason,
    ]),
    style,
  );
}

function right(text: string): Cell {
  return { text, side: 'right' };
}

/** The revision with its standing, such as `2 final`. */
function revisionWords({ revision, final }: Pick<ShownStatement, 'revision' | 'final'>): string {
  return `${revision} ${final ? 'final' : 'provisional'}`;
}

function mailWords({ unchanged, mail }: Pick<ShownStatement, 'unchanged' | 'mail'>, sent: string): string {
  if (mail.status === 'sent') return sent;
  return unchanged ? 'unchanged' : mail.status;
}

function pageLines({ style }: Terminal, { statements, group }: ShownPages): string[] {
  const received = ({ amounts }: Pick<ShownStatement, 'amounts'>) => right(grouped(amounts?.paid ?? NONE));
  const ofGroup =
    group === undefined
      ? []
      : Object.values(group.byCurrency).map((sum): Cell[] => [
          group.group,
          group.period,
          revisionWords(group),
          right(group.missing.length.toString()),
          received(sum),
          mailWords(group, 'group page'),
        ]);
  return printTable(
    ['Statement', 'Period', 'Revision', 'Missing', 'Received KWD', 'Mail'],
    [
      ...statements.map((one): Cell[] => [
        one.merchantCode,
        one.period,
        revisionWords(one),
        right(one.missing.length.toString()),
        received(one),
        mailWords(one, one.mailKind ?? 'statement'),
      ]),
      ...ofGroup,
    ],
    style,
  );
}

/** Prints the rule's checks, what the watch found and the statements, each as a table. */
export function printDemonstration(terminal: Terminal, { checks, watch, pages }: Demonstration): void {
  const hasPages = pages.statements.length > 0 || pages.group !== undefined;
  for (const lines of [
    checkLines(terminal, checks),
    watchLines(terminal, watch),
    ...(hasPages ? [pageLines(terminal, pages)] : []),
  ]) {
    terminal.line();
    for (const line of lines) terminal.line(line);
  }
}
