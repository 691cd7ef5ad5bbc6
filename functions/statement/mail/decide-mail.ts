import { periodKind } from '#domain/period/period.ts';
import { sameFigures } from '#domain/mail/mail-decision.ts';
import type { Figures } from '#domain/figures/figures.ts';
import type { Statement } from '#domain/statement/statement.ts';
import type { PageDecision } from '#mailing/pages/mailed-page.ts';

/** The figures of a statement that decide about its correction. `balanced` says whether it is final. */
export function figuresOfStatement({ counts, amounts, refunds, final }: Statement): Figures {
  return { counts, amounts, refunds, balanced: final };
}

/** The newest earlier mail. */
export interface MailedStatement {
  /** The figures in its ledger. */
  figures: Figures;
  /** Whether the new mail shows another figure beside them: a charge, a net, a type or a payment method. */
  differs: boolean;
}

/** What the decision needs besides the statement. */
export interface StatementWish {
  send: boolean;
  skipEmpty: boolean;
  recipients: number;
}

function isEmpty({ counts, refunds, final }: Statement): boolean {
  return final && counts.total === 0 && refunds.count === 0;
}

/**
 * Decides what becomes of a statement's mail. A month is corrected when a figure of its mail has changed. A week is not:
 * its recipients get one mail, and a second one only when the first was provisional and the week is final now.
 *
 * @param mailed the newest earlier mail, `null` when there is none
 */
export function decideStatementMail(
  statement: Statement,
  mailed: MailedStatement | null,
  { send, skipEmpty, recipients }: StatementWish,
): PageDecision {
  if (!send) return { kind: 'skipped', reason: 'not asked for' };
  if (recipients === 0) return { kind: 'skipped', reason: 'the merchant has no recipients' };
  if (mailed === null) {
    return skipEmpty && isEmpty(statement)
      ? { kind: 'skipped', reason: 'the period is empty' }
      : { kind: 'first' };
  }
  if (!mailed.differs && sameFigures(mailed.figures, figuresOfStatement(statement))) {
    return { kind: 'skipped', reason: 'no figure has changed since the last mail' };
  }
  const isFinalNow = statement.final && !mailed.figures.balanced;
  if (periodKind(statement.period) === 'month' || isFinalNow) return { kind: 'correction' };
  return { kind: 'skipped', reason: 'the mail of a week is not corrected' };
}
