import type { Breakdown } from '#records/figures/breakdown.ts';
import type { RefundTotals } from '#records/figures/figure-schemas.ts';
import type { CountAndSum } from '#page/figures/open-invoices.ts';
import type { Statement } from '#page/figures/statement.ts';
import { dayAndMonth } from '#mail/formatters/day-formatter.ts';
import type { FigureFormatter } from '#mail/formatters/figure-formatter.ts';
import type { PageCell, PageSection } from '#mail/template/mail-layout.ts';
import type { TextName, Texts } from '#mail/texts/texts.ts';
import { allKnown } from '#records/money/money.ts';
import type { AttachmentWords } from '../attachments/attachment-words.ts';
import { STATE_NAMES, statesOf, statesSection } from '../invoices-section.ts';
import { NOTHING, inCurrency, oneNote, typesSentence } from '../mail-parts.ts';
import { negative } from '../net.ts';

/** What mail, document and workbook say of a statement's invoices and refunds: the same figures in each. */

/** `null` is unknown. */
export interface FigureRow {
  label: string;
  count: number | null;
  /** A decimal string with three fraction digits. */
  amount: string | null;
  /** It is added to the row above, or taken from it: shown with its sign. */
  isChange?: boolean;
}

export interface FigureTable {
  title: string;
  /** Of the first column, where columns have heads of their own. */
  head: string;
  note?: string;
  rows: readonly FigureRow[];
  total?: FigureRow | undefined;
}

/** How names that the service or the registry gives are written. */
export type FigureNames = Pick<AttachmentWords, 'texts' | 'invoiceType' | 'method' | 'refundStatus'>;

function rowOf(label: string, { count, sum }: CountAndSum): FigureRow {
  return { label, count, amount: sum };
}

/** The invoices made in the period by type, and what came in by method and charge. */
export function breakdownOf({ breakdown, received }: Pick<Statement, 'breakdown' | 'received'>): Breakdown {
  return {
    byType: breakdown?.byType ?? [],
    byMethod: received?.byMethod ?? null,
    charges: received?.charges ?? null,
  };
}

function issuedMeaning({ to }: Pick<Statement, 'to'>, texts: Texts): string {
  return texts.say('statement.made.meaning', { day: dayAndMonth(to, texts) });
}

/** The invoices made in the period, by what had become of them at its end; of earlier versions as they were last read. */
export function issuedTable(statement: Statement, texts: Texts): FigureTable {
  const { issued } = statement;
  const named = { title: texts.say('statement.made'), head: texts.say('state') };
  if (issued === null) {
    const all = statesOf(statement).map(({ state, ...of }) => ({
      label: texts.say(STATE_NAMES[state]),
      ...of,
    }));
    const note = texts.say('statement.made.lastRead');
    return { ...named, note, rows: all.slice(0, -1), total: all.at(-1) };
  }
  const { paid, open, expired, cancelled, other } = issued;
  return {
    ...named,
    note: issuedMeaning(statement, texts),
    rows: [
      rowOf(texts.say('states.paid'), paid),
      rowOf(texts.say('statement.open.state'), open),
      rowOf(texts.say('statement.expired.state'), expired),
      rowOf(texts.say('states.cancelled'), cancelled),
      ...(other.count === 0 ? [] : [rowOf(texts.say('states.other'), other)]),
    ],
    total: rowOf(texts.say('states.total'), issued),
  };
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
export function openTable(statement: Statement, texts: Texts): FigureTable | null {
  const rows = allKnown(
    courseOf(statement).map(({ name, all, is }) =>
      all === null ? null : { ...rowOf(texts.say(name), signed(all, is)), isChange: is !== undefined },
    ),
  );
  if (rows === null) return null;
  return {
    title: texts.say('statement.open'),
    head: texts.say('invoices'),
    note: texts.say('statement.open.meaning'),
    rows: rows.slice(0, -1),
    total: rows.at(-1),
  };
}

interface AgeRow {
  label: string;
  open: CountAndSum;
  expired: CountAndSum;
}

/** What is unpaid at the end, by age. Empty when it is not known. */
export function ageRows({ ageing }: Statement, texts: Texts): AgeRow[] {
  return (ageing ?? []).map(({ from, to, open, expired }) => ({
    label:
      to === null
        ? texts.say('statement.ageing.over', { days: from - 1 })
        : texts.say('statement.ageing.range', { from, to }),
    open,
    expired,
  }));
}

export function refundsTable(
  { byStatus, count, total }: RefundTotals,
  totalName: TextName,
  names: FigureNames,
): FigureTable {
  const { texts } = names;
  return {
    title: texts.say('statement.refundsByDate'),
    head: texts.say('refundStatus'),
    rows: Object.entries(byStatus).map(([status, of]) => ({
      label: names.refundStatus(status),
      count: of.count,
      amount: of.total,
    })),
    total: { label: texts.say(totalName), count, amount: total },
  };
}

/** The invoices made in the period. `null`: unknown of one of the days, or there are none. */
export function typesTable({ byType }: Breakdown, names: FigureNames): FigureTable | null {
  if (byType.length === 0) return null;
  const rows = byType.map(({ type, all }) => ({ label: names.invoiceType(type), ...all }));
  return { title: names.texts.say('byType'), head: names.texts.say('type'), rows };
}

/** What came in. `null`: unknown of one of the days. */
export function methodsTable({ byMethod }: Breakdown, names: FigureNames): FigureTable | null {
  if (byMethod === null) return null;
  const rows = byMethod.map(({ method, ...of }) => ({ label: names.method(method), ...of }));
  return { title: names.texts.say('cameIn.byMethod'), head: names.texts.say('method'), rows };
}

/** With a sign where it is a change. */
export function countText(count: number | null, isChange: boolean, formatter: FigureFormatter): string {
  return isChange && count !== null ? formatter.countDifference(BigInt(count) * 10n) : formatter.count(count);
}

function courseSection(statement: Statement, formatter: FigureFormatter): PageSection {
  const { texts } = formatter;
  if (statement.issued === null) {
    const notes = [texts.say('statement.made.lastRead'), texts.say('statement.open.unknown')];
    return { ...statesSection(statement, 'statement.made', formatter), notes };
  }
  const course = courseOf(statement);
  const isAllKnown = course.every(({ all }) => all !== null);
  const cell = (part: CountAndSum | null, is: CourseRow['is']): PageCell => {
    if (part === null) return { text: NOTHING };
    const { count, sum } = signed(part, is);
    const isChange = is !== undefined;
    return { text: formatter.bareAmount(sum, isChange), under: countText(count, isChange, formatter) };
  };
  const under = texts.say('count');
  const rows = course.filter(({ made }) => isAllKnown || made !== null);
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
  const rows = ageRows(statement, texts);
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
