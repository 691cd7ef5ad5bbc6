import type { Output } from '../terminal/output.ts';
import type { CostResult } from './cost-result.ts';
import type { StatementsCost } from './stage-statements.ts';

/** Prints what was counted, the bill, and what is assumed. */
export function showCost(output: Output, result: CostResult): void {
  const { use, sizes, lines, prices } = result;
  const { ticks } = use;
  output.table(
    ['Counted', ''],
    [
      ['merchants', use.merchants],
      ['days read for them', use.days],
      ['report mails a day', use.mails],
      ['merchants with alert rules', use.checkedMerchants],
      ['alert checks a day', use.checkedMerchants * ticks.alerts],
      ['secrets', use.secrets],
      ['days that files are kept', use.kept],
      [
        'ticks a day: daily, alerts, watch, sweep',
        `${ticks.daily}, ${ticks.alerts}, ${ticks.watch}, ${ticks.sweep}`,
      ],
      ['a run of one day takes', `${(use.reportDuration / 1_000).toFixed(1)} s`],
    ],
  );
  if (sizes !== null) {
    const { day, read, sealed, invoices, bytes } = sizes;
    output.line(
      `Sizes: ${Math.round(invoices)} invoices and ${(bytes / 1_000).toFixed(0)} kB a merchant, the mean of ${read} of ${sealed} manifests of ${day}`,
    );
  }
  output.line();
  output.table(
    ['What', 'USD a day', 'USD in 30 days'],
    [
      ...lines.map(({ what, dollars }) => [what, money(dollars, 4), money(dollars * 30, 2)]),
      ['together', money(result.dollarsADay, 4), money(result.dollarsAMonth, 2)],
    ],
  );
  if (result.statements !== null) showStatements(output, result.statements.parts, use.kept);
  output.line();
  output.line(`List prices of ${prices.asOf}, ${prices.region}, without free tiers and taxes. Assumed:`);
  for (const text of result.assumed) output.line(`- ${text}`);
}

/** What is paid once, apart from what is paid each month for everything that is kept. */
function showStatements(output: Output, parts: readonly StatementsCost[], kept: number): void {
  const sum = (amount: (part: StatementsCost) => number) =>
    parts.reduce((total, part) => total + amount(part), 0);
  const count = (number: number | null) => ({
    text: number === null ? '-' : Math.round(number).toLocaleString('en'),
    side: 'right' as const,
  });
  output.line();
  output.table(
    ['Statements of 30 days', 'Number', 'USD to make and mail, once', `USD a month to keep, of ${kept} days`],
    [
      ...parts.map(({ what, number, made, keptAMonth }) => [
        what,
        count(number),
        money(made, 4),
        money(keptAMonth, 4),
      ]),
      [
        'together',
        count(sum(({ number }) => number ?? 0)),
        money(
          sum(({ made }) => made),
          4,
        ),
        money(
          sum(({ keptAMonth }) => keptAMonth),
          4,
        ),
      ],
    ],
  );
}

function money(dollars: number, digits: number) {
  return { text: dollars.toFixed(digits), side: 'right' as const };
}
