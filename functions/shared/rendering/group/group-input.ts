import type { GroupPage } from '#domain/statement/group-page.ts';
import type { MailedMerchant } from '../report/report-input.ts';
import type { StatementAttachment } from '../statement/statement-input.ts';

/** A group of the registry, as far as its mail shows it. The language is that of its recipients. */
export interface MailedGroup extends Pick<MailedMerchant, 'timeZone' | 'language' | 'brand'> {
  name: string;
}

/** The input of a group's mail: its settings and a sealed page. A later run has the same. */
export interface GroupInput {
  group: MailedGroup;
  page: GroupPage;
  /** Whether it is sent to chosen addresses on request, and marked so. */
  preview: boolean;
  attachments: readonly StatementAttachment[];
}
