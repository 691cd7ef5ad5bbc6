import type { CommandContext } from '../context.ts';
import { counted } from '../terminal/counted.ts';
import { shown } from '../terminal/shown-text.ts';
import type { ResendMember } from './resend-option.ts';

/** The most addresses that a question names. */
const MOST_NAMED = 5;

/** A mail that no schedule sends. */
export interface AskedMail {
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
  { output, questions }: Pick<CommandContext, 'output' | 'questions'>,
  { what, to, whom }: AskedMail,
): Promise<boolean> {
  if (to.length === 0) return true;
  const named = to.slice(0, MOST_NAMED).join(', ');
  const more = to.length > MOST_NAMED ? ` and ${to.length - MOST_NAMED} more` : '';
  const which = whom === undefined ? '' : `, ${whom}`;
  const question = `Mail ${what} to ${counted(to.length, 'recipient')} (${named}${more})${which}?`;
  if (await questions.confirm(shown(question, 1_000))) return true;
  output.note('Nothing was sent.');
  return false;
}

/** The members of an event that decide about its mail. */
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
