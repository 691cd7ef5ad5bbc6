import type { Net } from '#records/figures/day-net.ts';
import type { Counts } from '#records/figures/figure-schemas.ts';
import type { FigureFormatter } from '#mail/formatters/figure-formatter.ts';
import type { KeyFigure, PageSection } from '#mail/template/mail-layout.ts';
import type { TextName } from '#mail/texts/texts.ts';
import { formatAmount, parseSum } from '#records/money/money.ts';
import type { Breakdown, ChargeBreakdown } from '#records/figures/breakdown.ts';
import { paidInvoices } from './report/headline.ts';

export const COLUMN_NAMES = {
  admin_charge: 'columns.adminCharge',
  service_charge: 'columns.serviceCharge',
} as const;

/** Without charges, the net is not called so: more may be taken off before a payout. */
export function netTextName({ chargeColumns, basis }: Pick<Net, 'chargeColumns' | 'basis'>) {
  if (chargeColumns.length > 0) return 'net';
  return basis === 'made' ? 'net.ofMade' : 'net.withoutCharges';
}

/** What went back, what was charged and what is left. */
export function netKeyFigures(of: Net, formatter: FigureFormatter): KeyFigure[] {
  const { texts } = formatter;
  const { refunded, pending, chargeColumns, charges, net } = of;
  const amount = formatter.amount(pending.total);
  return [
    {
      label: texts.say('refunded'),
      value: formatter.amount(refunded),
      ...(pending.count > 0 && { note: texts.say('refunded.pending', { amount }) }),
    },
    ...(chargeColumns.length === 0
      ? []
      : [{ label: texts.say('charges'), value: formatter.amount(charges) }]),
    {
      label: texts.say(netTextName(of)),
      value: formatter.amount(net),
      ...(net === null && { note: texts.say('net.seeBelow') }),
    },
  ];
}

/** How the net is made, or why it is unknown. @param totals of the charges, where they are told */
export function netSentences(
  of: Net,
  formatter: FigureFormatter,
  totals: readonly ChargeBreakdown[] = [],
): string[] {
  const { texts } = formatter;
  const { chargeColumns, net, unknown } = of;
  const name = texts.say(netTextName(of));
  if (net === null) {
    const reasons = unknown.map((reason) => texts.say(`net.unknown.${reason}`));
    return [[texts.say('net.unknown', { name }), ...reasons].join(' ')];
  }
  if (chargeColumns.length === 0) return [texts.say('net.made', { name })];
  const columns = chargeColumns
    .map((column) => {
      const total = totals.find((one) => one.column === column)?.total;
      return [
        texts.say(COLUMN_NAMES[column]),
        ...(total === undefined ? [] : [formatter.amount(total)]),
      ].join(' ');
    })
    .join(texts.say('comma'));
  return [texts.say('net.madeWithCharges', { name, columns })];
}

export function netPreheader(
  of: Net,
  unpaid: { count: number | null; amount: string | null },
  formatter: FigureFormatter,
): string {
  const { texts } = formatter;
  const amount = unpaid.amount === null ? '' : ` (${formatter.amount(unpaid.amount)})`;
  return [
    `${texts.say(netTextName(of))}: ${formatter.amount(of.net)}`,
    `${texts.say('refunded')}: ${formatter.amount(of.refunded)}`,
    `${texts.say('states.notPaid')}: ${formatter.count(unpaid.count)}${amount}`,
  ].join(' · ');
}

/** What came in, of a statement or group; if unknown, how many invoices are paid. @param parts of each currency */
export function cameIn(
  { counts }: { counts: Counts },
  parts: readonly { currency: string; sum: { net: Net } }[],
  formatter: FigureFormatter,
): string {
  const { texts } = formatter;
  const received = parts.flatMap(({ currency, sum: { net } }) =>
    net.received === null ? [] : [{ currency, amount: net.received }],
  );
  if (received.length < parts.length || parts.length === 0) return paidInvoices(counts, formatter);
  if (received.every(({ amount }) => parseSum(amount) === 0n)) return texts.say('cameIn.nothing');
  const amounts = received.map(({ currency, amount }) => formatter.in(currency).amount(amount));
  return texts.say('cameIn.amount', { amount: amounts.join(texts.say('comma')) });
}

/** By what the top figures of a period count, or that they are not known yet. */
export function periodBasis({ received, unknown }: Net, { texts }: Pick<FigureFormatter, 'texts'>): string {
  const isUnknown = received === null && !unknown.includes('currencies');
  return texts.say(isUnknown ? 'statement.cameIn.unknown' : 'statement.basis');
}

export function negative(amount: string | null): string | null {
  return amount === null ? null : formatAmount(-parseSum(amount));
}

/**
 * The charges by column, where they come to those of the net; else empty. They do not when the merchant bears a column on some
 * days only: the breakdown is of all days. A `total` of `null` is not known.
 */
export function chargesByColumn(
  { chargeColumns, charges }: Net,
  breakdown: Breakdown | null,
): ChargeBreakdown[] {
  const found = chargeColumns.flatMap(
    (name) => breakdown?.charges?.find(({ column }) => column === name) ?? [],
  );
  if (charges === null) return found;
  const totals = found.flatMap(({ total }) => total ?? []);
  const isWhole =
    totals.length === chargeColumns.length &&
    totals.reduce((sum, total) => sum + parseSum(total), 0n) === parseSum(charges);
  return isWhole ? found : [];
}

/** From what came in to the net, in rows of a label and an amount. The last is the net. */
export function netRows(
  of: Net,
  breakdown: Breakdown | null,
  formatter: FigureFormatter,
): [label: string, amount: string][] {
  const { received, refunded, chargeColumns, charges, net } = of;
  const row = (name: TextName, amount: string | null): [string, string] => [
    formatter.texts.say(name),
    formatter.amount(amount),
  ];
  const known = chargesByColumn(of, breakdown).filter(({ total }) => total !== null);
  const all = chargeColumns.length === 0 ? [] : [row('charges', negative(charges))];
  return [
    row('statement.received', received),
    row('statement.approvedRefunds', negative(refunded)),
    ...(known.length === chargeColumns.length
      ? known.map(({ column, total }) => row(COLUMN_NAMES[column], negative(total)))
      : all),
    row(netTextName(of), net),
  ];
}

/** The net of one currency of several, which are never added up. @param of whose it is: merchants or days, in words */
export function currencySection({ net }: { net: Net }, of: string, figures: FigureFormatter): PageSection {
  const { texts } = figures;
  const rows = netRows(net, null, figures);
  return {
    heading: texts.say('group.totals', { currency: figures.currency, merchants: of }),
    figures: {
      columns: [texts.say('correction.figure'), texts.say('amount')],
      rows: rows.map(([label, amount], index) => ({
        label,
        values: [amount],
        strong: index === rows.length - 1,
      })),
    },
    ...(net.net === null && { notes: netSentences(net, figures) }),
  };
}
