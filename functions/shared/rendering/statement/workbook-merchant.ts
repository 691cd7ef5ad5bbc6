import type { AttachmentSettings } from '#domain/registry/attachment-settings.ts';
import type { WordSettings } from '../attachments/attachment-words.ts';
import type { MailedMerchant } from '../report/report-input.ts';

export interface WorkbookMerchant extends MailedMerchant, WordSettings {
  language: MailedMerchant['language'];
  attachments: AttachmentSettings;
}
