import { INVOICE_STATES } from '#records/figures/figure-schemas.ts';
import type { Amounts, InvoiceState } from '#records/figures/figure-schemas.ts';
import { formatAmount, parseSum } from '#records/money/money.ts';
import type { Manifest } from '#records/revision/manifest.ts';
import { dayInText } from '#mail/formatters/day-formatter.ts';
import { sumOf } from '#mail/formatters/figure-formatter.ts';
import type { FigureFormatter } from '#mail/formatters/figure-formatter.ts';
import type { PageFigures, PageSection } from '#mail/template/mail-layout.ts';
import { NOT_COMPARED } from './report/against-others.ts';
import type { AgainstOthers, ComparedState, CountsAgainst } from './report/against-others.ts';
import { MADE_NAMES, isShown as isMadeShown, madeOn } from './report/made.ts';
import type { MadePart } from './report/made.ts';
import { segmentsOf } from './report/trend.ts';

const NOTHING = '–';

type StateFigures = Pick<Manifest, 'counts' | 'amounts'>;

function stateRow(
  state: ComparedState,
  { counts, amounts }: StateFigures,
  compared: CountsAgainst | null,
  formatter: FigureFormatter,
): PageFigures['rows'][number] {
  const difference = compared?.differences[state] ?? null;
  const amount = (sums: Amounts) =>
    formatter.bareAmount(state === 'total' ? formatAmount(sumOf(sums)) : sums[state]);
  return {
    label: formatter.texts.say(`states.${state}`),
    values: [
      formatter.count(counts[state]),
      ...(compared === null ? [] : [difference === null ? NOTHING : formatter.countDifference(difference)]),
      ...(amounts === null ? [] : [amount(amounts)]),
    ],
    ...(state === 'total' ? { strong: true } : { shade: state }),
  };
}

function isShown(state: InvoiceState, { counts, amounts }: StateFigures): boolean {
  return state !== 'other' || counts.other !== 0 || (amounts !== null && parseSum(amounts.other) !== 0n);
}

/** Invoices by state, one line each. @param against the day's comparison with others */
export function statesSection(
  figures: StateFigures,
  formatter: FigureFormatter,
  { compared, notes }: AgainstOthers = NOT_COMPARED,
): PageSection {
  const { texts } = formatter;
  const { counts, amounts } = figures;
  const states = [...INVOICE_STATES.filter((state) => isShown(state, figures)), 'total' as const];
  return {
    heading: texts.say('invoices'),
    ...(counts.total !== null && counts.total > 0 && { proportions: segmentsOf(counts, counts.total) }),
    figures: {
      columns: [
        texts.say('state'),
        texts.say('count'),
        ...(compared === null ? [] : [compared.head]),
        ...(amounts === null ? [] : [texts.say('amountIn', { currency: formatter.currency })]),
      ],
      rows: states.map((state) => stateRow(state, figures, compared, formatter)),
    },
    ...(notes.length > 0 && { notes }),
  };
}

function madeRow(
  part: MadePart,
  compared: CountsAgainst | null,
  hasAmounts: boolean,
  formatter: FigureFormatter,
): PageFigures['rows'][number] {
  const { state, count, amount } = part;
  const difference = state === 'expired' ? null : (compared?.differences[state] ?? null);
  const shade = state === 'expired' ? 'notPaid' : state;
  return {
    label: formatter.texts.say(MADE_NAMES[state]),
    values: [
      formatter.count(count),
      ...(compared === null ? [] : [difference === null ? NOTHING : formatter.countDifference(difference)]),
      ...(hasAmounts ? [formatter.bareAmount(amount)] : []),
    ],
    ...(shade === 'total' ? { strong: true } : { shade }),
  };
}

/** The invoices that were made on a day by what became of them, one line each. @param against the day's comparison with others */
export function invoicesSection(
  manifest: Manifest,
  timeZone: string,
  against: AgainstOthers,
  formatter: FigureFormatter,
): PageSection {
  const { texts } = formatter;
  const { compared } = against;
  const parts = madeOn(manifest, timeZone).filter(isMadeShown);
  const hasAmounts = parts.some(({ amount }) => amount !== null);
  const hasExpired = parts.some(({ state }) => state === 'expired');
  const { figures, notes = [], ...section } = statesSection(manifest, formatter, against);
  return {
    ...section,
    heading: texts.say('made', { day: dayInText(manifest.day, texts) }),
    ...(figures !== undefined && {
      figures: { ...figures, rows: parts.map((part) => madeRow(part, compared, hasAmounts, formatter)) },
    }),
    notes: [
      ...notes,
      ...(hasExpired
        ? [texts.say(compared === null ? 'made.expired.meaning' : 'made.expired.compared')]
        : []),
    ],
  };
}
