import type { CommandContext } from '../../context.ts';
import type { Style } from '../../terminal/style.ts';
import type { Cell } from '../../terminal/table.ts';
import { statementNeedsLook } from './statement-status.ts';
import type { StatementState, StatementStatus } from './statement-status.ts';

/** As many are all listed, also those that need no look. */
const FEW = 20;
/** The most that are listed without `--all`. */
const MOST_LISTED = 100;
/** The most days or merchants that a line names. */
const MOST_NAMED = 4;

const STYLES: Record<StatementState, Style> = {
  delivered: 'green',
  mailed: 'green',
  'without mail': 'green',
  waiting: 'dim',
  provisional: 'yellow',
  bounced: 'red',
  held: 'red',
  missing: 'red',
};

function named(values: readonly string[]): string {
  const more = values.length - MOST_NAMED;
  return `${values.slice(0, MOST_NAMED).join(', ')}${more > 0 ? ` and ${more.toLocaleString('en')} more` : ''}`;
}

/** What is missing and what is wrong, in words. */
function lackingWords({ group, missing, unbalanced, reason }: StatementStatus): string {
  const wrong = group === null ? 'not balanced' : 'not final';
  const words = [
    ...(reason === null ? [] : [reason]),
    ...(missing.length === 0 ? [] : [`not there: ${named(missing)}`]),
    ...(unbalanced.length === 0 ? [] : [`${wrong}: ${named(unbalanced)}`]),
  ];
  return words.join('; ') || '-';
}

function rowOf(statement: StatementStatus): Cell[] {
  const { merchantCode, group, name, period, state, revision, final, mail } = statement;
  return [
    merchantCode ?? `group ${group ?? ''}`,
    name ?? '-',
    period,
    { text: state, style: STYLES[state] },
    revision === null ? '-' : { text: `r${revision}` },
    final === null ? '-' : final ? 'final' : 'provisional',
    mail ?? '-',
    lackingWords(statement),
  ];
}

/** Prints the newest statements: all of a few, else those that need a look. Nothing when nobody gets any. */
export function showStatements(
  { output, lines }: Pick<CommandContext, 'lines' | 'output'>,
  statements: readonly StatementStatus[],
  isAll: boolean,
): void {
  if (statements.length === 0) return;
  const wrong = statements.filter(statementNeedsLook);
  const waiting = statements.filter(({ state }) => state === 'waiting').length;
  output.line();
  output.line(output.style('bold', 'Newest statements and pages of groups'));
  const counts = [
    ['due', statements.length],
    ['sealed', statements.filter(({ revision }) => revision !== null).length],
    ['final', statements.filter(({ final }) => final === true).length],
    ['waiting', waiting],
    ['need a look', wrong.length],
  ] as const;
  for (const [words, count] of counts) {
    output.line(`  ${words.padEnd(22)} ${count.toLocaleString('en').padStart(7)}`);
  }
  const listed = isAll || statements.length <= FEW ? statements : wrong;
  if (listed.length > 0) {
    output.line();
    const rows = isAll ? listed : listed.slice(0, MOST_LISTED);
    output.table(
      ['Whose', 'Name', 'Period', 'State', 'Sealed', 'Final', 'Mail', 'What is missing'],
      rows.map(rowOf),
    );
    const more = listed.length - rows.length;
    if (more > 0) output.line(`and ${more.toLocaleString('en')} more: --all lists every statement`);
  }
  const [first] = wrong;
  if (first === undefined) return;
  const { merchantCode, group, period } = first;
  const whose = merchantCode === null ? ['--group', group ?? ''] : [merchantCode];
  output.line();
  output.line(`More about one of them: ${lines.daybook('why', ...whose, period)}`);
}
