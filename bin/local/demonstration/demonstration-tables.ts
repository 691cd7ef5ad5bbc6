import { printTable } from '../../daybook/terminal/table.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { CheckRow, Demonstration } from './demonstration.ts';
import type { Watch } from './missing-report.ts';
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

/** Prints the rule's checks and what the watch found, each as a table. */
export function printDemonstration(terminal: Terminal, { checks, watch }: Demonstration): void {
  for (const lines of [checkLines(terminal, checks), watchLines(terminal, watch)]) {
    terminal.line();
    for (const line of lines) terminal.line(line);
  }
}
