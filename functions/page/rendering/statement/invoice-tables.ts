import type { Breakdown } from '#records/figures/breakdown.ts';
import type { CountAndSum } from '#page/figures/open-invoices.ts';
import type { Statement } from '#page/figures/statement.ts';
import { dayAndMonth } from '#mail/formatters/day-formatter.ts';
import type { FigureFormatter } from '#mail/formatters/figure-formatter.ts';
import type { PageCell, PageSection } from '#mail/template/mail-layout.ts';
import type { TextName, Texts } from '#mail/texts/texts.ts';
import { allKnown } from '#records/money/money.ts';
import { typesSentence } from '../breakdown-sections.ts';
import { inCurrency, oneNote } from '../mail-parts.ts';
import { statesSection } from '../invoices-section.ts';
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
    row(texts.say('states.paid'), paid),
    row(texts.say('statement.open.state'), open),
    row(texts.say('statement.expired.state'), expired),
    row(texts.say('states.cancelled'), cancelled),
    ...(other.count === 0 ? [] : [row(texts.say('states.other'), other)]),
    row(texts.say('states.total'), issued, { strong: true }),
  ];
}

/** One line of what became of the invoices: of those made in the period, and of all that are followed. */
interface CourseRow {
  name: TextName;
  made: CountAndSum | null;
  all: CountAndSum | null;
  /** What it does to the rows above it. */
  is?: 'added' | 'taken';
}

/** Both columns add up to their last row. `null` is not known, and what was open at the start was not made in the period. */
function courseOf({ issued, openBefore, settled, expired, openAfter }: Statement): CourseRow[] {
  const others = [issued?.other, settled?.other].some((other) => other !== undefined && other.count !== 0);
  const taken = (name: TextName, state: 'paid' | 'cancelled' | 'other'): CourseRow => ({
    name,
    made: issued?.[state] ?? null,
    all: settled?.[state] ?? null,
    is: 'taken',
  });
  return [
    { name: 'statement.open.before', made: null, all: openBefore },
    { name: 'statement.open.made', made: issued, all: issued, is: 'added' },
    taken('statement.open.paid', 'paid'),
    taken('statement.open.cancelled', 'cancelled'),
    { name: 'statement.expired.state', made: issued?.expired ?? null, all: expired, is: 'taken' },
    ...(others ? [taken('states.other', 'other')] : []),
    { name: 'statement.open.after', made: issued?.open ?? null, all: openAfter },
  ];
}

function signed({ count, sum }: CountAndSum, is: CourseRow['is']): CountAndSum {
  return is === 'taken' ? { count: -count, sum: negative(sum) ?? sum } : { count, sum };
}

/** From what was open at the start to what is open at the end. `null`: not known. */
export function openRows(statement: Statement, texts: Texts): InvoiceRow[] | null {
  const rows = courseOf(statement).map(({ name, all, is }) =>
    all === null
      ? null
      : row(texts.say(name), signed(all, is), {
          ...(is !== undefined && { isChange: true }),
          ...(name === 'statement.open.after' && { strong: true }),
        }),
  );
  return allKnown(rows);
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

const NOTHING = '–';

/** What became of the invoices made in the period, and beside it of all; of earlier versions as they were last read. */
function courseSection(statement: Statement, formatter: FigureFormatter): PageSection {
  const { texts } = formatter;
  if (statement.issued === null) {
    const notes = [texts.say('statement.made.lastRead'), texts.say('statement.open.unknown')];
    return { ...statesSection(statement, formatter), heading: texts.say('statement.made'), notes };
  }
  const isAllKnown = openRows(statement, texts) !== null;
  const cell = (part: CountAndSum | null, is: CourseRow['is']): PageCell => {
    if (part === null) return { text: NOTHING };
    const { count, sum } = signed(part, is);
    const isChange = is !== undefined;
    return {
      text: formatter.bareAmount(sum, isChange),
      under: isChange ? formatter.countDifference(BigInt(count) * 10n) : formatter.count(count),
    };
  };
  const under = texts.say('count');
  const rows = courseOf(statement).filter(({ made }) => isAllKnown || made !== null);
  return {
    heading: inCurrency('invoices', formatter),
    table: {
      columns: [
        { text: texts.say('correction.figure') },
        { text: texts.say('statement.made.column'), under },
        ...(isAllKnown ? [{ text: texts.say('statement.open.all'), under }] : []),
      ],
      rows: rows.map(({ name, made, all, is }) => ({
        // The first figure of its column.
        cells: [
          { text: texts.say(name) },
          cell(made, is === 'added' ? undefined : is),
          ...(isAllKnown ? [cell(all, is)] : []),
        ],
        ...(name === 'statement.open.after' && { strong: true }),
      })),
    },
    notes: [
      issuedMeaning(statement, texts),
      texts.say(isAllKnown ? 'statement.open.meaning' : 'statement.open.unknown'),
    ],
  };
}

/** Nothing when nothing is unpaid. */
function ageingSection(statement: Statement, formatter: FigureFormatter): PageSection[] {
  const { texts } = formatter;
  const rows = ageRows(statement, texts) ?? [];
  if (rows.every(({ open, expired }) => open.count + expired.count === 0)) return [];
  const cell = ({ count, sum }: CountAndSum) => ({
    text: texts.say('statement.countAndAmount', {
      count: formatter.count(count),
      amount: formatter.bareAmount(sum),
    }),
  });
  return [
    {
      heading: inCurrency('statement.ageing', formatter),
      table: {
        columns: [
          { text: texts.say('statement.ageing.age') },
          { text: texts.say('statement.open.state') },
          { text: texts.say('statement.expired.state') },
        ],
        rows: rows.map(({ label, open, expired }) => ({
          cells: [{ text: label }, cell(open), cell(expired)],
        })),
      },
    },
  ];
}

/** What became of the invoices, and how old the unpaid ones are. */
export function invoiceSections(statement: Statement, formatter: FigureFormatter): PageSection[] {
  const types = breakdownOf(statement).byType.map(({ type, all }) => ({ type, ...all }));
  const { notes = [], ...course } = courseSection(statement, formatter);
  return [
    { ...course, notes: oneNote([...notes, ...typesSentence(types, formatter)]) },
    ...ageingSection(statement, formatter),
  ];
}
