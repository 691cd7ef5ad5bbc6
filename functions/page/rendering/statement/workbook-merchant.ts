import type { AttachmentSettings } from '#registry/registry-schema.ts';
import type { WordSettings } from '../attachments/attachment-words.ts';
import type { MailedMerchant } from '#mail/template/mailed-merchant.ts';

export interface WorkbookMerchant extends MailedMerchant, WordSettings {
  language: MailedMerchant['language'];
  attachments: AttachmentSettings;
}
