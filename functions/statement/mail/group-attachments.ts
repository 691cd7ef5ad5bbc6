import type { GroupPage } from '#domain/statement/group-page.ts';
import { WORKBOOK_TYPE } from '#mailing/workbook/write-workbook.ts';
import { pageFileName } from '#rendering/attachments/file-name.ts';
import type { GroupInput } from '#rendering/group/group-input.ts';
import { groupWorkbook } from '#rendering/group/group-workbook.ts';
import { attachedFiles } from './attached-files.ts';
import type { BuiltAttachments } from './attached-files.ts';

/** The group of a mail, and whether its mails have a workbook. */
export type MailedGroupSettings = GroupInput['group'] & { attachXlsx: boolean };

/** The attachments of a group's mail: the workbook with every merchant, unless the group does not want it. */
export async function groupAttachments(
  group: MailedGroupSettings,
  page: GroupPage,
): Promise<BuiltAttachments> {
  if (!group.attachXlsx) return attachedFiles([]);
  const { writeWorkbook } = await import('#mailing/workbook/write-workbook.ts');
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
