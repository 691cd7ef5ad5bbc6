import { soFarUntil } from '#records/revision/manifest.ts';
import type { CurrencySum } from '#page/figures/group-page.ts';
import type { Manifest } from '#records/revision/manifest.ts';
import { merchantName } from '#mail/template/mailed-merchant.ts';
import type { AttachmentWords } from './attachment-words.ts';
import type { Texts } from '#mail/texts/texts.ts';
import { workbookCell } from './workbook-cell.ts';
import type { CellContent, WorkbookCell } from './workbook-cell.ts';
import { INVOICE_STATES } from '#records/figures/figure-schemas.ts';
import type { Amounts, Counts, RefundTotals } from '#records/figures/figure-schemas.ts';
import { formatAmount } from '#records/money/money.ts';
import { sumOf } from '#mail/formatters/figure-formatter.ts';
import type { Breakdown } from '#records/figures/breakdown.ts';
import type { Net } from '#page/figures/statement.ts';
import { isWhole, netTextName, COLUMN_NAMES } from '../net.ts';
import { basisOf } from '../report/headline.ts';
import type { ReportedMerchant } from '../report/headline.ts';
import { MADE_NAMES, madeOn } from '../report/made.ts';
import { dayInText } from '#mail/formatters/day-formatter.ts';
import { withoutIsolates } from '#mail/formatters/outside-text.ts';
import { dayNet } from '#records/figures/day-net.ts';
import type { DayNet } from '#records/figures/day-net.ts';
import type { Received } from '#records/figures/invoice-outcomes.ts';

interface SummaryCell {
  value: WorkbookCell;
  holds: CellContent;
  strong: boolean;
}

export type SummaryRow = readonly SummaryCell[];

export class SummaryCells {
  readonly #texts: Texts;
  readonly #timeZone: string;

