import { attachedFiles, pageFileName, pageMail } from '#page/page-mail.ts';
import type { BuiltAttachments } from '#page/page-mail.ts';
import type { PagePlace } from '#records/storage/keys.ts';
import { brandOf } from '#mail/message/mail-head.ts';
import type { ComposedMail } from '#mail/once/mail-round.ts';
import type { MerchantSettings } from '#registry/registry-schema.ts';
import type { Statement } from '#page/figures/statement.ts';
import { renderStatementCorrection } from '#page/rendering/statement/render-statement-correction.ts';
import { renderStatement } from '#page/rendering/statement/render-statement.ts';
import type { Dependencies } from '../dependencies.ts';
import { statementAttachments } from './statement-attachments.ts';
import type { GroupSettings } from '#registry/groups.ts';
import type { GroupPage } from '#page/figures/group-page.ts';
import { renderGroup } from '#page/rendering/group/render-group.ts';
import { WORKBOOK_TYPE } from '#page/workbook/write-workbook.ts';
import type { GroupInput } from '#page/rendering/group/group-formatter.ts';
import { groupWorkbook } from '#page/rendering/group/group-workbook.ts';

interface StatementMail {
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
  const place = { owner: { merchantCode }, period, revision };
  return pageMail(senderProfile, brand, { kind, place, rendered, files, at: sealedAt });
}

function placeOf({ group, period, revision }: GroupPage): PagePlace {
  return { owner: { group }, period, revision };
}

type MailedGroupSettings = GroupInput['group'] & { attachXlsx: boolean };

/** With every merchant, unless the group does not want it. */
async function groupAttachments(group: MailedGroupSettings, page: GroupPage): Promise<BuiltAttachments> {
  if (!group.attachXlsx) return attachedFiles([]);
  const { writeWorkbook } = await import('#page/workbook/write-workbook.ts');
  const { merchants, missing } = page;
  return attachedFiles([
    {
      format: 'xlsx',
      filename: pageFileName('group', group.name, placeOf(page), 'xlsx'),
      contentType: WORKBOOK_TYPE,
      content: await writeWorkbook(groupWorkbook({ group, page })),
      rows: merchants.length + missing.length,
    },
  ]);
}

interface GroupMail {
  page: GroupPage;
  preview: boolean;
}

/** Renders the mail from the sealed page alone: a run that continues sends the same mail. */
export async function composeGroupMail(
  { senderProfile }: Pick<Dependencies, 'senderProfile'>,
  settings: GroupSettings,
  { page, preview }: GroupMail,
): Promise<ComposedMail> {
  const { sealedAt } = page;
  const brand = brandOf(senderProfile, settings);
  const mailed = { ...settings, brand };
  const { files, described } = await groupAttachments(mailed, page);
  const rendered = renderGroup({ group: mailed, page, preview, attachments: described });
  const kind = preview ? 'preview' : 'group';
  return pageMail(senderProfile, brand, { kind, place: placeOf(page), rendered, files, at: sealedAt });
}

export { differsInMail } from '#page/rendering/statement/changed-statement.ts';
