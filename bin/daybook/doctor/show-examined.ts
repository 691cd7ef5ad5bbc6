import type { Output } from '../terminal/output.ts';
import { shown } from '../terminal/shown-text.ts';
import type { Style } from '../terminal/style.ts';
import type { Examined } from './examine.ts';
import type { Finding, Verdict } from './finding.ts';

/** What comes first is what needs a hand. */
const GROUPS: readonly { verdict: Verdict; title: string; counted: string; style: Style }[] = [
  { verdict: 'wrong', title: 'Wrong', counted: 'wrong', style: 'red' },
  { verdict: 'warning', title: 'To look at', counted: 'to look at', style: 'yellow' },
  { verdict: 'unknown', title: 'Not looked at', counted: 'not looked at', style: 'cyan' },
  { verdict: 'fine', title: 'Fine', counted: 'fine', style: 'green' },
];

/** The most UTF-16 units of a finding, and of the line that mends it. */
const LONGEST = 1_000;

interface Row extends Finding {
  check: string;
  lookedAt: string;
}

/** Prints the findings by verdict, each with the line that mends it, and their counts. */
export function showExamined(
  output: Output,
  examined: readonly Examined[],
  counts: Record<Verdict, number>,
): void {
  for (const { verdict, title, style } of GROUPS) {
    const rows = examined.flatMap(({ check, lookedAt, findings }) =>
      findings
        .filter((finding) => finding.verdict === verdict)
        .map((finding) => ({ check, lookedAt, ...finding })),
    );
    if (rows.length === 0) continue;
    if (verdict === 'fine') showTable(output, title, rows);
    else showList(output, output.style(style, title), rows);
    output.line();
  }
  output.line(
    GROUPS.filter(({ verdict }) => counts[verdict] > 0)
      .map(({ verdict, counted, style }) => output.style(style, `${counts[verdict]} ${counted}`))
      .join(', '),
  );
}

function showTable(output: Output, title: string, rows: readonly Row[]): void {
  output.table(
    [title, 'Looked at', 'Found'],
    rows.map(({ check, lookedAt, found }) => [check, lookedAt, found]),
  );
}

/** What to do is often a long line. It stays one line, so that it can be copied. */
function showList(output: Output, title: string, rows: readonly Row[]): void {
  output.line(title);
  for (const { check, lookedAt, found, mend } of rows) {
    output.line(`  ${output.style('bold', check)}, ${shown(lookedAt)}: ${shown(found, LONGEST)}`);
    if (mend !== undefined) output.line(`    → ${shown(mend, LONGEST)}`);
  }
}
