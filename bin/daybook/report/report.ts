import type {
  Difference,
  Amounts,
  Counts,
  InvoiceState,
  RefundFigures,
} from '#records/figures/figure-schemas.ts';
import { FigureFormatter } from '#mail/formatters/figure-formatter.ts';
import { differenceSentences } from '#page/rendering/report/report-sections.ts';
import { textsIn } from '#mail/texts/texts.ts';
import type { Lines } from '../stage/stage.ts';
import type { Output } from '../terminal/output.ts';
import { shown } from '../terminal/shown-text.ts';
import { mailSentence, askedRecipients, assertOnlyOne, mayMail, resendOf } from './asked-mail.ts';
import type { ReportAnswer } from '../stage/function-answers.ts';
import { INVOICE_STATES } from '#records/figures/figure-schemas.ts';
import type { Cell } from '../terminal/table.ts';
import { merchantSettings } from '#registry/merchants.ts';
import { registryInUse } from '../registry/stored-registry.ts';
import type { CommandContext, ExitStatus } from '../context.ts';
import { reportAnswerSchema } from '../stage/function-answers.ts';
import { answerOf } from '../stage/invoke-function.ts';
import { assertKnownMerchant } from '../stage/known-names.ts';
import type { ResendOptions } from './asked-mail.ts';

interface ShownFigures {
  counts: Counts;
  amounts: Amounts | null;
  refunds: RefundFigures;
}

const STATES: Record<InvoiceState, string> = {
  paid: 'Paid',
  notPaid: 'Unpaid',
  cancelled: 'Cancelled',
  other: 'Other',
};

function invoiceRows({ counts, amounts }: ShownFigures, formatter: FigureFormatter): Cell[][] {
  const number = (text: string): Cell => ({ text, side: 'right' });
  return INVOICE_STATES.filter((state) => state !== 'other' || counts.other !== 0).map((state) => [
    STATES[state],
    number(formatter.count(counts[state])),
    number(amounts === null ? '' : formatter.amount(amounts[state])),
  ]);
}

function refundRows({ refunds }: ShownFigures, formatter: FigureFormatter): Cell[][] {
  const row = (label: string, of: { count: number; total: string | null }): Cell[] => [
    label,
    { text: formatter.count(of.count), side: 'right' },
    { text: formatter.amount(of.total), side: 'right' },
  ];
  return [
    row('Refunds', refunds),
    ...Object.entries(refunds.byStatus).map(([status, of]) => row(`  ${formatter.refundStatus(status)}`, of)),
  ];
}

function formatterOf(currency: string): FigureFormatter {
  return new FigureFormatter(textsIn('en'), currency, { list: 20, rows: 20, text: 100 });
}

/** Prints a table of figures, as a mail has them. */
export function showFigures(output: Output, figures: ShownFigures, currency: string): void {
  const formatter = formatterOf(currency);
  const invoices: Cell[] = [
    'Invoices',
    { text: formatter.count(figures.counts.total), side: 'right' },
    { text: '', side: 'right' },
  ];
  output.table(
    ['', 'Count', 'Amount'],
    [invoices, ...invoiceRows(figures, formatter), ...refundRows(figures, formatter)],
  );
}

interface ShownReport {
  /** Any text, which may be hostile. */
  name: string;
  currency: string;
  answer: ReportAnswer;
  isDryRun: boolean;
  lines: Lines;
}

const LONGEST_LINE = 500;

/** Such as `revision 2, as it was sealed before`. */
export function revisionWords(
  { revision, unchanged }: Pick<ReportAnswer, 'revision' | 'unchanged'>,
  isDryRun: boolean,
): string {
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
  const used = answer.currency ?? currency;
  output.line(
    output.style(
      'bold',
      `${answer.merchantCode} ${shown(name, 60)}, ${answer.day}, ${revisionWords(answer, isDryRun)}`,
    ),
  );
  output.line();
  showFigures(output, answer, used);
  output.line();
  showBalance(output, report, formatterOf(used));
  const more = `"${lines.daybook('why', answer.merchantCode, answer.day)}" says more`;
  const { style, text } = mailSentence(answer.mail, more, isDryRun);
  output.line(output.style(style, shown(text, LONGEST_LINE)));
}

interface ReportOptions extends ResendOptions {
  day: string;
  dryRun?: true | undefined;
  to?: readonly string[] | undefined;
}

function reportEvent(merchantCode: string, options: ReportOptions) {
  const { day, dryRun, to } = options;
  assertOnlyOne([dryRun && '--dry-run', to && '--to', options.resend && '--resend']);
  return {
    merchantCode,
    day,
    ...resendOf(options),
    ...(dryRun && { dryRun }),
    ...(to !== undefined && { to }),
  };
}

/** Does `daybook report`. */
export async function report(
  context: CommandContext,
  code: string,
  options: ReportOptions,
): Promise<ExitStatus> {
  const { output } = context;
  const event = reportEvent(code, options);
  const stage = await context.stage();
  const registry = await registryInUse(output, stage);
  assertKnownMerchant(registry, code, stage.lines);
  const { name, currency, recipients } = merchantSettings(registry, code);
  const mail = askedRecipients(event, recipients);
  const what = `the ${event.to === undefined ? '' : 'preview of the '}report of ${event.day} of ${code}`;
  if (mail !== undefined && !(await mayMail(context, { what, ...mail }))) return 1;
  const doing = `daily-report runs for ${code}`;
  const answer = await answerOf(stage, 'daily-report', event, { schema: reportAnswerSchema, context, doing });
  output.result(answer, () =>
    showReport(output, { name, currency, answer, isDryRun: options.dryRun === true, lines: stage.lines }),
  );
  return answer.balanced && answer.mail.status !== 'held' ? 0 : 1;
}
