import { periodKind } from '#records/period/period.ts';
import type { CurrencySum, GroupMember, GroupPage } from '#page/figures/group-page.ts';
import { formatAmount, parseSum } from '#records/money/money.ts';
import { WIDTHS, figureSheet } from '../attachments/figure-sheet.ts';
import type { FigureColumn } from '../attachments/figure-sheet.ts';
import { headsOf, stateRows } from '../attachments/summary-blocks.ts';
import { SummaryCells } from '../attachments/summary-cells.ts';
import type { SummaryRow } from '../attachments/summary-cells.ts';
import type { TableSheet, Workbook } from '../attachments/workbook-model.ts';
import { summarySheet } from '../attachments/workbook-sheets.ts';
import { merchantName } from '#mail/template/mailed-merchant.ts';
import { inCell } from '#mail/formatters/outside-text.ts';
import { periodLine } from '#mail/formatters/period-formatter.ts';
import { netRows } from '../statement/net-rows.ts';
import { textsIn } from '#mail/texts/texts.ts';
import type { Texts } from '#mail/texts/texts.ts';
import type { GroupInput } from './group-input.ts';
import { totalsOf } from './headline.ts';

/** UTF-16 units. With it, 20,000 merchants stay within the limits of workbooks. */
const LONGEST_NAME = 100;

type Input = Pick<GroupInput, 'group' | 'page'>;

function shortName(merchant: { merchantCode: string; name: string | null }): string {
  return merchantName({ ...merchant, name: merchant.name ?? '' }, LONGEST_NAME);
}

function subtractedOf({ received, net }: GroupMember): string | null {
  if (received === null || net === null) return null;
  return formatAmount(parseSum(received) - parseSum(net));
}

function differenceOf({ received, usual }: GroupMember): string | null {
  if (received === null || usual === null || usual.received === null) return null;
  return formatAmount(parseSum(received) - parseSum(usual.received));
}

function memberColumns(texts: Texts, hasOneCurrency: boolean): FigureColumn<GroupMember>[] {
  const text = (head: string, value: (member: GroupMember) => string): FigureColumn<GroupMember> => ({
    head,
    holds: 'text',
    width: WIDTHS.count,
    value,
  });
  const count = (head: string, value: (member: GroupMember) => number | null): FigureColumn<GroupMember> => ({
    head,
    holds: 'integer',
    width: WIDTHS.count,
    value,
  });
  // Amounts of different currencies are never added.
  const amount = (
    head: string,
    value: (member: GroupMember) => string | null,
    summed = hasOneCurrency,
  ): FigureColumn<GroupMember> => ({ head, holds: 'amount', width: WIDTHS.amount, value, summed });
  const yes = (is: boolean) => texts.say(is ? 'correction.yes' : 'correction.no');
  const day = (head: string, value: (member: GroupMember) => string): FigureColumn<GroupMember> => ({
    head,
    holds: 'day',
    width: WIDTHS.day,
    value,
  });
  return [
    text(texts.say('group.code'), ({ merchantCode }) => merchantCode),
    { ...text(texts.say('group.name'), shortName), width: WIDTHS.text },
    text(texts.say('workbook.currency'), ({ currency }) => currency ?? texts.say('unknown')),
    count(texts.say('workbook.revision'), ({ revision }) => revision),
    day(texts.say('statement.from'), ({ from }) => from),
    day(texts.say('statement.to'), ({ to }) => to),
    text(texts.say('statement.confirmedDay'), ({ balanced }) => yes(balanced)),
    text(texts.say('correction.final'), ({ final }) => yes(final)),
    ...(['total', 'paid', 'notPaid', 'cancelled', 'other'] as const).map((state) =>
      count(texts.say(`correction.figures.${state}`), ({ counts }) => counts[state]),
    ),
    amount(texts.say('statement.received'), ({ received }) => received),
    ...(['notPaid', 'cancelled'] as const).map((state) =>
      amount(
        texts.say('correction.amountOf', { figure: texts.say(`correction.figures.${state}`) }),
        ({ amounts }) => amounts?.[state] ?? null,
      ),
    ),
    count(texts.say('statement.refunds.count'), ({ refunds }) => refunds.count),
    amount(texts.say('statement.refunds.all'), ({ refunds }) => refunds.total),
    amount(texts.say('group.subtracted'), subtractedOf),
    amount(texts.say('net'), ({ net }) => net),
    amount(texts.say('group.usual'), ({ usual }) => usual?.received ?? null, false),
    amount(texts.say('statement.difference'), differenceOf, false),
    count(texts.say('group.usual.invoices'), ({ usual }) => usual?.total ?? null),
  ];
}

