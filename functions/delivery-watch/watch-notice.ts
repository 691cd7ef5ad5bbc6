import { createHash } from 'node:crypto';
import type { NoticeCommand, OpsNotice } from '#domain/notices/ops-notice.ts';
import { MERCHANT_CODE } from '#domain/registry/registry-schema.ts';
import type { NotifiedDay } from './notified-day.ts';
import { adviceFor } from './reason-advice.ts';
import type { ReportsAnswer } from './watch-answer.ts';

type Missing = ReportsAnswer['missing'][number];

/** The most reports that a notice lists. */
const MOST_LISTED = 100;
/** The most reasons that a notice explains, the most frequent first. */
const MOST_REASONS = 8;

/**
 * What the subject says happened. An unbalanced report did arrive, and one with a complaint too, unless it
 * was not sent because of an earlier complaint. So ops do not look for a report that arrived.
 */
function whatHappened(missing: ReportsAnswer['missing']): string {
  const reasons = new Set(missing.map(({ reason }) => reason));
  if (!reasons.has('unbalanced') && !reasons.has('complained')) return 'did not arrive';
  const look = missing.length === 1 ? 'needs a look' : 'need a look';
  return reasons.has('unbalanced') && reasons.size === 1 ? look : `did not arrive or ${look}`;
}

function once(values: readonly string[]): string[] {
  return [...new Set(values)];
}

/** The commands about one report, as an example for all of them. */
function commandsAbout({ merchantCode, day, reason }: Missing): NoticeCommand[] {
  const whose = `${merchantCode}, ${day}`;
  const again = ['mail held', 'bounced', 'mail stopped'].includes(reason);
  return [
    {
      shows: `What happened to the report, step by step, and what to do (${whose})`,
      does: 'daybook',
      words: ['why', merchantCode, day],
    },
    {
      shows: again
        ? `Sends the newest revision to the recipients who do not have it (${whose})`
        : `Runs the report again. What is done is not done twice (${whose})`,
      does: 'daybook',
      words: ['report', merchantCode, '--day', day, ...(again ? ['--resend', '--failed'] : [])],
    },
  ];
}

/**
 * The notice of what is missing. The same set of reports gives the same `about`, in any order, until an
 * all-clear.
 *
 * @param spells each day that was looked at, with its number of all-clears
 */
export function watchNotice({ expected, missing }: ReportsAnswer, spells: readonly string[]): OpsNotice {
  const count = missing.length;
  const what = whatHappened(missing);
  const lines = missing.map(({ merchantCode, day, reason }) => `${merchantCode}, day ${day}: ${reason}`);
  const byReason = [...Map.groupBy(missing, ({ reason }) => reason)].sort(
    ([, one], [, other]) => other.length - one.length,
  );
  const sums = byReason.map(([reason, reports]) => `${reports.length} × ${reason}`);
  const explained = byReason
    .slice(0, MOST_REASONS)
    .map(([reason]) => ({ reason, advice: adviceFor(reason) }));
  const content = createHash('sha256')
    .update([...spells, ...lines.toSorted()].join('\n'))
    .digest('hex');
  // A merchant whose entry has no usable code is named by its place, which is no part of a key.
  const example = missing.find(({ merchantCode }) => MERCHANT_CODE.test(merchantCode));
  const days = once(missing.map(({ day }) => day)).sort();
  return {
    about: `missing reports ${content}`,
    merchants: once(missing.map(({ merchantCode }) => merchantCode)),
    days,
    happened: `${count === 1 ? 'report' : 'reports'} ${what}`,
    meaning: [
      `${count} of ${expected} reports that were due ${what}: ${sums.join(', ')}.`,
      ...explained.map(({ reason, advice }) => `${reason}: ${advice.means}`),
    ],
    tried: explained.map(({ reason, advice }) => `${reason}: ${advice.tried}`),
    toDo: explained.map(({ reason, advice }) => `${reason}: ${advice.toDo}`),
    headings: [...new Set(explained.map(({ advice }) => advice.heading))],
    errors: explained.flatMap(({ advice }) => (advice.error === undefined ? [] : [advice.error])),
    commands: [
      ...(example === undefined ? [] : commandsAbout(example)),
      ...days.slice(0, 1).map((day): NoticeCommand => ({
        shows: `All reports of ${day} that are missing now`,
        does: 'daybook',
        words: ['status', '--day', day],
      })),
    ],
    list: {
      heading: 'The reports',
      lines: lines.slice(0, MOST_LISTED),
      total: count,
      others: 'in the answer of delivery-watch',
    },
  };
}

/** The notice that all is well again on a day of which ops know trouble. */
export function allClearNotice({ day, spell, told }: NotifiedDay): OpsNotice {
  const count = told.length;
  return {
    about: `all is well again: ${day}, ${spell}`,
    merchants: told.map(({ merchantCode }) => merchantCode),
    days: [day],
    happened: `${count === 1 ? 'the report is' : 'the reports are'} there now`,
    meaning: [
      `Nothing is missing of day ${day} any more, and nothing needs a look.`,
      `You were notified of ${count === 1 ? 'this merchant' : `these ${count} merchants`} before.`,
    ],
    tried: ['delivery-watch looked at every report of the day again.'],
    toDo: ['You need do nothing.'],
    headings: ['reportsMissing'],
    commands: [{ shows: `The reports of ${day}`, does: 'daybook', words: ['status', '--day', day] }],
    list: {
      heading: 'The merchants',
      lines: told.slice(0, MOST_LISTED).map(({ merchantCode }) => merchantCode),
      total: count,
    },
  };
}
