import type { AttachmentSettings } from '#domain/registry/attachment-settings.ts';
import type { WordSettings } from '../attachments/attachment-words.ts';
import type { MailedMerchant } from '../report/report-input.ts';

/** The merchant of a workbook: the registry's settings have all of it. */
export interface WorkbookMerchant extends MailedMerchant, WordSettings {
  language: MailedMerchant['language'];
  attachments: AttachmentSettings;
}
