import type { Figures } from '#records/figures/figure-schemas.ts';
import { periodKind } from '#records/period/period.ts';
import { figuresOfStatement, isEmptyStatement } from '#page/figures/statement.ts';
import type { Statement } from '#page/figures/statement.ts';
import { NOT_CORRECTED, UNCHANGED, isMovement, sameFigures } from '#page/mail-decision.ts';
import type { Corrections, PageDecision } from '#page/mail-decision.ts';

const TOLD_DAILY = 'what changed is told in the daily reports';

/**
 * A month is corrected when something was wrong that was mailed as a fact; what is paid or decided later is told in the
 * daily reports. With `each` it is corrected when any figure has changed. A week's recipients get a second mail only when
 * the first was provisional and the week is final now.
 * @param mailed `differs`: in a charge, a net, a type or a payment method; `adjusts`: otherwise, so that it is corrected
 */
export function decideStatementMail(
  statement: Statement,
  mailed: { figures: Figures; differs: boolean; adjusts?: boolean } | null,
  { skipEmpty, corrections }: { skipEmpty: boolean; corrections: Corrections },
): PageDecision {
  if (mailed === null) {
    return skipEmpty && isEmptyStatement(statement)
      ? { kind: 'skipped', reason: 'the period is empty' }
      : { kind: 'first' };
  }
  const figures = figuresOfStatement(statement);
  const isSame = sameFigures(mailed.figures, figures);
  if (!mailed.differs && !mailed.adjusts && isSame) return UNCHANGED;
  if (corrections === 'none') return NOT_CORRECTED;
  // Nothing else tells what changed in a closed statement.
  if (mailed.adjusts || (statement.final && !mailed.figures.balanced)) return { kind: 'correction' };
  if (periodKind(statement.period) !== 'month')
    return { kind: 'skipped', reason: 'the mail of a week is not corrected' };
  const isTold = corrections === 'morning' && !isSame && isMovement(mailed.figures, figures);
  return isTold ? { kind: 'skipped', reason: TOLD_DAILY } : { kind: 'correction' };
}
