import type { Counts } from '#records/figures/figure-schemas.ts';
import { parseSum } from '#records/money/money.ts';
import type { Net } from '#page/figures/statement.ts';
import type { FigureFormatter } from '#mail/formatters/figure-formatter.ts';
import { outcomeLine } from './report/headline.ts';

/**
 * What came in, of a statement or of a group; where it is unknown, how many invoices are paid.
 * @param parts of each currency
 */
export function cameIn(
  { counts }: { counts: Counts },
  parts: readonly { currency: string; sum: { net: Net } }[],
  formatter: FigureFormatter,
): string {
  const { texts } = formatter;
  const received = parts.flatMap(({ currency, sum: { net } }) =>
    net.received === null ? [] : [{ currency, amount: net.received }],
  );
  if (received.length < parts.length || parts.length === 0)
    return outcomeLine({ counts, amounts: null }, formatter);
  if (received.every(({ amount }) => parseSum(amount) === 0n)) return texts.say('cameIn.nothing');
  const amounts = received.map(({ currency, amount }) => formatter.in(currency).amount(amount));
  return texts.say('cameIn.amount', { amount: amounts.join(texts.say('comma')) });
}

/** By what the figures of the top count, or that they are not known yet. */
export function basisOf({ received, unknown }: Net, { texts }: Pick<FigureFormatter, 'texts'>): string {
  const isUnknown = received === null && !unknown.includes('currencies');
  return texts.say(isUnknown ? 'statement.cameIn.unknown' : 'statement.basis');
}
