import type { ChargeColumn, DayCharges } from '#records/figures/charges.ts';
import type { DayNet } from '#records/figures/day-net.ts';
import type { FigureFormatter } from '#mail/formatters/figure-formatter.ts';
import type { KeyFigure } from '#mail/template/mail-layout.ts';
import type { Net, Statement } from '#page/figures/statement.ts';
import { formatAmount, parseSum } from '#records/money/money.ts';
import type { Breakdown } from '#records/figures/breakdown.ts';

export const COLUMN_NAMES = {
  admin_charge: 'columns.adminCharge',
  service_charge: 'columns.serviceCharge',
} as const;

/** Without charges, the net is not called so: more may be taken off before a payout. */
export function netTextName(charges: DayCharges, basis: DayNet['basis']) {
  if (charges.kind !== 'none') return 'net';
  return basis === 'made' ? 'net.ofMade' : 'net.withoutCharges';
}

export function netName(
  charges: DayCharges,
  { texts }: FigureFormatter,
  basis: DayNet['basis'] = 'cameIn',
): string {
  return texts.say(netTextName(charges, basis));
}

function keyFigureOfCharges(charges: DayCharges, formatter: FigureFormatter): KeyFigure[] {
  const { texts } = formatter;
  switch (charges.kind) {
    case 'none':
      return [];
    case 'known':
      return [{ label: texts.say('charges'), value: formatter.amount(charges.total) }];
    case 'unknown':
      return [{ label: texts.say('charges'), value: texts.say('unknown') }];
  }
}

/** What went back, what was charged and what is left. */
export function netKeyFigures(
  { basis, refunded, pending, charges, net }: DayNet,
  formatter: FigureFormatter,
): KeyFigure[] {
  const { texts } = formatter;
  return [
    {
      label: texts.say('refunded'),
      value: formatter.amount(refunded),
      ...(pending.count > 0 && {
        note: texts.say('refunded.pending', { amount: formatter.amount(pending.total) }),
      }),
    },
    ...keyFigureOfCharges(charges, formatter),
    {
      label: netName(charges, formatter, basis),
      value: formatter.amount(net),
      ...(net === null && { note: texts.say('net.seeBelow') }),
    },
  ];
}

/** How the net is made, or why it is unknown. @param totals of the charges, where they are told */
export function netSentences(
  day: DayNet,
  formatter: FigureFormatter,
  totals: ReturnType<typeof chargesByColumn> = [],
): string[] {
  const { texts } = formatter;
  const { basis, charges, net, unknown } = day;
  const name = netName(charges, formatter, basis);
  if (net === null) {
    const reasons = unknown.map((reason) => texts.say(`net.unknown.${reason}`));
    return [[texts.say('net.unknown', { name }), ...reasons].join(' ')];
  }
  if (charges.kind !== 'known') return [texts.say('net.made', { name })];
  const columns = charges.columns
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
  { basis, net, refunded, charges }: DayNet,
  unpaid: { count: number | null; amount: string | null },
  formatter: FigureFormatter,
): string {
  const { texts } = formatter;
  const name = netName(charges, formatter, basis);
  return [
    `${name}: ${formatter.amount(net)}`,
    `${texts.say('refunded')}: ${formatter.amount(refunded)}`,
    `${texts.say('states.notPaid')}: ${[
      formatter.count(unpaid.count),
      ...(unpaid.amount === null ? [] : [`(${formatter.amount(unpaid.amount)})`]),
    ].join(' ')}`,
  ].join(' · ');
}

/** A net of a longer period in the form of a day's, so that both mails say it in the same words. */
export function asDayNet({ chargeColumns, charges, ...net }: Net): DayNet {
  if (chargeColumns.length === 0) return { ...net, basis: 'cameIn', charges: { kind: 'none' } };
  return {
    ...net,
    basis: 'cameIn',
    charges:
      charges === null
        ? { kind: 'unknown', why: 'column' }
        : { kind: 'known', columns: chargeColumns, total: charges },
  };
}

export function negative(amount: string | null): string | null {
  return amount === null ? null : formatAmount(-parseSum(amount));
}

/**
 * Whether the breakdown's charges come to those of the net. Not when the merchant bears a column on some days
 * only: the breakdown is of all days.
 */
export function isWhole({ chargeColumns, charges }: Net, breakdown: Breakdown | null): boolean {
  const totals = chargeColumns.map(
    (name) => breakdown?.charges?.find(({ column }) => column === name)?.total ?? null,
  );
  if (charges === null || totals.includes(null)) return charges === null;
  return totals.reduce((sum, total) => sum + parseSum(total ?? '0.000'), 0n) === parseSum(charges);
}

/** The charges by column, as far as they come to those of the net. Empty where they are not known. */
export function chargesByColumn({
  net,
  breakdown,
}: NetOf): readonly { column: ChargeColumn; total: string }[] {
  if (!isWhole(net, breakdown)) return [];
  const totals = net.chargeColumns.map((column) => ({
    column,
    total: breakdown?.charges?.find((charge) => charge.column === column)?.total ?? null,
  }));
  return totals.flatMap(({ column, total }) => (total === null ? [] : [{ column, total }]));
}

type NetOf = Pick<Statement, 'net' | 'breakdown'>;

/** From what came in to the net, in rows of a label and an amount. The last is the net. */
export function netRows({ net: of, breakdown }: NetOf, formatter: FigureFormatter): [string, string][] {
  const { texts } = formatter;
  const { received, refunded, chargeColumns, charges, net } = of;
  const row = (label: string, amount: string | null): [string, string] => [label, formatter.amount(amount)];
  const byColumn = chargesByColumn({ net: of, breakdown }).map(({ column, total }) =>
    row(texts.say(COLUMN_NAMES[column]), negative(total)),
  );
  const all = chargeColumns.length === 0 ? [] : [row(texts.say('charges'), negative(charges))];
  return [
    row(texts.say('statement.received'), received),
    row(texts.say('statement.approvedRefunds'), negative(refunded)),
    ...(byColumn.length === chargeColumns.length ? byColumn : all),
    row(netName(asDayNet(of).charges, formatter), net),
  ];
}
