import { addDays, dayAt } from '#records/day/business-day.ts';
import { INVOICE_STATES } from '#records/figures/figure-schemas.ts';
import type { Counts } from '#records/figures/figure-schemas.ts';
import { outcomesAt } from '#records/figures/outcome-tally.ts';
import { formatAmount, sumOfParts } from '#records/money/money.ts';
import type { Manifest } from '#records/revision/manifest.ts';
import { dayInText } from '#mail/formatters/day-formatter.ts';
import { sumOf } from '#mail/formatters/figure-formatter.ts';
import type { FigureFormatter } from '#mail/formatters/figure-formatter.ts';
import type { PageSection } from '#mail/template/mail-layout.ts';
import type { TextName } from '#mail/texts/texts.ts';
import { NOTHING } from './mail-parts.ts';
import type { AgainstOthers, CountsAgainst } from './report/against-others.ts';
import { segmentsOf } from './report/trend.ts';

export const MADE_NAMES = {
  paid: 'made.paid',
  notPaid: 'states.notPaid',
  expired: 'made.expired',
  cancelled: 'states.cancelled',
  other: 'states.other',
  total: 'made.issued',
} as const satisfies Record<string, TextName>;

export const STATE_NAMES = { ...MADE_NAMES, paid: 'states.paid', total: 'states.total' } as const;

export type MadeState = keyof typeof MADE_NAMES;

/** `null` is unknown. */
export interface MadePart {
  state: MadeState;
  count: number | null;
  amount: string | null;
}

type StateFigures = Pick<Manifest, 'counts' | 'amounts'>;

/** The invoices by state; the last part is all of them. */
export function statesOf({ counts, amounts }: StateFigures): MadePart[] {
  return [
    ...INVOICE_STATES.map((state) => ({ state, count: counts[state], amount: amounts?.[state] ?? null })),
    { state: 'total', count: counts.total, amount: amounts && formatAmount(sumOf(amounts)) },
  ];
}

/**
 * The invoices made on the day, as they were last read. The parts add up to the last one, their total. Expired is
 * what was unpaid when its link ended, up to the last day that was over.
 */
export function madeOn(
  { outcomes, pulledAt, ...figures }: StateFigures & Pick<Manifest, 'outcomes' | 'pulledAt'>,
  timeZone: string,
): MadePart[] {
  // It is of an earlier version, or the registry names no states.
  if (outcomes === null) return statesOf(figures);
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

function isShown({ state, count, amount }: MadePart): boolean {
  if (state === 'other' || state === 'expired') return count !== 0 || (amount ?? '0.000') !== '0.000';
  return true;
}

/** One line each, without those that there are none of. */
function sectionOf(
  counts: Counts,
  parts: readonly MadePart[],
  names: Readonly<Record<MadeState, TextName>>,
  compared: CountsAgainst | null,
  formatter: FigureFormatter,
): PageSection {
  const { texts } = formatter;
  const hasAmounts = parts.some(({ amount }) => amount !== null);
  const differenceOf = (state: MadeState, { differences }: CountsAgainst) => {
    const difference = state === 'expired' ? null : differences[state];
    return difference === null ? NOTHING : formatter.countDifference(difference);
  };
  return {
    ...(counts.total !== null && counts.total > 0 && { proportions: segmentsOf(counts, counts.total) }),
    figures: {
      columns: [
        texts.say('state'),
        texts.say('count'),
        ...(compared === null ? [] : [compared.head]),
        ...(hasAmounts ? [texts.say('amountIn', { currency: formatter.currency })] : []),
      ],
      rows: parts.filter(isShown).map(({ state, count, amount }) => ({
        label: texts.say(names[state]),
        values: [
          formatter.count(count),
          ...(compared === null ? [] : [differenceOf(state, compared)]),
          ...(hasAmounts ? [formatter.bareAmount(amount)] : []),
        ],
        ...(state === 'total' ? { strong: true } : { shade: state === 'expired' ? 'notPaid' : state }),
      })),
    },
  };
}

export function statesSection(
  figures: StateFigures,
  heading: TextName,
  formatter: FigureFormatter,
): PageSection {
  const section = sectionOf(figures.counts, statesOf(figures), STATE_NAMES, null, formatter);
  return { ...section, heading: formatter.texts.say(heading) };
}

export function invoicesSection(
  manifest: Manifest,
  timeZone: string,
  { compared, notes }: AgainstOthers,
  formatter: FigureFormatter,
): PageSection & { notes: string[] } {
  const { texts } = formatter;
  const parts = madeOn(manifest, timeZone);
  const hasExpired = parts.some((part) => part.state === 'expired' && isShown(part));
  const meaning = compared === null ? 'made.expired.meaning' : 'made.expired.compared';
  return {
    ...sectionOf(manifest.counts, parts, MADE_NAMES, compared, formatter),
    heading: texts.say('made', { day: dayInText(manifest.day, texts) }),
    notes: [...notes, ...(hasExpired ? [texts.say(meaning)] : [])],
  };
}
