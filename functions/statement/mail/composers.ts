/*
 * The one way to the code that composes mails. A run that sends no mail does not load it.
 */
export { composeStatementMail } from './compose-statement-mail.ts';
export { composeGroupMail } from './compose-group-mail.ts';
