import type { MerchantSettings } from '#registry/registry-schema.ts';
import type { Statement } from '#page/figures/statement.ts';
import type { LastMailed, MailedPage, PageDecision } from '#page/mailed-page.ts';
import { unlessSpoilt } from '#page/page-store.ts';
import type { Dependencies } from '../dependencies.ts';
import { periodKind } from '#records/period/period.ts';
import { sameFigures } from '#page/mail-decision.ts';
import type { Figures } from '#records/figures/figure-schemas.ts';

/** `balanced` says whether it is final. */
function figuresOfStatement({ counts, amounts, refunds, final }: Statement): Figures {
  return { counts, amounts, refunds, balanced: final };
}

interface MailedStatement {
  figures: Figures;
  /** A charge, a net, a type or a payment method. */
  differs: boolean;
}

interface StatementWish {
  send: boolean;
  skipEmpty: boolean;
  recipients: number;
}

function isEmpty({ counts, refunds, final }: Statement): boolean {
  return final && counts.total === 0 && refunds.count === 0;
}

/**
 * A month is corrected when a figure has changed. A week's recipients get a second mail only when the first
 * was provisional and the week is final now.
 */
function decideStatementMail(
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

type Ports = Pick<Dependencies, 'statements' | 'snapshots' | 'senderProfile'>;

/** A statement's revision, for the mailing. @param send whether the event asks for the mail */
export function statementMail(
  ports: Ports,
  settings: MerchantSettings,
  statement: Statement,
  send: boolean,
): MailedPage {
  const { merchantCode, period, revision } = statement;
  const id = { owner: { merchantCode }, period };
  const readable = (number: number) =>
    unlessSpoilt(() => ports.statements.revision({ ...id, revision: number }));
  const mailedBefore = async ({ revision: number, figures }: LastMailed): Promise<MailedStatement | null> => {
    if (figures === null) return null;
    const before = await readable(number);
    const { differsInMail } = await import('./composers.ts');
    return { figures, differs: before !== undefined && differsInMail(before, statement) };
  };
  return {
    id,
    revision,
    figures: figuresOfStatement(statement),
    soFar: false,
    readAt: statement.sealedAt,
    readBy: statement.digest.slice(0, 16),
    firstKind: 'statement',
    recipients: settings.recipients,
    sealed: async (number) => {
      const sealed = await readable(number);
      return sealed && { figures: figuresOfStatement(sealed), soFar: false };
    },
    decide: async (before) => {
      const { skipEmpty, recipients } = settings;
      const mailed = before && (await mailedBefore(before));
      return decideStatementMail(statement, mailed, { send, skipEmpty, recipients: recipients.length });
    },
    // The code that renders and writes mails is loaded only when there is a mail to write.
    compose: async (corrects) => {
      const { composeStatementMail } = await import('./composers.ts');
      const before = corrects === null ? undefined : await readable(corrects.revision);
      return composeStatementMail(ports, settings, { statement, before: before ?? null, preview: false });
    },
    earlier: async (number) => {
      const earlier = await ports.statements.revision({ ...id, revision: number });
      return earlier && statementMail(ports, settings, earlier, send);
    },
  };
}
