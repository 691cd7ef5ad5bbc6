import type { Difference } from '#records/figures/figures.ts';
import { FigureFormatter } from '#mail/formatters/figure-formatter.ts';
import { differenceSentences } from '#page/rendering/report/report-sections.ts';
import { textsIn } from '#mail/texts/texts.ts';
import type { Lines } from '../stage/lines.ts';
import type { Output } from '../terminal/output.ts';
import { shown } from '../terminal/shown-text.ts';
import { showFigures } from './show-figures.ts';
import { mailSentence } from './mail-sentence.ts';
import type { ReportAnswer } from './report-answer.ts';

/** A report, as it is shown. */
export interface ShownReport {
  /** Any text, which may be hostile. */
  name: string;
  currency: string;
  answer: ReportAnswer;
  isDryRun: boolean;
  lines: Lines;
}

/** The longest line of differences or mail. */
const LONGEST_LINE = 500;

function revisionWords({ answer: { revision, unchanged }, isDryRun }: ShownReport): string {
  if (revision === null) return isDryRun ? 'dry run' : 'nothing sealed';
  return unchanged ? `revision ${revision}, as it was sealed before` : `revision ${revision}`;
}

function showBalance(output: Output, { answer }: ShownReport, formatter: FigureFormatter): void {
  const list = (differences: readonly Difference[]) => {
    const { sentences, others } = differenceSentences(differences, formatter);
    for (const sentence of sentences) output.line(`  ${shown(sentence, LONGEST_LINE)}`);
    if (others > 0) output.line(`  ${others} more: see ${answer.manifestKey ?? 'the answer with --json'}`);
  };
  if (answer.balanced) {
    output.line(output.style('green', 'Balanced: the rows and the totals of the service agree.'));
  } else {
    output.line(output.style('yellow', 'Not balanced: the rows and the totals of the service do not agree.'));
    list(answer.differences);
  }
  if (answer.notCompared.length === 0) return;
  output.line('The registry leaves these out (balance.ignore):');
  list(answer.notCompared);
}

/** Prints a report: its figures as the mail has them, whether they agree, and what became of the mail. */
export function showReport(output: Output, report: ShownReport): void {
  const { name, currency, answer, isDryRun, lines } = report;
  const formatter = new FigureFormatter(textsIn('en'), answer.currency ?? currency, {
    list: 20,
    rows: 20,
    text: 100,
  });
  output.line(
    output.style(
      'bold',
      `${answer.merchantCode} ${shown(name, 60)}, ${answer.day}, ${revisionWords(report)}`,
    ),
  );
  output.line();
  showFigures(output, answer, formatter);
  output.line();
  showBalance(output, report, formatter);
  const more = `"${lines.daybook('why', answer.merchantCode, answer.day)}" says more`;
  const { style, text } = mailSentence(answer.mail, more, isDryRun);
  output.line(output.style(style, shown(text, LONGEST_LINE)));
}
