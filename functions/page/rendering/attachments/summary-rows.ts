import { soFarUntil } from '#records/revision/manifest.ts';
import type { Manifest } from '#records/revision/manifest.ts';
import { merchantName } from '#mail/template/mailed-merchant.ts';
import type { AttachmentWords } from './attachment-words.ts';
import type { TextName, Texts } from '#mail/texts/texts.ts';
import { workbookCell } from './workbook-cell.ts';
import type { CellContent, WorkbookCell } from './workbook-cell.ts';
import type { RefundTotals } from '#records/figures/figure-schemas.ts';
import type { ChargeBreakdown } from '#records/figures/breakdown.ts';
import { COLUMN_NAMES, netTextName } from '../net.ts';
import { basisOf } from '../report/headline.ts';
import type { ReportedMerchant } from '../report/headline.ts';
import { MADE_NAMES, madeOn } from '../invoices-section.ts';
import { dayInText } from '#mail/formatters/day-formatter.ts';
import { withoutIsolates } from '#mail/formatters/outside-text.ts';
import { dayNet } from '#records/figures/day-net.ts';
import type { Net } from '#records/figures/day-net.ts';
import type { Received } from '#records/figures/invoice-outcomes.ts';

interface SummaryCell {
  value: WorkbookCell;
  holds: CellContent;
  strong: boolean;
}

export type SummaryRow = readonly SummaryCell[];

/** Writes the rows of a workbook's summary, in a language and a time zone. */
export class SummaryCells {
  readonly texts: Texts;
  readonly #timeZone: string;

  /** @param timeZone IANA name, for times */
  constructor(texts: Texts, timeZone: string) {
    this.texts = texts;
    this.#timeZone = timeZone;
  }

  cell(text: string, holds: CellContent, strong = false): SummaryCell {
    return { value: workbookCell(text, holds, this.#timeZone), holds, strong };
  }

  /** @param name of the detail; `null` for a sentence alone */
  detail(name: TextName | null, value: string, holds: CellContent = 'text'): SummaryRow {
    return [this.cell(name === null ? '' : this.texts.say(name), 'text'), this.cell(value, holds)];
  }

  #heads(...texts: string[]): SummaryRow {
    return texts.map((text) => this.cell(text, 'text', true));
  }

  headsOf(title: string): SummaryRow {
    return this.#heads(title, this.texts.say('count'), this.texts.say('amount'));
  }

  #amount(name: TextName, amount: string | null, strong = false): SummaryRow {
    return [
      this.cell(this.texts.say(name), 'text', strong),
      this.cell('', 'text'),
      this.cell(amount ?? this.texts.say('unknown'), 'amount', strong),
    ];
  }

  /** `null` is a figure that is not known. */
  figures(label: string, count: number | null, amount: string | null, strong = false): SummaryRow {
    const unknown = this.texts.say('unknown');
    return [
      this.cell(label, 'text', strong),
      this.cell(count?.toString() ?? unknown, 'integer', strong),
      this.cell(amount ?? unknown, 'amount', strong),
    ];
  }

  /** From what came in to the net. @param byColumn the charges, where they are told one by one */
  net(title: TextName, of: Net, byColumn: readonly ChargeBreakdown[] = []): SummaryRow[] {
    const { basis, received, refunded, chargeColumns, charges, net } = of;
    return [
      this.#heads(this.texts.say(title), '', this.texts.say('amount')),
      this.#amount(basis === 'made' ? 'states.paid' : 'cameIn', received),
      this.#amount('statement.approvedRefunds', refunded),
      ...byColumn.map(({ column, total }) => this.#amount(COLUMN_NAMES[column], total)),
      ...(chargeColumns.length === 0 ? [] : [this.#amount('charges', charges)]),
      this.#amount(netTextName(of), net, true),
    ];
  }
}

function checkedText({ balanced, notCompared }: Manifest) {
  if (!balanced) return 'workbook.checked.no';
  return notCompared.length === 0 ? 'workbook.checked.yes' : 'workbook.checked.apart';
}

function cameInRows(
  { byMethod, ofEarlier, count, sum }: Received,
  words: AttachmentWords,
  cells: SummaryCells,
): SummaryRow[] {
  const { texts } = words;
  return [
    cells.headsOf(texts.say('workbook.cameIn')),
    ...byMethod.map(({ method, ...of }) => cells.figures(words.method(method), of.count, of.amount)),
    cells.figures(texts.say('workbook.total'), count, sum, true),
    cells.figures(texts.say('cameIn.ofOlder'), ofEarlier.count, ofEarlier.sum),
    [],
  ];
}

function refundRows(
  { byStatus, count, total }: RefundTotals,
  words: AttachmentWords,
  cells: SummaryCells,
): SummaryRow[] {
  return [
    cells.headsOf(words.texts.say('workbook.refundsOfDay')),
    ...Object.entries(byStatus).map(([status, of]) =>
      cells.figures(words.refundStatus(status), of.count, of.total),
    ),
    cells.figures(words.texts.say('workbook.total'), count, total, true),
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
  return [
    cells.detail('workbook.merchant', merchantName(merchant)),
    cells.detail('workbook.day', day, 'day'),
    ...(soFar === null ? [] : [cells.detail('workbook.soFarUntil', soFar, 'time')]),
    cells.detail('workbook.checked', texts.say(checkedText(manifest))),
    cells.detail('workbook.readAt', pulledAt, 'time'),
    cells.detail('workbook.timeZone', merchant.timeZone),
    cells.detail('workbook.currency', merchant.currency),
    cells.detail('workbook.revision', revision.toString(), 'integer'),
    [],
    ...(received === null ? [] : cameInRows(received, words, cells)),
    ...cells.net('workbook.net', dayNet(manifest, merchant.charges ?? [])),
    cells.detail('about', basisOf(manifest, { texts })),
    [],
    cells.headsOf(withoutIsolates(texts.say('made', { day: dayInText(day, texts) }))),
    ...madeOn(manifest, merchant.timeZone).map(({ state, count, amount }) =>
      cells.figures(texts.say(MADE_NAMES[state]), count, amount, state === 'total'),
    ),
    [],
    ...refundRows(refunds, words, cells),
  ];
}
