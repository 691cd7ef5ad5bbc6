/*
 * The one way to the code that composes mails. A run that has no mail to send or to compare does not load it.
 */
export { composeStatementMail } from './compose-statement-mail.ts';
export { differsInMail } from '#rendering/statement/changed-statement.ts';
export { composeGroupMail } from './compose-group-mail.ts';
