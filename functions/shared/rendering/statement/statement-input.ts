import type { AttachmentSettings } from '#domain/registry/attachment-settings.ts';
import type { Statement } from '#domain/statement/statement.ts';
import type { MailedMerchant } from '../report/report-input.ts';

/** The format of a file that is attached to a statement or a group's page. */
export type StatementFormat = 'pdf' | 'xlsx';

/** A file of a statement or a group's page: attached, or too large for the mail. */
export type StatementAttachment =
  | { kind: 'attached'; format: StatementFormat; filename: string }
  /** `rows` of all its tables. */
  | { kind: 'too-big'; format: StatementFormat; rows: number };

/** The merchant of a statement. */
export interface StatementMerchant extends MailedMerchant {
  /** The registry's words for payment methods. Left out: there are none. */
  attachments?: Pick<AttachmentSettings, 'paymentMethods'>;
}

/** The input of a statement's mail: the merchant's settings and a sealed statement. A later run has the same. */
export interface StatementInput {
  merchant: StatementMerchant;
  statement: Statement;
  /** Whether it is sent to chosen addresses on request, and marked so. */
  preview: boolean;
  attachments: readonly StatementAttachment[];
  /** Whether it replaces a statement whose amounts were in another currency, and is marked so. */
  isReplacement?: boolean;
}

/** The input of the mail about a later revision of a statement. */
export interface StatementCorrectionInput extends StatementInput {
  /** The statement of the mail that is corrected. */
  before: Statement;
}
