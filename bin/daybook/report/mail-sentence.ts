import type { Style } from '../terminal/style.ts';
import { counted } from '../terminal/counted.ts';

/** What the answer of a function says of its mail. */
export interface AnsweredMail {
  status: string;
  reason?: string | undefined;
  messageIds: readonly string[];
}

/**
 * What became of the mail, in a sentence, and what to do when somebody has to do something.
 *
 * @param more where to read more of a held mail, such as `"daybook why 700001 2026-11-20" says more`
 */
export function mailSentence(
  { status, reason, messageIds }: AnsweredMail,
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
      return {
        text: `Mail: held. It is not known whether it reached everybody. ${more}.`,
        style: 'red',
      };
    case 'skipped':
      return isDryRun
        ? { text: 'Mail: none. This was a dry run: nothing was written or sent.', style: 'dim' }
        : { text: `Mail: none. The reason: ${reason ?? 'not known'}.`, style: 'yellow' };
    default:
      return { text: `Mail: ${status}.`, style: 'yellow' };
  }
}
