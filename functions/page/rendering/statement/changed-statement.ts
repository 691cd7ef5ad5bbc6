import type { Breakdown, CountAndAmount, MethodBreakdown } from '#records/figures/breakdown.ts';
import type { Figures } from '#records/figures/figure-schemas.ts';
import type { Net } from '#page/figures/period-figures.ts';
import type { Statement } from '#page/figures/statement.ts';
import { changedFigures } from '../correction/changed-figures.ts';
import type { ChangedFigure } from '../correction/changed-figures.ts';
import type { MethodWords } from './breakdown-sections.ts';

const NO_INVOICES: CountAndAmount = { count: 0, amount: '0.000' };

/** The figures that a day's correction compares, too. What is `balanced` of a day is `final` of a statement. */
export function figuresOfStatement({ counts, amounts, refunds, final }: Statement): Figures {
  return { counts, amounts, refunds, balanced: final };
}

function sums(before: Net, after: Net): ChangedFigure[] {
  const hasCharges = [before, after].some(({ chargeColumns }) => chargeColumns.length > 0);
  return [
    ...(hasCharges
      ? [{ figure: { of: 'sum', name: 'charges' } as const, was: before.charges, is: after.charges }]
      : []),
    {
      figure: { of: 'sum', name: hasCharges ? 'net' : 'net.withoutCharges' },
      was: before.net,
      is: after.net,
    },
  ];
}

type Part = readonly [name: string | null, CountAndAmount];

/** A type or method that only one of the statements names had no invoices in the other. */
function parts(
  of: 'type' | 'method',
  before: readonly Part[],
  after: readonly Part[],
  words: MethodWords,
): ChangedFigure[] {
  const [was, is] = [new Map(before), new Map(after)];
  const names = [...new Set([...was.keys(), ...is.keys()])];
  return names.flatMap((name): ChangedFigure[] => {
    const word = name !== null && Object.hasOwn(words, name) ? (words[name] ?? name) : name;
    const [old, now] = [was.get(name) ?? NO_INVOICES, is.get(name) ?? NO_INVOICES];
    return [
      { figure: { of, name, word, measure: 'count' }, was: old.count, is: now.count },
      { figure: { of, name, word, measure: 'total' }, was: old.amount, is: now.amount },
    ];
  });
}

/** Nothing where one of the two is unknown: then each of its figures would have changed. */
function ofBreakdown(before: Breakdown | null, after: Breakdown | null, words: MethodWords): ChangedFigure[] {
  if (before === null || after === null) return [];
  const types = ({ byType }: Breakdown) => byType.map(({ type, all }): Part => [type, all]);
  const methods = (list: readonly MethodBreakdown[]) => list.map(({ method, ...sum }): Part => [method, sum]);
  return [
    ...parts('type', types(before), types(after), {}),
    ...(before.byMethod === null || after.byMethod === null
      ? []
      : parts('method', methods(before.byMethod), methods(after.byMethod), words)),
  ];
}

export function isInSameCurrency(before: Statement, after: Statement): boolean {
  return before.currency !== null && before.currency === after.currency;
}

/** Whether the mails of two revisions of a statement show different figures. */
export function differsInMail(before: Statement, after: Statement): boolean {
  if (isInSameCurrency(before, after)) return changedStatement(before, after, {}).length > 0;
  const shown = ({ currency, counts, byCurrency, final }: Statement) =>
    JSON.stringify({ currency, counts, byCurrency, final });
  return shown(before) !== shown(after);
}

/** Every figure that differs between two revisions of a statement, in the order of its mail. Both are in one currency. */
export function changedStatement(before: Statement, after: Statement, words: MethodWords): ChangedFigure[] {
  const shared = changedFigures(figuresOfStatement(before), figuresOfStatement(after));
  const own = [...sums(before.net, after.net), ...ofBreakdown(before.breakdown, after.breakdown, words)];
  return [
    ...shared.filter(({ figure }) => figure.of !== 'balance'),
    ...own.filter(({ was, is }) => was !== is),
    ...shared.filter(({ figure }) => figure.of === 'balance'),
  ];
}
