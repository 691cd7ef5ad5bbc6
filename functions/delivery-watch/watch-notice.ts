import { createHash } from 'node:crypto';
import type { WatchAnswer } from './watch-answer.ts';

/** What ops are told, and by what it is known that they were told it. */
export interface WatchNotice {
  about: string;
  subject: string;
  text: string;
}

/** The most reports that a notice lists. */
const MOST_LISTED = 100;

/** The notice of what is missing, `undefined` when nothing is. The same set has the same `about`, in any order. */
export function watchNotice({ expected, missing }: WatchAnswer): WatchNotice | undefined {
  if (missing.length === 0) return undefined;
  const count = missing.length;
  const lines = missing.map(({ merchantCode, day, reason }) => `${merchantCode}, day ${day}: ${reason}`);
  const listed = lines.slice(0, MOST_LISTED);
  if (count > MOST_LISTED) listed.push(`… and ${count - MOST_LISTED} more, in the answer of delivery-watch`);
  const byReason = Map.groupBy(missing, ({ reason }) => reason);
  const sums = [...byReason].map(([reason, reports]) => `${reports.length} × ${reason}`);
  const content = createHash('sha256').update(lines.toSorted().join('\n')).digest('hex');
  return {
    about: `missing reports ${content}`,
    subject: count === 1 ? 'A report did not arrive' : `${count} reports did not arrive`,
    text: [
      `${count} of ${expected} reports that were due are not there whole: ${sums.join(', ')}.`,
      '',
      ...listed,
    ].join('\n'),
  };
}
