import * as z from 'zod';
import { periodSchema } from '#domain/period/period.ts';
import type { Period } from '#domain/period/period.ts';
import { ownerPart } from '#domain/storage/keys.ts';
import { isWorse, withProblems, withWays } from '../notified-problems.ts';
import type { Badness, NotifiedProblems } from '../notified-problems.ts';
import { badnessOfStatement, NOTHING_SEALED, troubleOf } from './statement-delivery.ts';
import type { StatementDelivery } from './statement-delivery.ts';

/**
 * What ops were notified of about the statements of one period. Stored in the data bucket (docs/interfaces.md, 6 Objects)
 * after the notice was sent.
 */
export const notifiedPeriodSchema = z.lazy(() =>
  z.object({
    period: periodSchema,
    /** The number of all-clears so far. After an all-clear, ops are notified again of the same trouble. */
    spell: z.int().min(0),
    /** What ops know since the last all-clear: merchants and groups such as `merchant=700001`, and the worst of each. */
    told: z.array(z.object({ owner: z.string(), badness: z.literal([1, 2, 3]) })),
    /** Those of them of which nothing was sealed. A day after the deadline they are not looked at any more. */
    nothingSealed: z.array(z.string()),
    /** The ways on which notices reached ops: hashes of addresses, and `topic`. The all-clear goes to these. */
    heardBy: z.array(z.string()),
  }),
);
/** What ops were notified of about the statements of one period. */
export type NotifiedPeriod = z.infer<typeof notifiedPeriodSchema>;

/** The record of a period of which ops were not notified. */
export function nothingNotifiedOf(period: Period): NotifiedPeriod {
  return { period, spell: 0, told: [], nothingSealed: [], heardBy: [] };
}

function troubleTold({ told }: NotifiedPeriod): NotifiedProblems {
  return new Map(told.map(({ owner, badness }) => [owner, badness]));
}

/** The trouble of a period that counts, with how bad it is. */
function troubleFound(period: Period, looked: readonly StatementDelivery[]): (readonly [string, Badness])[] {
  return looked.flatMap((one): (readonly [string, Badness])[] => {
    const trouble = troubleOf(one);
    if (one.period !== period || !one.counts || trouble === null) return [];
    return [[ownerPart(one.owner), badnessOfStatement(trouble)]];
  });
}

/** Whether anything of the period is worse than what ops know. */
export function isWorseThanNotified(notified: NotifiedPeriod, looked: readonly StatementDelivery[]): boolean {
  const told = troubleTold(notified);
  return troubleFound(notified.period, looked).some(([owner, badness]) => isWorse(told, owner, badness));
}

/** Those that ops know to be missing, and not only to be provisional. */
function missingTold({ told }: NotifiedPeriod): string[] {
  return told.flatMap(({ owner, badness }) => (badness > 1 ? [owner] : []));
}

/** Those that ops know to be missing and that may still come. */
export function mayStillCome(notified: NotifiedPeriod): ReadonlySet<string> {
  return new Set(missingTold(notified)).difference(new Set(notified.nothingSealed));
}

/**
 * Whether all is well again in a period of which ops know that statements are missing. None is missing any more, and each
 * that was is there now, or its owner is not expected to have one. Those of which nothing was sealed do not matter once
 * they are not looked at any more. A provisional statement is not missing.
 *
 * @param looked all that the watch looked at
 * @param isExpected whether the registry still expects statements of an owner, as {@link ownerPart} names it
 */
export function isPeriodWellAgain(
  notified: NotifiedPeriod,
  looked: readonly StatementDelivery[],
  isExpected: (owner: string) => boolean,
): boolean {
  const ofPeriod = looked.filter(({ period }) => period === notified.period);
  if (ofPeriod.some(({ missing }) => missing !== null)) return false;
  const well = new Set(ofPeriod.map(({ owner }) => ownerPart(owner)));
  const mayCome = mayStillCome(notified);
  const missing = missingTold(notified).filter((owner) => well.has(owner) || mayCome.has(owner));
  return missing.length > 0 && missing.every((owner) => well.has(owner) || !isExpected(owner));
}

/** The record after ops were notified of what is in trouble. */
export function withNotifiedPeriod(
  before: NotifiedPeriod,
  looked: readonly StatementDelivery[],
  heardBy: readonly string[],
): NotifiedPeriod {
  const told = withProblems(troubleTold(before), troubleFound(before.period, looked));
  const nothing = looked.filter(
    ({ period, missing }) => period === before.period && missing === NOTHING_SEALED,
  );
  return {
    ...before,
    told: [...told].map(([owner, badness]) => ({ owner, badness })),
    nothingSealed: withWays(
      before.nothingSealed,
      nothing.map(({ owner }) => ownerPart(owner)),
    ),
    heardBy: withWays(before.heardBy, heardBy),
  };
}

/** The record after the all-clear. What is provisional is not told again. */
export function withPeriodAllClear({ period, spell, told }: NotifiedPeriod): NotifiedPeriod {
  const provisional = told.filter(({ badness }) => badness === 1);
  return { ...nothingNotifiedOf(period), spell: spell + 1, told: provisional };
}
