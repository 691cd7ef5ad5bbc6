import type { Breakdown } from '#records/figures/breakdown.ts';
import type { CountAndSum } from '#page/figures/open-invoices.ts';
import type { Statement } from '#page/figures/statement.ts';
import { dayAndMonth } from '#mail/formatters/day-formatter.ts';
import type { FigureFormatter } from '#mail/formatters/figure-formatter.ts';
import type { PageFigures, PageSection, Shade } from '#mail/template/mail-layout.ts';
import type { Texts } from '#mail/texts/texts.ts';
import { statesSection } from '../invoices-section.ts';
import { paragraph } from '../mail-parts.ts';
import { negative } from '../net.ts';

/** What mail, document and workbook say of a statement's invoices: the same rows in each. */
export interface InvoiceRow {
  label: string;
  count: number;
  /** A decimal string with three fraction digits. */
  amount: string;
  /** It is added to the row above, or taken from it: shown with its sign. */
  isChange?: boolean;
  strong?: boolean;
  shade?: Shade;
}

function row(label: string, { count, sum }: CountAndSum, more: Partial<InvoiceRow> = {}): InvoiceRow {
  return { label, count, amount: sum, ...more };
}

/** The invoices made in the period by type, and what came in by method and charge. */
export function breakdownOf({ breakdown, received }: Pick<Statement, 'breakdown' | 'received'>): Breakdown {
  return {
    byType: breakdown?.byType ?? [],
    byMethod: received?.byMethod ?? null,
    charges: received?.charges ?? null,
  };
}

/** The invoices made in the period, by what had become of them at its end. `null`: not known. */
export function issuedRows({ issued }: Statement, texts: Texts): InvoiceRow[] | null {
  if (issued === null) return null;
  const { paid, open, expired, cancelled, other } = issued;
  return [
    row(texts.say('states.paid'), paid, { shade: 'paid' }),
    row(texts.say('statement.open.state'), open, { shade: 'notPaid' }),
    row(texts.say('statement.expired.state'), expired, { shade: 'notPaid' }),
    row(texts.say('states.cancelled'), cancelled, { shade: 'cancelled' }),
    ...(other.count === 0 ? [] : [row(texts.say('states.other'), other, { shade: 'other' as const })]),
    row(texts.say('states.total'), issued, { strong: true }),
  ];
}

/** From what was open at the start to what is open at the end. `null`: not known. */
export function openRows(statement: Statement, texts: Texts): InvoiceRow[] | null {
  const { issued, openBefore, settled, expired, openAfter } = statement;
  if (issued === null || openBefore === null || settled === null || expired === null || openAfter === null) {
    return null;
  }
  const left = (label: string, { count, sum }: CountAndSum) => ({
    label,
    count: -count,
    amount: negative(sum) ?? sum,
    isChange: true,
  });
  return [
    row(texts.say('statement.open.before'), openBefore),
    row(texts.say('statement.open.made'), issued, { isChange: true }),
    left(texts.say('statement.open.paid'), settled.paid),
    left(texts.say('statement.open.cancelled'), settled.cancelled),
    left(texts.say('statement.expired.state'), expired),
    ...(settled.other.count === 0 ? [] : [left(texts.say('states.other'), settled.other)]),
    row(texts.say('statement.open.after'), openAfter, { strong: true }),
  ];
}

interface AgeRow {
  label: string;
  open: CountAndSum;
  expired: CountAndSum;
}

/** What is unpaid at the end, by age. `null`: not known. */
export function ageRows({ ageing }: Statement, texts: Texts): AgeRow[] | null {
  return (
    ageing?.map(({ from, to, open, expired }) => ({
      label:
        to === null
          ? texts.say('statement.ageing.over', { days: from - 1 })
          : texts.say('statement.ageing.range', { from, to }),
      open,
      expired,
    })) ?? null
  );
}

export function issuedMeaning({ to }: Pick<Statement, 'to'>, texts: Texts): string {
  return texts.say('statement.made.meaning', { day: dayAndMonth(to, texts) });
}

/** The count of a row, with a sign where it is a change. */
export function countOf({ count, isChange = false }: InvoiceRow, formatter: FigureFormatter): string {
  return isChange ? formatter.countDifference(BigInt(count) * 10n) : formatter.count(count);
}

function figuresOf(rows: readonly InvoiceRow[], head: string, formatter: FigureFormatter): PageFigures {
  const { texts } = formatter;
  return {
    columns: [head, texts.say('count'), texts.say('amount')],
    rows: rows.map((one) => ({
      label: one.label,
      values: [countOf(one, formatter), formatter.bareAmount(one.amount, one.isChange)],
      ...(one.strong === true && { strong: true }),
      ...(one.shade !== undefined && { shade: one.shade }),
    })),
  };
}

/** The invoices made in the period; of earlier versions as they were last read. */
function issuedSection(statement: Statement, formatter: FigureFormatter): PageSection {
  const { texts } = formatter;
  const states = { ...statesSection(statement, formatter), heading: texts.say('statement.made') };
  const rows = issuedRows(statement, texts);
  if (rows === null) return { ...states, notes: [texts.say('statement.made.lastRead')] };
  const { proportions: _ofLastReading, ...section } = states;
  return {
    ...section,
    figures: figuresOf(rows, texts.say('state'), formatter),
    notes: [
      issuedMeaning(statement, texts),
      texts.say('statement.amountsIn', { currency: formatter.currency }),
    ],
  };
}

function openSection(statement: Statement, formatter: FigureFormatter): PageSection {
  const { texts } = formatter;
  const heading = texts.say('statement.open');
  const rows = openRows(statement, texts);
  if (rows === null) return { heading, lines: [paragraph(texts.say('statement.open.unknown'))] };
  return {
    heading,
    figures: figuresOf(rows, texts.say('invoices'), formatter),
    notes: [
      texts.say('statement.open.meaning'),
      texts.say('statement.amountsIn', { currency: formatter.currency }),
    ],
  };
}

/** Nothing when nothing is unpaid. */
function ageingSection(statement: Statement, formatter: FigureFormatter): PageSection[] {
  const { texts } = formatter;
  const rows = ageRows(statement, texts) ?? [];
  if (rows.every(({ open, expired }) => open.count + expired.count === 0)) return [];
  const cell = ({ count, sum }: CountAndSum) => ({
    text: formatter.bareAmount(sum),
    under: formatter.count(count),
  });
  const under = texts.say('count');
  return [
    {
      heading: texts.say('statement.ageing'),
      table: {
        columns: [
          { text: texts.say('statement.ageing.age') },
          { text: texts.say('statement.open.state'), under },
          { text: texts.say('statement.expired.state'), under },
        ],
        rows: rows.map(({ label, open, expired }) => ({
          cells: [{ text: label }, cell(open), cell(expired)],
        })),
      },
      notes: [texts.say('statement.amountsIn', { currency: formatter.currency })],
    },
  ];
}

/** What was made in the period, what is open of all, and how old that is. */
export function invoiceSections(statement: Statement, formatter: FigureFormatter): PageSection[] {
  return [
    issuedSection(statement, formatter),
    openSection(statement, formatter),
    ...ageingSection(statement, formatter),
  ];
}