  /** @param timeZone IANA name, for times */
  constructor(texts: Texts, timeZone: string) {
    this.#texts = texts;
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

  amount(label: string, amount: string | null, strong = false): SummaryRow {
    return [
      this.cell(label, 'text', strong),
      this.cell('', 'text'),
      this.cell(amount ?? this.#texts.say('unknown'), 'amount', strong),
    ];
  }

  /** `null` is a figure that is not known. */
  figures(label: string, count: number | null, amount: string | null, strong = false): SummaryRow {
    const unknown = this.#texts.say('unknown');
    return [
      this.cell(label, 'text', strong),
      this.cell(count?.toString() ?? unknown, 'integer', strong),
      this.cell(amount ?? unknown, 'amount', strong),
    ];
  }
}

export function headsOf(title: string, cells: SummaryCells, texts: Texts): SummaryRow {
  return cells.heads(title, texts.say('count'), texts.say('amount'));
}

export function stateRows(
  { counts, amounts }: { counts: Counts; amounts: Amounts | null },
  cells: SummaryCells,
  texts: Texts,
): SummaryRow[] {
  return [
    ...INVOICE_STATES.map((state) =>
      cells.figures(texts.say(`states.${state}`), counts[state], amounts?.[state] ?? null),
    ),
    cells.figures(
      texts.say('workbook.total'),
      counts.total,
      amounts === null ? null : formatAmount(sumOf(amounts)),
      true,
    ),
  ];
}

export function refundRows(
  { byStatus, count, total }: RefundTotals,
  nameOf: (status: string) => string,
  cells: SummaryCells,
  texts: Texts,
): SummaryRow[] {
  return [
    ...Object.entries(byStatus).map(([status, of]) => cells.figures(nameOf(status), of.count, of.total)),
    cells.figures(texts.say('workbook.total'), count, total, true),
  ];
}

export function netRows(
  of: Net,
  breakdown: Breakdown | null,
  cells: SummaryCells,
  texts: Texts,
): SummaryRow[] {
  const { received, refunded, charges, chargeColumns, net } = of;
  const named = isWhole(of, breakdown) ? breakdown?.charges : null;
  const byColumn = new Map(named?.map(({ column, total }) => [column, total]));
  return [
    cells.heads(texts.say('statement.net.title'), '', texts.say('amount')),
    cells.amount(texts.say('statement.received'), received),
    cells.amount(texts.say('statement.approvedRefunds'), refunded),
    ...chargeColumns
      .filter((column) => byColumn.has(column))
      .map((column) => cells.amount(texts.say(COLUMN_NAMES[column]), byColumn.get(column) ?? null)),
    ...(chargeColumns.length === 0 ? [] : [cells.amount(texts.say('charges'), charges)]),
    cells.amount(texts.say(chargeColumns.length === 0 ? 'net.withoutCharges' : 'net'), net, true),
  ];
}

function checkedText({ balanced, notCompared }: Manifest) {
  if (!balanced) return 'workbook.checked.no';
  return notCompared.length === 0 ? 'workbook.checked.yes' : 'workbook.checked.apart';
}

/** By payment method, and how much of it is for invoices made before. */
function cameInRows(
  { byMethod, ofEarlier, count, sum }: Received,
  words: AttachmentWords,
  cells: SummaryCells,
): SummaryRow[] {
  const { texts } = words;
  return [
    headsOf(texts.say('workbook.cameIn'), cells, texts),
    ...byMethod.map(({ method, ...of }) =>
      cells.figures(method === null ? texts.say('method.rest') : words.method(method), of.count, of.amount),
    ),
    cells.figures(texts.say('workbook.total'), count, sum, true),
    cells.figures(texts.say('cameIn.ofOlder'), ofEarlier.count, ofEarlier.sum),
    [],
  ];
}

/** From what came in to the net. */
function dayNetRows(net: DayNet, cells: SummaryCells, texts: Texts): SummaryRow[] {
  const { basis, charges } = net;
  const charged = charges.kind === 'known' ? charges.total : null;
  return [
    cells.heads(texts.say('workbook.net'), '', texts.say('amount')),
    cells.amount(texts.say(basis === 'made' ? 'states.paid' : 'cameIn'), net.received),
    cells.amount(texts.say('statement.approvedRefunds'), net.refunded),
    ...(charges.kind === 'none' ? [] : [cells.amount(texts.say('charges'), charged)]),
    cells.amount(texts.say(netTextName(charges, basis)), net.net, true),
  ];
}

/**
 * The summary of a day's workbook: what came in, what is left, and the invoices made on the day and the refunds.
 * Times are in the merchant's zone; an amount that a spreadsheet cannot keep exactly is a text.
 */
export function summaryRows(
  merchant: ReportedMerchant,
  manifest: Manifest,
  words: AttachmentWords,
): SummaryRow[] {
  const { texts } = words;
  const { day, revision, pulledAt, received, refunds } = manifest;
  const cells = new SummaryCells(texts, merchant.timeZone);
  const soFar = soFarUntil(manifest, merchant.timeZone);
  const nameOf = (status: string) => words.refundStatus(status);
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
    ...(received === null ? [] : cameInRows(received, words, cells)),
    ...dayNetRows(dayNet(manifest, merchant.charges ?? []), cells, texts),
    cells.detail(texts.say('about'), basisOf(manifest, { texts }), 'text'),
    [],
    headsOf(withoutIsolates(texts.say('made', { day: dayInText(day, texts) })), cells, texts),
    ...madeOn(manifest, merchant.timeZone).map(({ state, count, amount }) =>
      cells.figures(texts.say(MADE_NAMES[state]), count, amount, state === 'total'),
    ),
    [],
    headsOf(texts.say('workbook.refundsOfDay'), cells, texts),
    ...refundRows(refunds, nameOf, cells, texts),
  ];
}

/** The sums of one currency. @param first rows before those of the states */
export function currencyRows(
  { currency, sum }: { currency: string; sum: Pick<CurrencySum, 'counts' | 'amounts' | 'refunds' | 'net'> },
  cells: SummaryCells,
  texts: Texts,
  first: readonly SummaryRow[] = [],
): SummaryRow[] {
  return [
    [],
    headsOf(currency, cells, texts),
    ...first,
    ...stateRows(sum, cells, texts),
    cells.figures(texts.say('refunds'), sum.refunds.count, sum.refunds.total),
    ...netRows(sum.net, null, cells, texts),
  ];
}
