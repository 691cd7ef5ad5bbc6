import type { CommandContext } from '../context.ts';
import type { ReportAnswer } from '../stage/function-answers.ts';
import { counted, firstNamed } from '../terminal/shown-text.ts';
import { UsageError } from '../terminal/command-errors.ts';
import type { Style } from '../terminal/table.ts';

const MOST_NAMED = 5;

interface AskedMail {
  /** What goes out, such as `the report of 2026-11-20 of 700001`. */
  what: string;
  /** Who gets it. Nobody is asked about a mail to nobody. */
  to: readonly string[];
  /** Which of them: `to those who do not have it yet`. */
  whom?: string;
}

/**
 * Asks before a mail goes out that no schedule sends: who gets what?
 *
 * @returns whether it may go out
 * @throws {UsageError} when nobody can answer: `--yes` says it then
 */
export async function mayMail(
  { questions }: Pick<CommandContext, 'questions'>,
  { what, to, whom }: AskedMail,
): Promise<boolean> {
  if (to.length === 0) return true;
  const which = whom === undefined ? '' : `, ${whom}`;
  const question = `Mail ${what} to ${counted(to.length, 'recipient')} (${firstNamed(to, MOST_NAMED)})${which}?`;
  return questions.confirm(question, 'Nothing was sent.');
}

interface AskedEvent extends ResendMember {
  to?: readonly string[];
  dryRun?: true;
  send?: false;
}

/** To whom the event of a report or a statement sends a mail. `undefined`: it sends none. */
export function askedRecipients(
  { to, resend, dryRun, send }: AskedEvent,
  recipients: readonly string[],
): Omit<AskedMail, 'what'> | undefined {
  if (dryRun === true || send === false) return undefined;
  if (to !== undefined) return { to };
  if (typeof resend === 'object') return { to: resend };
  if (resend === true) return { to: recipients, whom: 'also to those who have it' };
  return { to: recipients, whom: 'to those who do not have it yet' };
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

export interface ResendOptions {
  resend?: true | undefined;
  failed?: true | undefined;
  only?: readonly string[] | undefined;
}

/** The member `resend` of an event. */
export interface ResendMember {
  resend?: true | 'failed' | readonly string[];
}

/**
 * To whom a mail is sent again.
 *
 * @throws {UsageError} when the options contradict each other
 */
export function resendOf({ resend, failed, only }: ResendOptions): ResendMember {
  if (resend === undefined) {
    if (failed === undefined && only === undefined) return {};
    throw new UsageError(`${failed === undefined ? '--only' : '--failed'} goes with --resend`);
  }
  if (failed !== undefined && only !== undefined) {
    throw new UsageError('give either --failed or --only: each says to whom it is sent again');
  }
  return { resend: failed === undefined ? (only ?? true) : 'failed' };
}

/** @throws {UsageError} when more than one of them is given. @param options as they are typed, `undefined` when not given */
export function assertOnlyOne(options: readonly (string | false | undefined)[]): void {
  const asked = options.filter((option) => typeof option === 'string');
  if (asked.length > 1) throw new UsageError(`${asked.join(' and ')} cannot be given together`);
}
