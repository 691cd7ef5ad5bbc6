import type { DayCharges } from '#records/figures/charges.ts';
import type { DayNet } from '#records/figures/day-net.ts';
import type { FigureFormatter } from '#mail/formatters/figure-formatter.ts';
import type { PageTile } from '#mail/template/mail-page.ts';

/** The texts that name columns of charges. */
export const COLUMN_NAMES = {
  admin_charge: 'columns.adminCharge',
  service_charge: 'columns.serviceCharge',
} as const;

/** Without charges, the net is not called so: more may be taken off before a payout. */
export function netName(charges: DayCharges, { texts }: FigureFormatter): string {
  return texts.say(charges.kind === 'none' ? 'net.withoutCharges' : 'net');
}

function chargesTile(charges: DayCharges, formatter: FigureFormatter): PageTile[] {
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

export function netTiles(
  { refunded, pending, charges, net }: DayNet,
  formatter: FigureFormatter,
): PageTile[] {
  const { texts } = formatter;
  return [
    {
      label: texts.say('refunded'),
      value: formatter.amount(refunded),
      ...(pending.count > 0 && {
        note: texts.say('refunded.pending', { amount: formatter.amount(pending.total) }),
      }),
    },
    ...chargesTile(charges, formatter),
    {
      label: netName(charges, formatter),
      value: formatter.amount(net),
      ...(net === null && { note: texts.say('net.seeBelow') }),
    },
  ];
}

export function netSentences(day: DayNet, formatter: FigureFormatter): string[] {
  const { texts } = formatter;
  const { received, refunded, charges, net, unknown } = day;
  const name = netName(charges, formatter);
  if (net === null) {
    const reasons = unknown.map((reason) => texts.say(`net.unknown.${reason}`));
    return [[texts.say('net.unknown', { name }), ...reasons].join(' ')];
  }
  const values = {
    name,
    received: formatter.amount(received),
    refunded: formatter.amount(refunded),
    net: formatter.amount(net),
  };
  if (charges.kind !== 'known') return [texts.say('net.made', values)];
  const columns = charges.columns.map((column) => texts.say(COLUMN_NAMES[column])).join(texts.say('comma'));
  return [
    texts.say('net.madeWithCharges', { ...values, charges: formatter.amount(charges.total) }),
    texts.say('charges.meaning', { columns }),
  ];
}

export function netPreheader(
  { net, refunded, charges }: DayNet,
  unpaid: { count: number | null; amount: string | null },
  formatter: FigureFormatter,
): string {
  const { texts } = formatter;
  const name = netName(charges, formatter);
  return [
    `${name}: ${formatter.amount(net)}`,
    `${texts.say('refunded')}: ${formatter.amount(refunded)}`,
    `${texts.say('states.notPaid')}: ${[
      formatter.count(unpaid.count),
      ...(unpaid.amount === null ? [] : [`(${formatter.amount(unpaid.amount)})`]),
    ].join(' ')}`,
  ].join(' · ');
}
