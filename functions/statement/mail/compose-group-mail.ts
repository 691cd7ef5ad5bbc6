import { brandOf } from '#mailing/message/mail-head.ts';
import { composeMail } from '#mailing/message/mime.ts';
import type { ComposedMail } from '#mailing/once/mail-round.ts';
import type { GroupSettings } from '#domain/registry/groups.ts';
import type { GroupPage } from '#domain/statement/group-page.ts';
import { renderGroup } from '#rendering/group/render-group.ts';
import type { Dependencies } from '../dependencies.ts';
import { groupAttachments } from './group-attachments.ts';
import { headOfPage } from './page-head.ts';

/** The mail to make of a group's page. */
export interface GroupMail {
  page: GroupPage;
  preview: boolean;
}

/** Renders the mail of a group's page from the sealed page alone. So a run that continues after another one sends the same mail. */
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
  const head = headOfPage(senderProfile, brand, kind, { owner: { group }, period, revision });
  return (to) => composeMail({ ...head, to, ...rendered, attachments: files, at: Date.parse(sealedAt) });
}
