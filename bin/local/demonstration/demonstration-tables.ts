import { tableLines } from '../terminal/table.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { CheckRow, Demonstration } from './demonstration.ts';
import type { Watch } from './missing-report.ts';
import { RULE } from './watched-merchant.ts';

const NONE = '–';
/** After a large run, a small run has many missing reports. */
const MOST_MISSING = 10;

function checkLines(checks: readonly CheckRow[]): string[] {
  return tableLines<CheckRow>(
    [
      { title: 'Rule', side: 'left', cell: () => RULE.name },
      { title: 'Check', side: 'left', cell: ({ at }) => at },
      { title: 'Value', side: 'right', cell: ({ value }) => value ?? NONE },
      { title: 'State', side: 'left', cell: ({ state }) => state },
      {
        title: 'Mail',
        side: 'left',
        cell: ({ mail, mailStatus }) => (mail === undefined ? NONE : `${mail.says}, ${String(mailStatus)}`),
      },
    ],
    checks,
  );
}

interface WatchRow {
  watch?: Watch;
  merchantCode: string;
  reason: string;
}

function watchLines(watch: Watch): string[] {
  const { missing } = watch;
  const rows: WatchRow[] = missing.slice(0, MOST_MISSING);
  const [first = { merchantCode: NONE, reason: NONE }, ...others] = rows;
  const left = missing.length - rows.length;
  const more = left > 0 ? [{ merchantCode: '…', reason: `and ${left} more` }] : [];
  return tableLines<WatchRow>(
    [
      { title: 'Watch', side: 'left', cell: (row) => row.watch?.at ?? '' },
      { title: 'Expected', side: 'right', cell: (row) => row.watch?.expected.toString() ?? '' },
      { title: 'Delivered', side: 'right', cell: (row) => row.watch?.delivered.toString() ?? '' },
      { title: 'Missing', side: 'left', cell: ({ merchantCode }) => merchantCode },
      { title: 'Reason', side: 'left', cell: ({ reason }) => reason },
    ],
    [{ ...first, watch }, ...others, ...more],
  );
}

/** Prints the rule's checks and what the watch found, each as a table. */
export function printDemonstration(terminal: Terminal, { checks, watch }: Demonstration): void {
  for (const [heading = '', ...lines] of [checkLines(checks), watchLines(watch)]) {
    terminal.line();
    terminal.line(terminal.style('bold', heading));
    for (const line of lines) terminal.line(line);
  }
}
