import type { Figures } from '#records/figures/figure-schemas.ts';
import { formatAmount, parseSum } from '#records/money/money.ts';
import type { FigureFormatter } from '#mail/formatters/figure-formatter.ts';
import type { TextName } from '#mail/texts/texts.ts';
import { changedFigures, refundsOf, changeText, type Change } from './changed-figures.ts';

interface Step {
  more: boolean;
  amount: string;
}

function step(was: string | null, is: string | null): Step | null {
  if (was === null || is === null) return null;
  const difference = parseSum(is) - parseSum(was);
  if (difference === 0n) return null;
  return { more: difference > 0n, amount: formatAmount(difference < 0n ? -difference : difference) };
}

/** `12 more paid, +440.500 KWD`. `undefined` when the count did not change or is unknown. */
function countFact(
  name: 'paid' | 'notPaid' | 'cancelled' | 'total' | 'refunds' | 'approved',
  [was, is]: readonly [number | null, number | null],
  amount: Step | null,
  formatter: FigureFormatter,
): string | undefined {
  if (was === null || is === null || was === is) return undefined;
  const { texts } = formatter;
  const count = Math.abs(is - was);
  const said = texts.say(`correction.${name}.${is > was ? 'more' : 'fewer'}`, { count });
  if (amount === null) return said;
  const by = texts.say(amount.more ? 'correction.gained' : 'correction.lost', {
    amount: formatter.amount(amount.amount),
  });
  return [said, by].join(texts.say('comma'));
}

function amountFact(
  name: 'cameIn' | 'paidAmount' | 'refunded',
  change: Step | null,
  formatter: FigureFormatter,
): string | undefined {
  if (change === null) return undefined;
  const amount = formatter.amount(change.amount);
  return formatter.texts.say(`correction.${name}.${change.more ? 'more' : 'less'}`, { amount });
}

/** How much more or less came in. `undefined` when it is the same or unknown. */
export function cameInFact(
  was: string | null,
  is: string | null,
  formatter: FigureFormatter,
): string | undefined {
  return amountFact('cameIn', step(was, is), formatter);
}

function paidFact(before: Figures, after: Figures, formatter: FigureFormatter): string | undefined {
  const { texts } = formatter;
  const [countWas, countIs] = [before.counts.paid, after.counts.paid];
  const [amountWas, amountIs] = [before.amounts?.paid ?? null, after.amounts?.paid ?? null];
  const paid = step(amountWas, amountIs);
  const fact =
    countFact('paid', [countWas, countIs], paid, formatter) ?? amountFact('paidAmount', paid, formatter);
  if (fact !== undefined) return fact;
  if (countWas === null && countIs !== null)
    return texts.say('correction.paid.known', { value: formatter.count(countIs) });
  if (countWas !== null && countIs === null) return texts.say('correction.paid.unknown');
  if (amountWas === null && amountIs !== null)
    return texts.say('correction.paidAmount.known', { amount: formatter.amount(amountIs) });
  return amountWas !== null && amountIs === null ? texts.say('correction.paidAmount.unknown') : undefined;
}

/** The registry's usual name for refunds that were paid out, and the one for statuses that it does not name. */
const [APPROVED, OTHER] = ['approved', 'other'];

function refundFact(before: Figures, after: Figures, formatter: FigureFormatter): string | undefined {
  const [was, is] = [before.refunds, after.refunds];
  const all = step(was.total, is.total);
  const [approvedWas, approvedIs] = [refundsOf(was, APPROVED), refundsOf(is, APPROVED)];
  const approved = step(approvedWas.total, approvedIs.total);
  const hasChanged = changedFigures(before, after).some(({ figure }) => figure.of === 'refunds');
  return (
    countFact('refunds', [was.count, is.count], all, formatter) ??
    amountFact('refunded', all, formatter) ??
    countFact('approved', [approvedWas.count, approvedIs.count], approved, formatter) ??
    (hasChanged ? formatter.texts.say('correction.refundsChanged') : undefined)
  );
}

function stateFact(before: Figures, after: Figures, formatter: FigureFormatter): string | undefined {
  return (['cancelled', 'notPaid', 'total'] as const)
    .map((name) => countFact(name, [before.counts[name], after.counts[name]], null, formatter))
    .find((fact) => fact !== undefined);
}

/** The first fact of what changed, whether or not the figures match the payment service. */
export function firstFact(before: Figures, after: Figures, formatter: FigureFormatter): string | undefined {
  return (
    cameInFact(before.received?.sum ?? null, after.received?.sum ?? null, formatter) ??
    paidFact(before, after, formatter) ??
    refundFact(before, after, formatter) ??
    stateFact(before, after, formatter)
  );
}

/**
 * What changed, in one fact, so that a subject is read at a glance: what came in, else paid invoices, else
 * refunds, else the other states, else whether the figures match the payment service.
 */
export function whatChanged(before: Figures, after: Figures, formatter: FigureFormatter): string {
  const { texts } = formatter;
  const fact = firstFact(before, after, formatter);
  if (fact !== undefined) return fact;
  if (before.balanced !== after.balanced) {
    return texts.say(after.balanced ? 'correction.balanced' : 'correction.unbalanced');
  }
  return texts.say(changedFigures(before, after).length > 0 ? 'correction.some' : 'correction.none');
}

/** The approved refunds of the day. `null` when a status has no name and may mean the same. */
export function approvedAmount({ refunds }: Figures): string | null {
  return refundsOf(refunds, OTHER).count > 0 ? null : refundsOf(refunds, APPROVED).total;
}

export type NamedChange = readonly [name: TextName, change: Change];

/**
 * What is new in net, refunds and unpaid invoices, or that nothing is. It never repeats the subject, which says other figures.
 * @param net `null` when the two mails do not know it on one basis
 */
export function preheaderOf(
  net: NamedChange | null,
  refunded: Change,
  unpaid: Change,
  formatter: FigureFormatter,
): string {
  const { texts } = formatter;
  const figures: NamedChange[] = [
    ...(net === null ? [] : [net]),
    ['correction.refunded', refunded],
    ['correction.unpaid', unpaid],
  ];
  const changed = figures
    .filter(([, [was, is]]) => was !== is)
    .map(([name, [was, is]]) =>
      texts.say('correction.preheader', { figure: texts.say(name), change: changeText(was, is, formatter) }),
    );
  return changed.length === 0 ? texts.say('correction.preheader.same') : changed.join(' · ');
}
