import type { NoData } from '#domain/alerts/check-rules.ts';
import type { OpsNotices } from '#mailing/ops/ops-notices.ts';

/** Milliseconds. */
const MINUTE = 60_000;

/**
 * Tells ops of rules whose values could not be known for too long: once for each spell, and in one notice for the rules
 * whose spells began with the same check.
 *
 * @param spells of the merchant's rules, as they stand at the tick (milliseconds UTC)
 * @param noDataAfter for how long a value may be unknown before ops are told, in minutes
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
        'Why stands in the log of alert-check (ReadingsFailed): the service does not answer or leaves counts out, nothing is sealed, or the rule is about a share of nothing.',
      ].join('\n'),
    );
  }
}
