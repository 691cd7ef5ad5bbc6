import type { Output } from '../terminal/output.ts';
import { shown } from '../terminal/shown-text.ts';
import type { Style } from '../terminal/style.ts';
import type { CheckResult } from './run-checks.ts';
import type { Finding, Verdict } from './finding.ts';

/** What somebody has to correct comes first. */
const GROUPS: readonly { verdict: Verdict; title: string; counted: string; style: Style }[] = [
  { verdict: 'wrong', title: 'Wrong', counted: 'wrong', style: 'red' },
  { verdict: 'warning', title: 'Warnings', counted: 'warning', style: 'yellow' },
  { verdict: 'unknown', title: 'Not checked', counted: 'not checked', style: 'cyan' },
  { verdict: 'fine', title: 'Fine', counted: 'fine', style: 'green' },
];

/** The most UTF-16 units of a finding, and of what to do. */
const LONGEST = 1_000;

interface Row extends Finding {
  check: string;
  lookedAt: string;
}

/** Prints the findings by verdict, each with what to do, and their counts. */
export function showResults(
  output: Output,
  results: readonly CheckResult[],
  counts: Record<Verdict, number>,
): void {
  for (const { verdict, title, style } of GROUPS) {
    const rows = results.flatMap(({ check, lookedAt, findings }) =>
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
      .map(({ verdict, counted, style }) => output.style(style, countText(counts[verdict], counted)))
      .join(', '),
  );
}

/** Only `warning` has a plural: the others are adjectives. */
function countText(count: number, counted: string): string {
  return `${count} ${counted === 'warning' && count !== 1 ? 'warnings' : counted}`;
}

function showTable(output: Output, title: string, rows: readonly Row[]): void {
  output.table(
    [title, 'Checked', 'Found'],
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
