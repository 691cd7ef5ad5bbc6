import type { Figures } from '#records/figures/figure-schemas.ts';
import { formatAmount, parseSum } from '#records/money/money.ts';
import type { FigureFormatter } from '#mail/formatters/figure-formatter.ts';
import { changeText } from './change-words.ts';
import type { FigureValue } from './changed-figures.ts';

/** The registry's usual name for refunds that were paid out, and the one for statuses that it does not name. */
const [APPROVED, OTHER] = ['approved', 'other'];

function countOf({ byStatus }: Figures['refunds'], status: string): number {
  return (Object.hasOwn(byStatus, status) ? byStatus[status]?.count : undefined) ?? 0;
}

/** `null` when a status has no name and may mean the same. */
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
 */
export function preheaderOf(before: Figures, after: Figures, formatter: FigureFormatter): string {
  const { texts } = formatter;
  return preheaderOfFigures(
    [
      {
        label: texts.say('correction.net'),
        was: receivedLessRefunds(before),
        is: receivedLessRefunds(after),
      },
      { label: texts.say('correction.refunded'), was: approvedAmount(before), is: approvedAmount(after) },
      { label: texts.say('correction.unpaid'), was: before.counts.notPaid, is: after.counts.notPaid },
    ],
    formatter,
  );
}
