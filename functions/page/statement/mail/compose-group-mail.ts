import { brandOf } from '#mail/message/mail-head.ts';
import { composeMail } from '#mail/message/mime.ts';
import type { ComposedMail } from '#mail/once/mail-round.ts';
import type { GroupSettings } from '#registry/groups.ts';
import type { GroupPage } from '#page/figures/group-page.ts';
import { renderGroup } from '#page/rendering/group/render-group.ts';
import type { Dependencies } from '../dependencies.ts';
import { statementMailHead } from './statement-mail-head.ts';
import { WORKBOOK_TYPE } from '#page/workbook/write-workbook.ts';
import { pageFileName } from '#page/rendering/attachments/file-name.ts';
import type { GroupInput } from '#page/rendering/group/group-input.ts';
import { groupWorkbook } from '#page/rendering/group/group-workbook.ts';
import { attachedFiles } from './attached-files.ts';
import type { BuiltAttachments } from './attached-files.ts';

type MailedGroupSettings = GroupInput['group'] & { attachXlsx: boolean };

/** With every merchant, unless the group does not want it. */
async function groupAttachments(group: MailedGroupSettings, page: GroupPage): Promise<BuiltAttachments> {
  if (!group.attachXlsx) return attachedFiles([]);
  const { writeWorkbook } = await import('#page/workbook/write-workbook.ts');
  const { period, revision, merchants, missing } = page;
  const named = { name: group.name, code: group.name };
  return attachedFiles([
    {
      format: 'xlsx',
      filename: pageFileName('group', named, { time: period, revision }, 'xlsx'),
      contentType: WORKBOOK_TYPE,
      content: await writeWorkbook(groupWorkbook({ group, page })),
      rows: merchants.length + missing.length,
    },
  ]);
}

export interface GroupMail {
  page: GroupPage;
  preview: boolean;
}

/** Renders the mail from the sealed page alone: a run that continues sends the same mail. */
export async function composeGroupMail(
  { senderProfile }: Pick<Dependencies, 'senderProfile'>,
  settings: GroupSettings,
  { page, preview }: GroupMail,
): Promise<ComposedMail> {
  const { group, period, revision, sealedAt } = page;
  const brand = brandOf(senderProfile, settings);
  const mailed = { ...settings, brand };
  const { files, described } = await groupAttachments(mailed, page);
  const rendered = renderGroup({ group: mailed, page, preview, attachments: described });
  const kind = preview ? 'preview' : 'group';
  const head = statementMailHead(senderProfile, brand, kind, { owner: { group }, period, revision });
  return (to) => composeMail({ ...head, to, ...rendered, attachments: files, at: Date.parse(sealedAt) });
}
