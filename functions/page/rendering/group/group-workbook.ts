import type { GroupMember, GroupPage } from '#page/figures/group-page.ts';
import { formatAmount, parseSum } from '#records/money/money.ts';
import { figureSheet, summarySheet, NAME_WIDTH, figureColumn } from '../attachments/workbook-sheets.ts';
import type { FigureColumn, TableSheet, Workbook } from '../attachments/workbook-sheets.ts';
import { SummaryCells } from '../attachments/summary-rows.ts';
import type { SummaryRow } from '../attachments/summary-rows.ts';
import { merchantName } from '#mail/template/mailed-merchant.ts';
import { inCell } from '#mail/formatters/outside-text.ts';
import { periodLine } from '#mail/formatters/day-formatter.ts';
import { textsIn } from '#mail/texts/texts.ts';
import type { Texts } from '#mail/texts/texts.ts';
import { STATE_NAMES, statesOf } from '../invoices-section.ts';
import { differenceOf } from './merchants-section.ts';
import { totalsOf } from './render-group.ts';
import type { CurrencyTotal, GroupInput } from './render-group.ts';

/** UTF-16 units. With it, 20,000 merchants stay within the limits of workbooks. */
const LONGEST_NAME = 100;

type Input = Pick<GroupInput, 'group' | 'page'>;

function shortName(merchant: { merchantCode: string; name: string | null }): string {
  return merchantName({ ...merchant, name: merchant.name ?? '' }, LONGEST_NAME);
}

function chargesOf({ received, refunded = null, net }: GroupMember): string | null {
  if (received === null || refunded === null || net === null) return null;
  return formatAmount(parseSum(received) - parseSum(refunded) - parseSum(net));
}

function memberColumns(texts: Texts, hasOneCurrency: boolean): FigureColumn<GroupMember>[] {
  const figure = figureColumn<GroupMember>;
  // Amounts of different currencies are never added.
  const amount = (head: string, value: (member: GroupMember) => string | null) =>
    figure('amount', head, value, hasOneCurrency);
  const yes = (is: boolean) => texts.say(is ? 'correction.yes' : 'correction.no');
  return [
    figure('text', texts.say('group.code'), ({ merchantCode }) => merchantCode),
    { ...figure('text', texts.say('group.name'), shortName), width: NAME_WIDTH },
    figure('text', texts.say('workbook.currency'), ({ currency }) => currency ?? texts.say('unknown')),
    figure('integer', texts.say('workbook.revision'), ({ revision }) => revision),
    figure('day', texts.say('statement.from'), ({ from }) => from),
    figure('day', texts.say('statement.to'), ({ to }) => to),
    figure('text', texts.say('statement.confirmedDay'), ({ balanced }) => yes(balanced)),
    figure('text', texts.say('correction.final'), ({ final }) => yes(final)),
    amount(texts.say('statement.received'), ({ received }) => received),
    amount(texts.say('statement.approvedRefunds'), ({ refunded = null }) => refunded),
    amount(texts.say('charges'), chargesOf),
    amount(texts.say('net'), ({ net }) => net),
    figure('amount', texts.say('group.usual'), ({ usual }) => usual?.received ?? null),
    figure('amount', texts.say('statement.difference'), differenceOf),
    ...(['total', 'paid', 'notPaid', 'cancelled', 'other'] as const).map((state) =>
      figure('integer', texts.say(`correction.figures.${state}`), ({ counts }) => counts[state]),
    ),
    ...(['paid', 'notPaid', 'cancelled'] as const).map((state) =>
      amount(
        texts.say('correction.amountOf', { figure: texts.say(`correction.figures.${state}`) }),
        ({ amounts }) => amounts?.[state] ?? null,
      ),
    ),
    figure('integer', texts.say('statement.refunds.count'), ({ refunds }) => refunds.count),
    amount(texts.say('statement.refunds.all'), ({ refunds }) => refunds.total),
    figure('integer', texts.say('group.usual.invoices'), ({ usual }) => usual?.total ?? null),
  ];
}

function missingSheet({ page, group }: Input, texts: Texts): TableSheet {
  const figure = figureColumn<GroupPage['missing'][number]>;
  const columns = [
    figure('text', texts.say('group.code'), ({ merchantCode }) => merchantCode),
    { ...figure('text', texts.say('group.name'), shortName), width: NAME_WIDTH },
    {
      ...figure('text', texts.say('group.why'), ({ reason }) => texts.say(`group.missing.${reason}`)),
      width: NAME_WIDTH,
    },
  ];
  const named = { name: texts.say('group.missing.sheet'), table: 'Missing' };
  return figureSheet(named, columns, page.missing, { texts, timeZone: group.timeZone });
}

function currencyRows({ currency, sum }: CurrencyTotal, cells: SummaryCells): SummaryRow[] {
  const { texts } = cells;
  return [
    [],
    cells.headsOf(currency),
    cells.detail('group.merchants.count', sum.merchants.toString(), 'integer'),
    ...cells.net('statement.net.title', sum.net),
    cells.headsOf(texts.say('workbook.invoices')),
    ...statesOf(sum).map(({ state, count, amount }) =>
      cells.figures(texts.say(STATE_NAMES[state]), count, amount, state === 'total'),
    ),
  ];
}

function summaryRows({ group, page }: Input, texts: Texts): SummaryRow[] {
  const cells = new SummaryCells(texts, group.timeZone);
  return [
    cells.detail('group.group', group.name),
    cells.detail('statement.period', inCell(periodLine(page, texts))),
    cells.detail('statement.from', page.from, 'day'),
    cells.detail('statement.to', page.to, 'day'),
    cells.detail(
      'statement.status',
      texts.say(page.final ? 'group.status.final' : 'group.status.provisional'),
    ),
    cells.detail('statement.madeOn', page.sealedAt, 'time'),
    cells.detail('workbook.timeZone', group.timeZone),
    cells.detail('workbook.revision', page.revision.toString(), 'integer'),
    cells.detail('group.merchants.count', page.merchants.length.toString(), 'integer'),
    cells.detail('group.missing.sheet', page.missing.length.toString(), 'integer'),
    cells.detail('about', texts.say('statement.basis')),
    ...totalsOf(page).flatMap((total) => currencyRows(total, cells)),
  ];
}

/** The workbook of a group's page: a summary by currency, all merchants in the registry's order, the missing. */
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