function missingSheet({ page, group }: Input, texts: Texts): TableSheet {
  const columns: FigureColumn<GroupPage['missing'][number]>[] = [
    {
      head: texts.say('group.code'),
      holds: 'text',
      width: WIDTHS.count,
      value: ({ merchantCode }) => merchantCode,
    },
    { head: texts.say('group.name'), holds: 'text', width: WIDTHS.text, value: shortName },
    {
      head: texts.say('group.why'),
      holds: 'text',
      width: WIDTHS.text,
      value: ({ reason }) => texts.say(`group.missing.${reason}`),
    },
  ];
  const named = { name: texts.say('group.missing.sheet'), table: 'Missing' };
  return figureSheet(named, columns, page.missing, { texts, timeZone: group.timeZone });
}

function currencyRows(
  { currency, sum }: { currency: string; sum: CurrencySum },
  cells: SummaryCells,
  texts: Texts,
): SummaryRow[] {
  return [
    [],
    headsOf(currency, cells, texts),
    [cells.cell(texts.say('group.merchants.count'), 'text'), cells.cell(sum.merchants.toString(), 'integer')],
    ...stateRows(sum, cells, texts),
    cells.figures(texts.say('refunds'), sum.refunds.count, sum.refunds.total),
    ...netRows(sum.net, null, cells, texts),
  ];
}

function summaryRows({ group, page }: Input, texts: Texts): SummaryRow[] {
  const cells = new SummaryCells(texts, group.timeZone);
  return [
    cells.detail(texts.say('group.group'), group.name, 'text'),
    cells.detail(texts.say('statement.period'), inCell(periodLine(page, texts)), 'text'),
    cells.detail(texts.say('statement.from'), page.from, 'day'),
    cells.detail(texts.say('statement.to'), page.to, 'day'),
    cells.detail(
      texts.say('statement.status'),
      texts.say(page.final ? 'group.status.final' : 'group.status.provisional'),
      'text',
    ),
    cells.detail(texts.say('statement.madeOn'), page.sealedAt, 'time'),
    cells.detail(texts.say('workbook.timeZone'), group.timeZone, 'text'),
    cells.detail(texts.say('workbook.revision'), page.revision.toString(), 'integer'),
    cells.detail(texts.say('group.merchants.count'), page.merchants.length.toString(), 'integer'),
    cells.detail(texts.say('group.missing.sheet'), page.missing.length.toString(), 'integer'),
    cells.detail(
      texts.say('about'),
      texts.say(periodKind(page.period) === 'day' ? 'received.day' : 'received.period'),
      'text',
    ),
    ...totalsOf(page).flatMap((total) => currencyRows(total, cells, texts)),
  ];
}

/**
 * The workbook of a group's page: a summary by currency, all merchants in the registry's order, the missing.
 */
export function groupWorkbook(input: Input): Workbook {
  const { group, page } = input;
  const texts = textsIn(group.language);
  const columns = memberColumns(texts, Object.keys(page.byCurrency).length < 2);
  const named = { name: texts.say('group.merchants'), table: 'Merchants' };
  return {
    sheets: [
      summarySheet(summaryRows(input, texts), texts),
      figureSheet(named, columns, page.merchants, { texts, timeZone: group.timeZone }),
      missingSheet(input, texts),
    ],
    rightToLeft: texts.direction === 'rtl',
  };
}
