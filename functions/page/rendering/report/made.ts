import { addDays, dayAt } from '#records/day/business-day.ts';
import { INVOICE_STATES } from '#records/figures/figure-schemas.ts';
import type { Amounts, Counts } from '#records/figures/figure-schemas.ts';
import { outcomesAt } from '#records/figures/outcome-tally.ts';
import { formatAmount, sumOfParts } from '#records/money/money.ts';
import type { Manifest } from '#records/revision/manifest.ts';
import { sumOf } from '#mail/formatters/figure-formatter.ts';
import type { TextName } from '#mail/texts/texts.ts';

export type MadeState = keyof typeof MADE_NAMES;

/** The texts that name what became of the invoices made on a day. */
export const MADE_NAMES = {
  paid: 'made.paid',
  notPaid: 'states.notPaid',
  expired: 'made.expired',
  cancelled: 'states.cancelled',
  other: 'states.other',
  total: 'made.issued',
} as const satisfies Record<string, TextName>;

/** `null` is unknown. */
export interface MadePart {
  state: MadeState;
  count: number | null;
  amount: string | null;
}

type Sealed = Pick<Manifest, 'counts' | 'amounts' | 'outcomes' | 'pulledAt'>;

function partsOf(counts: Counts, amounts: Amounts | null): MadePart[] {
  return [
    ...INVOICE_STATES.map((state) => ({ state, count: counts[state], amount: amounts?.[state] ?? null })),
    { state: 'total', count: counts.total, amount: amounts && formatAmount(sumOf(amounts)) },
  ];
}

/**
 * The invoices made on the day, as they were last read. The parts add up to the last one, their total. Expired is
 * what was unpaid when its link ended, up to the last day that was over.
 */
export function madeOn({ counts, amounts, outcomes, pulledAt }: Sealed, timeZone: string): MadePart[] {
  // It is of an earlier version, or the registry names no states.
  if (outcomes === null) return partsOf(counts, amounts);
  const { paid, cancelled, open, other } = outcomes;
  const lastWholeDay = addDays(dayAt(Date.parse(pulledAt), timeZone), -1);
  // What was paid or cancelled since is so by now.
  const unpaid = outcomesAt({ paid: [], cancelled: [], open, other }, lastWholeDay);
  const parts = [
    { state: 'paid', ...sumOfParts(paid) },
    { state: 'notPaid', ...unpaid.open },
    { state: 'expired', ...unpaid.expired },
    { state: 'cancelled', ...sumOfParts(cancelled) },
    { state: 'other', ...other },
  ] as const;
  return [...parts, { state: 'total', ...sumOfParts(parts) }];
}

export function isShown({ state, count, amount }: MadePart): boolean {
  if (state === 'other' || state === 'expired') return count !== 0 || (amount ?? '0.000') !== '0.000';
  return true;
}
