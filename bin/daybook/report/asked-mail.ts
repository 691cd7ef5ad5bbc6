import type { CommandContext } from '../context.ts';
import type { ReportAnswer } from '../stage/function-answers.ts';
import { counted, firstNamed } from '../terminal/shown-text.ts';
import { UsageError } from '../terminal/command-errors.ts';
import type { Style } from '../terminal/table.ts';

export interface MailOptions {
  dryRun?: true | undefined;
  to?: readonly string[] | undefined;
  resend?: true | undefined;
  failed?: true | undefined;
  only?: readonly string[] | undefined;
  /** `false` with `--no-send`. */
  send?: boolean;
}

export interface MailMembers {
  dryRun?: true;
  to?: readonly string[];
  resend?: true | 'failed' | readonly string[];
  send?: false;
}

/** @throws {UsageError} when the options contradict each other */
export function mailMembers({ dryRun, to, resend, failed, only, send }: MailOptions): MailMembers {
  const isUnsent = send === false;
  const asked = [dryRun && '--dry-run', to && '--to', resend && '--resend', isUnsent && '--no-send'];
  const given = asked.filter((option) => typeof option === 'string');
  if (given.length > 1) throw new UsageError(`${given.join(' and ')} cannot be given together`);
  if (failed !== undefined && only !== undefined && resend)
    throw new UsageError('give either --failed or --only: each says to whom it is sent again');
  if ((failed ?? only) !== undefined && !resend)
    throw new UsageError(`${failed === undefined ? '--only' : '--failed'} goes with --resend`);
  return {
    ...(resend && { resend: failed === undefined ? (only ?? resend) : ('failed' as const) }),
    ...(dryRun && { dryRun }),
    ...(to !== undefined && { to }),
    ...(isUnsent && { send: false as const }),
  };
}

const MOST_NAMED = 5;

/** Whether the function mails nobody, whatever it finds. */
export function isMailless({ dryRun, send }: MailMembers): boolean {
  return dryRun === true || send === false;
}

/**
 * Asks before a mail goes out that no schedule sends: who gets what? A mail to nobody needs no answer.
 *
 * @param what goes out, such as `the report of 2026-11-20 of 700001`
 * @param recipients of the merchant or the group
 * @returns whether it may go out
 * @throws {UsageError} when nobody can answer: `--yes` says it then
 */
export async function mayMail(
  { questions }: Pick<CommandContext, 'questions'>,
  what: string,
  event: MailMembers,
  recipients: readonly string[] = [],
): Promise<boolean> {
  const { to, resend } = event;
  const named = to ?? (typeof resend === 'object' ? resend : undefined);
  const all = named ?? recipients;
  if (isMailless(event) || all.length === 0) return true;
  const which = resend === true ? 'also to those who have it' : 'to those who do not have it yet';
  const whom = `${counted(all.length, 'recipient')} (${firstNamed(all, MOST_NAMED)})`;
  const question = `Mail ${what} to ${whom}${named === undefined ? `, ${which}` : ''}?`;
  return questions.confirm(question, 'Nothing was sent.');
}

/**
 * What became of the mail, in a sentence, and what to do when somebody has to do something.
 *
 * @param more where to read more of a held mail, such as `"daybook why 700001 2026-11-20" says more`
 */
export function mailSentence(
  { status, reason, messageIds }: ReportAnswer['mail'],
  more: string,
  isDryRun: boolean,
): { text: string; style: Style } {
  const count = counted(messageIds.length, 'recipient');
  switch (status) {
    case 'sent':
      return { text: `Mail: sent to ${count}.`, style: 'green' };
    case 'already-sent':
      return { text: `Mail: sent before, to ${count}. Nothing was sent now.`, style: 'green' };
    case 'preview':
      return { text: `Mail: a preview was sent to ${count}. No other mail was sent.`, style: 'green' };
    case 'held':
      return { text: `Mail: held. It is not known whether it reached everybody. ${more}.`, style: 'red' };
    case 'skipped':
      return isDryRun
        ? { text: 'Mail: none. This was a dry run: nothing was written or sent.', style: 'dim' }
        : { text: `Mail: none. The reason: ${reason ?? 'not known'}.`, style: 'yellow' };
    default:
      return { text: `Mail: ${status}.`, style: 'yellow' };
  }
}
