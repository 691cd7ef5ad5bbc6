import { INVOICE_STATES } from '#domain/figures/figures.ts';
import type { RefundTotals } from '#domain/figures/figures.ts';
import { soFarUntil } from '#domain/day/so-far.ts';
import { formatAmount } from '#domain/money/money.ts';
import type { Manifest } from '#domain/revision/manifest.ts';
import { sumOf } from '../formatters/figure-formatter.ts';
import { merchantName } from '../formatters/merchant-name.ts';
import type { MailedMerchant } from '../report/report-input.ts';
import type { AttachmentWords } from './attachment-words.ts';
import type { CellContent } from './cell-content.ts';
import { workbookCell } from './workbook-cell.ts';
import type { WorkbookCell } from './workbook-cell.ts';

/** A cell of the summary. */
export interface SummaryCell {
  value: WorkbookCell;
  holds: CellContent;
  strong: boolean;
}

/** A row of the summary, from its first column on. */
export type SummaryRow = readonly SummaryCell[];

/** Makes the cells of one summary. */
class SummaryCells {
  readonly #words: AttachmentWords;
  readonly #timeZone: string;

  constructor(words: AttachmentWords, timeZone: string) {
    this.#words = words;
    this.#timeZone = timeZone;
  }

  cell(text: string, holds: CellContent, strong = false): SummaryCell {
    return { value: workbookCell(text, holds, this.#timeZone), holds, strong };
  }

  heads(...texts: string[]): SummaryRow {
    return texts.map((text) => this.cell(text, 'text', true));
  }

  detail(label: string, value: string, holds: CellContent): SummaryRow {
    return [this.cell(label, 'text'), this.cell(value, holds)];
  }

  /** `null` is a figure that is not known. */
  figures(label: string, count: number | null, amount: string | null, strong = false): SummaryRow {
    const unknown = this.#words.texts.say('unknown');
    return [
      this.cell(label, 'text', strong),
      this.cell(count?.toString() ?? unknown, 'integer', strong),
      this.cell(amount ?? unknown, 'amount', strong),
    ];
  }
}

function checkedText({ balanced, notCompared }: Manifest) {
  if (!balanced) return 'workbook.checked.no';
  return notCompared.length === 0 ? 'workbook.checked.yes' : 'workbook.checked.apart';
}

/**
 * The summary of a workbook: which day it is, whether it was checked, and the figures of the manifest. Times
 * are in the merchant's zone. An amount that a spreadsheet cannot keep exactly is a text.
 */
export function summaryRows(
  merchant: MailedMerchant,
  manifest: Manifest,
  words: AttachmentWords,
): SummaryRow[] {
  const { texts } = words;
  const { day, revision, pulledAt, counts, amounts, refunds } = manifest;
  const cells = new SummaryCells(words, merchant.timeZone);
  const soFar = soFarUntil(manifest, merchant.timeZone);
  const heads = (name: 'workbook.invoices' | 'workbook.refundsOfDay' | 'workbook.refundsOfSales') =>
    cells.heads(texts.say(name), texts.say('count'), texts.say('amount'));
  const refundRows = ({ byStatus, count, total }: RefundTotals) => [
    ...Object.entries(byStatus).map(([status, of]) =>
      cells.figures(words.refundStatus(status), of.count, of.total),
    ),
    cells.figures(texts.say('workbook.total'), count, total, true),
  ];
  return [
    cells.detail(texts.say('workbook.merchant'), merchantName(merchant), 'text'),
    cells.detail(texts.say('workbook.day'), day, 'day'),
    ...(soFar === null ? [] : [cells.detail(texts.say('workbook.soFarUntil'), soFar, 'time')]),
    cells.detail(texts.say('workbook.checked'), texts.say(checkedText(manifest)), 'text'),
    cells.detail(texts.say('workbook.readAt'), pulledAt, 'time'),
    cells.detail(texts.say('workbook.timeZone'), merchant.timeZone, 'text'),
    cells.detail(texts.say('workbook.currency'), merchant.currency, 'text'),
    cells.detail(texts.say('workbook.revision'), revision.toString(), 'integer'),
    [],
    heads('workbook.invoices'),
    ...INVOICE_STATES.map((state) =>
      cells.figures(texts.say(`states.${state}`), counts[state], amounts?.[state] ?? null),
    ),
    cells.figures(
      texts.say('workbook.total'),
      counts.total,
      amounts === null ? null : formatAmount(sumOf(amounts)),
      true,
    ),
    [],
    heads('workbook.refundsOfDay'),
    ...refundRows(refunds),
    [],
    heads('workbook.refundsOfSales'),
    ...refundRows(refunds.saleBasis),
  ];
}
