import type { GroupPage } from '#page/figures/group-page.ts';
import type { MailedMerchant } from '#mail/template/mailed-merchant.ts';
import type { StatementAttachment } from '../statement/statement-input.ts';

export interface MailedGroup extends Pick<MailedMerchant, 'timeZone' | 'language' | 'brand'> {
  name: string;
}

export interface GroupInput {
  group: MailedGroup;
  page: GroupPage;
  /** Whether it is sent to chosen addresses on request, and marked so. */
  preview: boolean;
  attachments: readonly StatementAttachment[];
}
