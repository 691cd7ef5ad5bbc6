import { INVOICE_STATES } from '#records/figures/figure-schemas.ts';
import type { Amounts, InvoiceState } from '#records/figures/figure-schemas.ts';
import { formatAmount, parseSum } from '#records/money/money.ts';
import type { Manifest } from '#records/revision/manifest.ts';
import { sumOf } from '#mail/formatters/figure-formatter.ts';
import type { FigureFormatter } from '#mail/formatters/figure-formatter.ts';
import type { PageFigures, PageSection } from '#mail/template/mail-layout.ts';
import { NOT_COMPARED } from './report/against-others.ts';
import type { AgainstOthers, ComparedState, CountsAgainst } from './report/against-others.ts';
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
    formatter.amount(state === 'total' ? formatAmount(sumOf(sums)) : sums[state]);
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
        ...(amounts === null ? [] : [texts.say('amount')]),
      ],
      rows: states.map((state) => stateRow(state, figures, compared, formatter)),
    },
    ...(notes.length > 0 && { notes }),
  };
}
