import type { Texts } from '#mail/texts/texts.ts';
import type { CellContent } from './cell-content.ts';
import { workbookCell } from './workbook-cell.ts';
import type { WorkbookCell } from './workbook-cell.ts';

export interface SummaryCell {
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
