import { mailSentence } from '../report/asked-mail.ts';
import { revisionWords, showFigures } from '../report/show-report.ts';
import { counted, firstNamed } from '../terminal/words.ts';
import type { StatementAnswer } from '../stage/function-answers.ts';
import type { Lines } from '../stage/lines.ts';
import type { Output } from '../terminal/output.ts';
import { shown } from '../terminal/shown-text.ts';

/** Whose statement it is. */
export interface NamedOwner {
  /** The merchant's code and name, or the group's name. Safe to print. */
  title: string;
  /** Of a merchant, where the answer does not say it. A group's page has its currencies itself. */
  currency: string;
}

interface ShownStatement {
  owner: NamedOwner;
  answer: StatementAnswer;
  isDryRun: boolean;
  lines: Lines;
}

const LONGEST_LINE = 500;
const MOST_NAMED = 31;

function showWhetherFinal(output: Output, { answer, lines }: ShownStatement): void {
  const what = 'group' in answer ? 'merchant' : 'day';
  if (answer.final) {
    output.line(output.style('green', `Final: every ${what} is there, and all balance.`));
    return;
  }
  output.line(output.style('yellow', 'Provisional.'));
  const { missing, unbalanced } = answer;
  if (missing.length > 0) output.line(shown(`  Missing: ${firstNamed(missing, MOST_NAMED)}`, LONGEST_LINE));
  if (unbalanced.length > 0)
    output.line(shown(`  Not balanced: ${firstNamed(unbalanced, MOST_NAMED)}`, LONGEST_LINE));
  if (missing.length + unbalanced.length === 0 && 'group' in answer) {
    const why = lines.daybook('why', '--group', answer.group, answer.period);
    output.line(`  The statement of one of its merchants is provisional: "${why}" names it.`);
  }
}

function showSums(output: Output, { owner, answer }: ShownStatement): void {
  if (!('group' in answer) && answer.byCurrency === undefined) {
    showFigures(output, answer, answer.currency ?? owner.currency);
    return;
  }
  output.line(
    'group' in answer
      ? `${counted(answer.merchants.length, 'merchant')} with a page`
      : 'Its days are in different currencies. Their amounts are not added up.',
  );
  for (const [currency, figures] of Object.entries(answer.byCurrency ?? {})) {
    output.line();
    showFigures(output, figures, shown(currency, 10));
  }
}

/** Prints a statement: its figures as the mail has them, whether it is final, and what became of the mail. */
export function showStatement(output: Output, statement: ShownStatement): void {
  const { owner, answer, isDryRun } = statement;
  const { period, from, to } = answer;
  const days = from === to ? from : `${period} (${from} to ${to})`;
  output.line(output.style('bold', `${owner.title}, ${days}, ${revisionWords(answer, isDryRun)}`));
  output.line();
  showSums(output, statement);
  output.line();
  showWhetherFinal(output, statement);
  const more = `Its ledger says more: ${answer.statementKey?.replace(/^statements/, 'mail') ?? 'see the bucket'}`;
  const { style, text } = mailSentence(answer.mail, more, isDryRun);
  output.line(output.style(style, shown(text, LONGEST_LINE)));
}
