import type { Output } from '../terminal/output.ts';
import type { CostResult } from './cost-result.ts';

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
  output.line();
  output.line(`List prices of ${prices.asOf}, ${prices.region}, without free tiers and taxes. Assumed:`);
  for (const text of result.assumed) output.line(`- ${text}`);
}

function money(dollars: number, digits: number) {
  return { text: dollars.toFixed(digits), side: 'right' as const };
}
