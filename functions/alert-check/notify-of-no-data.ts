import type { NoData } from '#domain/alerts/check-rules.ts';
import type { OpsNotices } from '#mailing/ops/ops-notices.ts';

/** Milliseconds. */
const MINUTE = 60_000;

/**
 * Notifies ops of rules whose values were unknown for too long: once for each spell. Rules whose spells began
 * with the same check share a notice.
 *
 * @param spells of the merchant's rules, at the tick (milliseconds UTC), for the day
 * @param noDataAfter minutes for which a value may be unknown before ops are notified
 */
export async function notifyOfNoData(
  notices: OpsNotices,
  merchantCode: string,
  spells: { noData: readonly NoData[]; tick: number; day: string },
  noDataAfter: number,
): Promise<void> {
  const { noData, tick, day } = spells;
  for (const [since, rules] of Map.groupBy(noData, (spell) => spell.since)) {
    if (tick - Date.parse(since) < noDataAfter * MINUTE) continue;
    await notices.notifyOnce({
      about: `no data: merchant ${merchantCode}, since ${since}`,
      merchants: [merchantCode],
      days: [day],
      happened: 'alert rules have no data',
      meaning: [
        `Since ${since} the values of the rules below cannot be known. They neither fire nor resolve until they are known again.`,
        'So the merchant gets no alert, even if a figure leaves its bounds.',
      ],
      tried: ['Each check since then tried to read the values, and so does each next check.'],
      toDo: [
        'Read the log of alert-check. It says why (ReadingsFailed): the service does not answer or leaves counts out, nothing is sealed, or the rule divides by zero.',
        'Correct that cause. The next check then knows the values, and you need do nothing more.',
      ],
      headings: ['noData'],
      commands: [
        {
          shows: 'The log of alert-check for this merchant',
          does: 'show log',
          functionName: 'alert-check',
          find: merchantCode,
        },
        {
          shows: 'Reads the values again. Writes and sends nothing',
          does: 'daybook',
          words: ['alerts', 'test', merchantCode],
        },
      ],
      list: { heading: 'The rules', lines: rules.map(({ rule }) => rule), total: rules.length },
    });
  }
}
