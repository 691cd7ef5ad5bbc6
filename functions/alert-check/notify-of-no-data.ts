import type { NoData } from '#domain/alerts/check-rules.ts';
import type { OpsNotices } from '#mailing/ops/ops-notices.ts';

/** Milliseconds. */
const MINUTE = 60_000;

/**
 * Notifies ops of rules whose values were unknown for too long: once for each spell. Rules whose spells began
 * with the same check share a notice.
 *
 * @param spells of the merchant's rules, at the tick (milliseconds UTC)
 * @param noDataAfter minutes for which a value may be unknown before ops are notified
 */
export async function notifyOfNoData(
  notices: OpsNotices,
  merchantCode: string,
  spells: { noData: readonly NoData[]; tick: number },
  noDataAfter: number,
): Promise<void> {
  const { noData, tick } = spells;
  for (const [since, rules] of Map.groupBy(noData, (spell) => spell.since)) {
    if (tick - Date.parse(since) < noDataAfter * MINUTE) continue;
    await notices.notifyOnce(
      `no data: merchant ${merchantCode}, since ${since}`,
      `Alert rules of merchant ${merchantCode} have no data`,
      [
        `Since ${since} the values of these rules cannot be known. They neither fire nor resolve until they are known again:`,
        ...rules.map(({ rule }) => rule),
        'The log of alert-check says why (ReadingsFailed): the service does not answer or leaves counts out, nothing is sealed, or the rule divides by zero.',
      ].join('\n'),
    );
  }
}
