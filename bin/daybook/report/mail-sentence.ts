import type { Style } from '../terminal/style.ts';
import type { ReportAnswer } from './report-answer.ts';
import { counted } from '../terminal/counted.ts';

/** What became of the mail, in a sentence, and what to do when somebody has to do something. */
export function mailSentence(
  { mail, merchantCode, day }: ReportAnswer,
  isDryRun: boolean,
): { text: string; style: Style } {
  const { status, reason, messageIds } = mail;
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
        text: `Mail: held. It is not known whether it reached everybody. "daybook why ${merchantCode} ${day}" says more.`,
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
