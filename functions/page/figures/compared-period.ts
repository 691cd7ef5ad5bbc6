import type { ComparedPeriod } from './period-figures.ts';
import type { Statement } from './statement.ts';

export function comparedPeriod(statement: Statement): ComparedPeriod {
  const { period, from, to, revision, final, counts, amounts, refunds, net } = statement;
  return {
    period,
    from,
    to,
    revision,
    final,
    counts,
    amounts,
    refunds: { count: refunds.count, total: refunds.total },
    received: net.received,
    net: net.net,
  };
}
