import type { Difference, InvoiceState } from '#records/figures/figure-schemas.ts';
import { INVOICE_STATES } from '#records/figures/figure-schemas.ts';
import { FigureFormatter } from '#mail/formatters/figure-formatter.ts';
import { textsIn } from '#mail/texts/texts.ts';
import { differenceSentences } from '#page/rendering/report/report-sections.ts';
import { merchantSettings } from '#registry/merchants.ts';
import type { CommandContext, ExitStatus } from '../context.ts';
import { registryInUse } from '../registry/stored-registry.ts';
import { reportAnswerSchema } from '../stage/function-answers.ts';
import type { ReportAnswer } from '../stage/function-answers.ts';
import { answerOf } from '../stage/invoke-function.ts';
import { assertKnownMerchant } from '../stage/known-names.ts';
import type { Output } from '../terminal/output.ts';
import { shown } from '../terminal/shown-text.ts';
import type { Cell } from '../terminal/table.ts';
import { mailMembers, mailSentence, mayMail } from './asked-mail.ts';
import type { MailOptions } from './asked-mail.ts';

const STATES: Record<InvoiceState, string> = {
  paid: 'Paid',
  notPaid: 'Unpaid',
  cancelled: 'Cancelled',
  other: 'Other',
};

function formatterOf(currency: string): FigureFormatter {
  return new FigureFormatter(textsIn('en'), currency, { list: 20, rows: 20, text: 100 });
}

export function showFigures(
  output: Output,
  { counts, amounts, refunds }: Pick<ReportAnswer, 'amounts' | 'counts' | 'refunds'>,
  currency: string,
): void {
  const formatter = formatterOf(currency);
  const row = (label: string, count: number | null, amount: string): Cell[] => [
    label,
    { text: formatter.count(count), side: 'right' },
    { text: amount, side: 'right' },
  ];
  const refundRow = (label: string, { count, total }: { count: number; total: string | null }) =>
    row(label, count, formatter.amount(total));
  const states = INVOICE_STATES.filter((state) => state !== 'other' || counts.other !== 0);
  output.table(
    ['', 'Count', 'Amount'],
    [
      row('Invoices', counts.total, ''),
      ...states.map((state) =>
        row(STATES[state], counts[state], amounts === null ? '' : formatter.amount(amounts[state])),
      ),
      refundRow('Refunds', refunds),
      ...Object.entries(refunds.byStatus).map(([status, of]) =>
        refundRow(`  ${formatter.refundStatus(status)}`, of),
      ),
    ],
  );
}

/** UTF-16 units. */
const LONGEST_LINE = 500;

/** Such as `revision 2, as it was sealed before`. */
export function revisionWords(
  { revision, unchanged }: Pick<ReportAnswer, 'revision' | 'unchanged'>,
  isDryRun: boolean,
): string {
  if (revision === null) return isDryRun ? 'dry run' : 'nothing sealed';
  return unchanged ? `revision ${revision}, as it was sealed before` : `revision ${revision}`;
}

function showBalance(output: Output, answer: ReportAnswer, formatter: FigureFormatter): void {
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

/**
 * Prints a report: its figures as the mail has them, whether they agree, and what became of the mail.
 *
 * @param merchant its name is any text, which may be hostile
 */
export function showReport(
  { output, lines }: Pick<CommandContext, 'lines' | 'output'>,
  merchant: { name: string; currency: string },
  answer: ReportAnswer,
  isDryRun: boolean,
): void {
  const { merchantCode, day, currency = merchant.currency } = answer;
  const title = `${merchantCode} ${shown(merchant.name, 60)}, ${day}, ${revisionWords(answer, isDryRun)}`;
  output.line(output.style('bold', title));
  output.line();
  showFigures(output, answer, currency);
  output.line();
  showBalance(output, answer, formatterOf(currency));
  const more = `"${lines.daybook('why', merchantCode, day)}" says more`;
  const { style, text } = mailSentence(answer.mail, more, isDryRun);
  output.line(output.style(style, shown(text, LONGEST_LINE)));
}

export async function report(
  context: CommandContext,
  merchantCode: string,
  { day, ...options }: MailOptions & { day: string },
): Promise<ExitStatus> {
  const { output } = context;
  const event = { merchantCode, day, ...mailMembers(options) };
  const stage = await context.stage();
  const registry = await registryInUse(output, stage);
  assertKnownMerchant(registry, merchantCode, stage.lines);
  const merchant = merchantSettings(registry, merchantCode);
  const what = `the ${event.to === undefined ? '' : 'preview of the '}report of ${day} of ${merchantCode}`;
  if (!(await mayMail(context, what, event, merchant.recipients))) return 1;
  const doing = `daily-report runs for ${merchantCode}`;
  const answer = await answerOf(stage, 'daily-report', event, { schema: reportAnswerSchema, context, doing });
  output.result(answer, () => showReport(context, merchant, answer, event.dryRun === true));
  return answer.balanced && answer.mail.status !== 'held' ? 0 : 1;
}
