import { brandOf } from '#mail/message/mail-head.ts';
import { composeMail } from '#mail/message/mime.ts';
import type { ComposedMail } from '#mail/once/mail-round.ts';
import type { MerchantSettings } from '#registry/registry-schema.ts';
import type { Statement } from '#page/figures/statement.ts';
import { renderStatementCorrection } from '#page/rendering/statement/render-statement-correction.ts';
import { renderStatement } from '#page/rendering/statement/render-statement.ts';
import type { Dependencies } from '../dependencies.ts';
import { statementMailHead } from './statement-mail-head.ts';
import { statementAttachments } from './statement-attachments.ts';

export interface StatementMail {
  statement: Statement;
  /** `null` for the first mail. */
  before: Statement | null;
  preview: boolean;
}

/** Renders the mail from the sealed statement and files alone: a run that continues sends the same mail. */
export async function composeStatementMail(
  { senderProfile, snapshots }: Pick<Dependencies, 'senderProfile' | 'snapshots'>,
  settings: MerchantSettings,
  { statement, before, preview }: StatementMail,
): Promise<ComposedMail> {
  const { merchantCode, period, revision, sealedAt } = statement;
  const brand = brandOf(senderProfile, settings);
  const merchant = { ...settings, timeZone: statement.timeZone ?? settings.timeZone, brand };
  const { files, described } = await statementAttachments(snapshots, merchant, { statement, preview });
  const input = { merchant, statement, preview, attachments: described };
  const rendered = before === null ? renderStatement(input) : renderStatementCorrection({ ...input, before });
  const kind = preview ? 'preview' : before === null ? 'statement' : 'correction';
  const head = statementMailHead(senderProfile, brand, kind, { owner: { merchantCode }, period, revision });
  return (to) => composeMail({ ...head, to, ...rendered, attachments: files, at: Date.parse(sealedAt) });
}
