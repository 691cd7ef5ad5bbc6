/** The one way to the code that composes mails: a run without mail does not load it. */
export { composeStatementMail } from './compose-statement-mail.ts';
export { differsInMail } from '#page/rendering/statement/changed-statement.ts';
export { composeGroupMail } from './compose-group-mail.ts';
