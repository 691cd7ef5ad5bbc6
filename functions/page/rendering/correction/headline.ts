import type { Figures } from '#records/figures/figure-schemas.ts';
import { formatAmount, parseSum } from '#records/money/money.ts';
import type { FigureFormatter } from '#mail/formatters/figure-formatter.ts';
import { changedFigures, refundsOf, changeText } from './changed-figures.ts';
import type { FigureValue } from './changed-figures.ts';

type Counted = 'paid' | 'notPaid' | 'cancelled' | 'total' | 'refunds' | 'approved';

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

/** `12 more paid, +440.500 KWD`. Empty when the count did not change or is unknown. */
function countFact(
  name: Counted,
  [was, is]: readonly [number | null, number | null],
  amount: Step | null,
  formatter: FigureFormatter,
): string[] {
  if (was === null || is === null || was === is) return [];
  const { texts } = formatter;
  const count = Math.abs(is - was);
  const said = texts.say(`correction.${name}.${is > was ? 'more' : 'fewer'}`, { count });
  if (amount === null) return [said];
  const by = texts.say(amount.more ? 'correction.gained' : 'correction.lost', {
    amount: formatter.amount(amount.amount),
  });
  return [[said, by].join(texts.say('comma'))];
}

function amountFact(
  name: 'cameIn' | 'paidAmount' | 'refunded',
  change: Step | null,
  formatter: FigureFormatter,
): string[] {
  if (change === null) return [];
  const amount = formatter.amount(change.amount);
  return [formatter.texts.say(`correction.${name}.${change.more ? 'more' : 'less'}`, { amount })];
}

function knowledgeFacts(
  [countWas, countIs]: readonly [number | null, number | null],
  [amountWas, amountIs]: readonly [string | null, string | null],
  formatter: FigureFormatter,
): string[] {
  const { texts } = formatter;
  const facts: string[] = [];
  if (countWas === null && countIs !== null)
    facts.push(texts.say('correction.paid.known', { value: formatter.count(countIs) }));
  if (countWas !== null && countIs === null) facts.push(texts.say('correction.paid.unknown'));
  if (amountWas === null && amountIs !== null)
    facts.push(texts.say('correction.paidAmount.known', { amount: formatter.amount(amountIs) }));
  if (amountWas !== null && amountIs === null) facts.push(texts.say('correction.paidAmount.unknown'));
  return facts;
}

/** Where both mails say what came in. */
function cameInFacts(
  { received: was }: Figures,
  { received: is }: Figures,
  formatter: FigureFormatter,
): string[] {
  return amountFact('cameIn', step(was?.sum ?? null, is?.sum ?? null), formatter);
}

function paidFacts(before: Figures, after: Figures, formatter: FigureFormatter): string[] {
  const counts = [before.counts.paid, after.counts.paid] as const;
  const amounts = [before.amounts?.paid ?? null, after.amounts?.paid ?? null] as const;
  const paid = step(...amounts);
  const counted = countFact('paid', counts, paid, formatter);
  return [
    ...(counted.length > 0 ? counted : amountFact('paidAmount', paid, formatter)),
    ...knowledgeFacts(counts, amounts, formatter),
  ];
}

/** The registry's usual name for refunds that were paid out, and the one for statuses that it does not name. */
const [APPROVED, OTHER] = ['approved', 'other'];

function refundFacts(before: Figures, after: Figures, formatter: FigureFormatter): string[] {
  const [was, is] = [before.refunds, after.refunds];
  const all = countFact('refunds', [was.count, is.count], step(was.total, is.total), formatter);
  if (all.length > 0) return all;
  const sum = amountFact('refunded', step(was.total, is.total), formatter);
  if (sum.length > 0) return sum;
  const [approvedWas, approvedIs] = [refundsOf(was, APPROVED), refundsOf(is, APPROVED)];
  const approved = step(approvedWas.total, approvedIs.total);
  const counted = countFact('approved', [approvedWas.count, approvedIs.count], approved, formatter);
  if (counted.length > 0) return counted;
  const hasChanged = changedFigures(before, after).some(({ figure }) => figure.of === 'refunds');
  return hasChanged ? [formatter.texts.say('correction.refundsChanged')] : [];
}

function stateFacts(before: Figures, after: Figures, formatter: FigureFormatter): string[] {
  const factOf = (name: 'cancelled' | 'notPaid' | 'total') =>
    countFact(name, [before.counts[name], after.counts[name]], null, formatter);
  return [...factOf('cancelled'), ...factOf('notPaid'), ...factOf('total')];
}

/** The first fact of what changed, whether or not the figures match the payment service. */
export function firstFact(before: Figures, after: Figures, formatter: FigureFormatter): string | undefined {
  const [fact] = [
    ...cameInFacts(before, after, formatter),
    ...paidFacts(before, after, formatter),
    ...refundFacts(before, after, formatter),
    ...stateFacts(before, after, formatter),
  ];
  return fact;
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

/** `null` when a status has no name and may mean the same. */
function approvedAmount({ refunds }: Figures): string | null {
  return refundsOf(refunds, OTHER).count > 0 ? null : refundsOf(refunds, APPROVED).total;
}

export interface PreheaderFigure {
  label: string;
  was: FigureValue;
  is: FigureValue;
}

/** The figures that changed, or that none did. */
export function preheaderOfFigures(figures: readonly PreheaderFigure[], formatter: FigureFormatter): string {
  const { texts } = formatter;
  const changed = figures
    .filter(({ was, is }) => was !== is)
    .map(({ label, was, is }) =>
      texts.say('correction.preheader', { figure: label, change: changeText(was, is, formatter) }),
    );
  return changed.length === 0 ? texts.say('correction.preheader.same') : changed.join(' · ');
}

/**
 * What is new in net, refunds and unpaid invoices. It never repeats the subject, which says other figures.
 * @param net if both mails know it on one basis
 */
export function preheaderOf(
  before: Figures,
  after: Figures,
  net: PreheaderFigure | null,
  formatter: FigureFormatter,
): string {
  const { texts } = formatter;
  return preheaderOfFigures(
    [
      ...(net === null ? [] : [net]),
      { label: texts.say('correction.refunded'), was: approvedAmount(before), is: approvedAmount(after) },
      { label: texts.say('correction.unpaid'), was: before.counts.notPaid, is: after.counts.notPaid },
    ],
    formatter,
  );
}
