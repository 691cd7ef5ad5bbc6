import { MOVED, addedTo } from '#page/figures/adjustments.ts';
import type { Adjustment, Moved, Statement } from '#page/figures/statement.ts';
import { dayInText, shortDay } from '#mail/formatters/day-formatter.ts';
import type { FigureFormatter } from '#mail/formatters/figure-formatter.ts';
import type { MailedMerchant } from '#mail/template/mailed-merchant.ts';
import type { PageSection } from '#mail/template/mail-layout.ts';
import { textsIn, type TextName, type Texts } from '#mail/texts/texts.ts';
import { dayAt } from '#records/day/business-day.ts';
import { formatAmount } from '#records/money/money.ts';
import { figureColumn, figureSheet } from '../attachments/workbook-sheets.ts';
import type { FigureColumn, TableSheet } from '../attachments/workbook-sheets.ts';
import { bareChange, bareText } from '../correction/changed-figures.ts';
import { documentColumns, type DocumentSection } from '../document/document.ts';
import { inCurrency, moreNotes } from '../mail-parts.ts';
import { netTextName } from '../net.ts';

/** What a statement's mail, PDF and workbook say of closing: that it is closed, and what it tells of those before it. */

type Adjusting = Pick<Statement, 'adjustments' | 'net'>;

function nameOf(figure: keyof Moved, { net }: Adjusting): TextName {
  if (figure === 'net') return netTextName(net);
  return figure === 'charges' ? 'charges' : `statement.${figure}`;
}

function reasonsIn({ reasons }: Adjustment, texts: Texts): string {
  return reasons.map((reason) => texts.say(`statement.adjusted.${reason}`)).join(texts.say('comma'));
}

/** `null` where one of them is unknown. */
function sumOf(adjustments: readonly Adjustment[], figure: keyof Moved): string | null {
  const known = adjustments.flatMap((one) => addedTo(one, figure) ?? []);
  return known.length < adjustments.length ? null : formatAmount(known.reduce((sum, one) => sum + one, 0n));
}

/** Those of each currency, by its code, with what people read of them. `added` is their difference in a figure. */
function byCurrency({ adjustments = [] }: Adjusting, formatter: FigureFormatter) {
  const groups = [...Map.groupBy(adjustments, ({ currency }) => currency)];
  return groups
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([currency, of]) => {
      const figures = formatter.in(currency);
      const added = (figure: keyof Moved, all = of) => figures.bareAmount(sumOf(all, figure), true);
      return { adjustments: of, figures, added, heading: inCurrency('statement.adjustments', figures) };
    });
}

/** What changed on days of closed statements, and what that adds. Empty when nothing did. */
export function adjustmentsSections(statement: Adjusting, formatter: FigureFormatter): PageSection[] {
  const { texts, limits } = formatter;
  const say = (name: TextName) => texts.say(name);
  return byCurrency(statement, formatter).map(({ adjustments, figures, added, heading }) => {
    const change = ({ was, is }: Adjustment, figure: 'net' | 'received') =>
      bareChange(was[figure], is[figure], figures);
    const rows = adjustments.slice(0, limits.rows).map((one) => ({
      cells: [
        { text: shortDay(one.day, texts), under: reasonsIn(one, texts) },
        { text: change(one, 'net'), under: change(one, 'received') },
      ],
    }));
    const total = [{ text: say('statement.difference') }, { text: added('net'), under: added('received') }];
    return {
      heading,
      table: {
        columns: [
          { text: say('statement.day'), under: say('statement.adjusted') },
          { text: say(nameOf('net', statement)), under: say('statement.received') },
        ],
        rows: [...rows, { cells: total, strong: true }],
      },
      notes: [...moreNotes(adjustments.length, rows.length, figures), say('statement.adjustments.meaning')],
    };
  });
}

/** Every figure that changed on days of closed statements. */
export function adjustmentsOfDocument(statement: Adjusting, formatter: FigureFormatter): DocumentSection[] {
  const { texts } = formatter;
  const say = (name: TextName) => texts.say(name);
  const heads = (['statement.day', 'statement.adjusted', 'correction.figure'] as const).map(say);
  const amounts = (['correction.was', 'correction.is', 'statement.difference'] as const).map(say);
  return byCurrency(statement, formatter).map(({ adjustments, figures, added, heading }) => ({
    title: heading,
    note: say('statement.adjustments.meaning'),
    columns: documentColumns(heads, amounts),
    rows: adjustments.flatMap((one) =>
      MOVED.filter((figure) => one.was[figure] !== one.is[figure]).map((figure) => {
        const count = figure === 'payments' ? addedTo(one, figure) : null;
        const values = [one.was[figure], one.is[figure]].map((value) => bareText(value, figures));
        const difference = count === null ? added(figure, [one]) : figures.countDifference(count * 10n);
        const names = [shortDay(one.day, texts), reasonsIn(one, texts), say(nameOf(figure, statement))];
        return [...names, ...values, difference];
      }),
    ),
    total: [say('states.total'), '', say(nameOf('net', statement)), '', '', added('net')],
  }));
}

/** The adjustments, one row each, for a workbook. Empty without one. */
export function adjustmentsSheets(
  { language, timeZone }: Pick<MailedMerchant, 'language' | 'timeZone'>,
  statement: Adjusting & Pick<Statement, 'currency'>,
): TableSheet[] {
  const { adjustments = [], currency } = statement;
  if (adjustments.length === 0) return [];
  const texts = textsIn(language);
  const pair = (figure: keyof Moved): FigureColumn<Adjustment>[] =>
    (['was', 'is'] as const).map((when) => {
      const [of, status] = [texts.say(nameOf(figure, statement)), texts.say(`correction.${when}`)];
      const head = texts.say('correction.ofStatus', { figure: of, status });
      return figureColumn(figure === 'payments' ? 'integer' : 'amount', head, (one) => one[when][figure]);
    });
  const isOfOne = currency !== null && adjustments.every((one) => one.currency === currency);
  const columns: FigureColumn<Adjustment>[] = [
    figureColumn('day', texts.say('workbook.day'), ({ day }) => day),
    figureColumn('text', texts.say('statement.adjustments.closed'), ({ period }) => period),
    figureColumn('integer', texts.say('workbook.revision'), ({ revision }) => revision),
    figureColumn('text', texts.say('workbook.currency'), (one) => one.currency),
    figureColumn('text', texts.say('statement.adjusted'), (one) => reasonsIn(one, texts)),
    ...MOVED.flatMap(pair),
    figureColumn('amount', texts.say('statement.difference'), (one) => sumOf([one], 'net'), isOfOne),
  ];
  const named = { name: texts.say('statement.adjustments.sheet'), table: 'Adjustments' };
  return [figureSheet(named, columns, adjustments, { texts, timeZone })];
}

/** That it is closed, or was reopened. Empty for any other. */
export function closingSentences(statement: Statement, timeZone: string, texts: Texts): string[] {
  const { closedAt, reopenedAt } = statement;
  const on = (at: string) => dayInText(dayAt(Date.parse(at), timeZone), texts);
  return [
    ...(closedAt === undefined ? [] : [texts.say('statement.closed', { day: on(closedAt) })]),
    ...(reopenedAt === undefined ? [] : [texts.say('statement.reopened', { day: on(reopenedAt) })]),
  ];
}
