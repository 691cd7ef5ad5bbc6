import { createHash } from 'node:crypto';
import type { NotifiedDay } from './notified-day.ts';
import type { WatchAnswer } from './watch-answer.ts';

/** A notice to ops. `about` identifies it, so that it is sent once. */
export interface WatchNotice {
  about: string;
  subject: string;
  text: string;
}

/** The most reports that a notice lists. */
const MOST_LISTED = 100;

/**
 * What the subject says happened. An unbalanced report did arrive, and one with a complaint too, unless it
 * was not sent because of an earlier complaint. So ops do not look for a report that arrived.
 */
function whatHappened(missing: WatchAnswer['missing']): string {
  const reasons = new Set(missing.map(({ reason }) => reason));
  if (!reasons.has('unbalanced') && !reasons.has('complained')) return 'did not arrive';
  const look = missing.length === 1 ? 'needs a look' : 'need a look';
  return reasons.has('unbalanced') && reasons.size === 1 ? look : `did not arrive or ${look}`;
}

/**
 * The notice of what is missing. The same set of reports gives the same `about`, in any order, until an
 * all-clear.
 *
 * @param spells each day that was looked at, with its number of all-clears
 */
export function watchNotice({ expected, missing }: WatchAnswer, spells: readonly string[]): WatchNotice {
  const count = missing.length;
  const what = whatHappened(missing);
  const lines = missing.map(({ merchantCode, day, reason }) => `${merchantCode}, day ${day}: ${reason}`);
  const listed = lines.slice(0, MOST_LISTED);
  if (count > MOST_LISTED) listed.push(`… and ${count - MOST_LISTED} more, in the answer of delivery-watch`);
  const byReason = Map.groupBy(missing, ({ reason }) => reason);
  const sums = [...byReason].map(([reason, reports]) => `${reports.length} × ${reason}`);
  const content = createHash('sha256')
    .update([...spells, ...lines.toSorted()].join('\n'))
    .digest('hex');
  return {
    about: `missing reports ${content}`,
    subject: `${count === 1 ? 'A report' : `${count} reports`} ${what}`,
    text: [`${count} of ${expected} reports that were due ${what}: ${sums.join(', ')}.`, '', ...listed].join(
      '\n',
    ),
  };
}

/** The notice that all is well again on a day of which ops know trouble. */
export function allClearNotice({ day, spell, told }: NotifiedDay): WatchNotice {
  const count = told.length;
  const whose = told.slice(0, MOST_LISTED).map(({ merchantCode }) => merchantCode);
  if (count > MOST_LISTED) whose.push(`… and ${count - MOST_LISTED} more`);
  return {
    about: `all is well again: ${day}, ${spell}`,
    subject: `The reports of ${day} are all there now`,
    text: [
      `Nothing is missing of day ${day} any more, and nothing needs a look. You were notified of ${count === 1 ? 'this merchant' : `these ${count} merchants`}:`,
      '',
      ...whose,
    ].join('\n'),
  };
}
