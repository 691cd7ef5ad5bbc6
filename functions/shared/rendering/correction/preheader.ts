import type { Figures } from '#domain/figures/figures.ts';
import { formatAmount, parseSum } from '#domain/money/money.ts';
import type { FigureFormatter } from '../formatters/figure-formatter.ts';
import { changeText } from './change-words.ts';

/** The registry's usual name for refunds that were paid out, and the one for statuses that it does not name. */
const [APPROVED, OTHER] = ['approved', 'other'];

function countOf({ byStatus }: Figures['refunds'], status: string): number {
  return (Object.hasOwn(byStatus, status) ? byStatus[status]?.count : undefined) ?? 0;
}

/** The approved refunds of the day, `null` when a status has no name and may mean the same. */
function approvedAmount({ refunds }: Figures): string | null {
  if (countOf(refunds, OTHER) > 0) return null;
  return (
    (Object.hasOwn(refunds.byStatus, APPROVED) ? refunds.byStatus[APPROVED]?.total : undefined) ?? '0.000'
  );
}

/** What was received less the approved refunds. `null` when a part is unknown or does not balance. */
function receivedLessRefunds(figures: Figures): string | null {
  const approved = approvedAmount(figures);
  if (!figures.balanced || figures.amounts === null || approved === null) return null;
  return formatAmount(parseSum(figures.amounts.paid) - parseSum(approved));
}

/** What is new in net, refunds and unpaid invoices. It never repeats the subject, which says other figures. */
export function preheaderOf(before: Figures, after: Figures, formatter: FigureFormatter): string {
  const { texts } = formatter;
  const parts = [
    { name: 'net', was: receivedLessRefunds(before), is: receivedLessRefunds(after) },
    { name: 'refunded', was: approvedAmount(before), is: approvedAmount(after) },
    { name: 'unpaid', was: before.counts.notPaid, is: after.counts.notPaid },
  ] as const;
  const changed = parts
    .filter(({ was, is }) => was !== is)
    .map(({ name, was, is }) => {
      const change = changeText(was, is, formatter);
      return texts.say('correction.preheader', { figure: texts.say(`correction.${name}`), change });
    });
  return changed.length === 0 ? texts.say('correction.preheader.same') : changed.join(' · ');
}
