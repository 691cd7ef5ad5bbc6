import type { AttachmentSettings } from '#registry/registry-schema.ts';
import type { Statement } from '#page/figures/statement.ts';
import type { MailedMerchant } from '#mail/template/mailed-merchant.ts';

export type StatementFormat = 'pdf' | 'xlsx';

export type StatementAttachment =
  | { kind: 'attached'; format: StatementFormat; filename: string }
  /** `rows` of all its tables. */
  | { kind: 'too-big'; format: StatementFormat; rows: number };

export interface StatementMerchant extends MailedMerchant {
  /** The registry's words for payment methods. Left out: there are none. */
  attachments?: Pick<AttachmentSettings, 'paymentMethods'>;
}

export interface StatementInput {
  merchant: StatementMerchant;
  statement: Statement;
  /** Whether it is sent to chosen addresses on request, and marked so. */
  preview: boolean;
  attachments: readonly StatementAttachment[];
  /** Whether it replaces a statement whose amounts were in another currency, and is marked so. */
  isReplacement?: boolean;
}

export interface StatementCorrectionInput extends StatementInput {
  /** The statement of the mail that is corrected. */
  before: Statement;
}
