import { BucketStore } from '#runtime/bucket-store.ts';
import type { S3Client } from '@aws-sdk/client-s3';
import * as z from 'zod';
import { StoredObjectError } from '#runtime/s3-objects.ts';
import { daySchema } from '#records/day/business-day.ts';
import { DaybookError } from '#records/errors/daybook-error.ts';
import { periodSchema, type Period } from '#records/period/period.ts';
import {
  NOTIFIED_PERIODS,
  notifiedDayKey,
  notifiedPeriodKey,
  ownerPart,
  periodOfNotified,
} from '#records/storage/keys.ts';
import { badnessOf, NOTHING_SEALED, troubleOf, type Badness, type Delivery } from './delivery.ts';

export type Watched = 'reports' | 'statements';

export interface Notified {
  of: Watched;
  period: Period;
  /** All-clears so far: after one, ops are notified again of the same trouble. */
  spell: number;
  /** The worst that ops know of each, as `ownerPart` names them. */
  told: ReadonlyMap<string, Badness>;
  /** A day after the deadline they are not looked at any more. */
  nothingSealed: readonly string[];
  /** Hashes of addresses, and `topic`: the all-clear goes to these. */
  heardBy: readonly string[];
}

export function nothingNotified(of: Watched, period: Period): Notified {
  return { of, period, spell: 0, told: new Map(), nothingSealed: [], heardBy: [] };
}

function troubleIn({ period }: Notified, looked: readonly Delivery[]): [string, Badness][] {
  return looked.flatMap((one): [string, Badness][] => {
    const trouble = troubleOf(one);
    if (one.period !== period || !one.isDue || !one.counts || trouble === null) return [];
    return [[ownerPart(one.owner), badnessOf(trouble)]];
  });
}

export function isWorseThanNotified(notified: Notified, looked: readonly Delivery[]): boolean {
  return troubleIn(notified, looked).some(([owner, badness]) => badness > (notified.told.get(owner) ?? 0));
}

/** Those that ops know to be missing. A statement that is only provisional has arrived. */
export function missingTold({ of, told }: Notified): string[] {
  return [...told].flatMap(([owner, badness]) => (badness > 1 || of === 'reports' ? [owner] : []));
}

/** Those that ops know to be missing and that may still come. */
export function mayStillCome(notified: Notified): ReadonlySet<string> {
  return new Set(missingTold(notified)).difference(new Set(notified.nothingSealed));
}

/**
 * Whether none is missing, and each that was is there, or not expected. Those of which nothing was sealed do
 * not matter once they are not looked at.
 * @param looked of any period
 * @param isExpected by `ownerPart`
 */
export function isWellAgain(
  notified: Notified,
  looked: readonly Delivery[],
  isExpected: (owner: string) => boolean,
): boolean {
  const ofPeriod = looked.filter(({ period }) => period === notified.period);
  if (ofPeriod.some(({ missing }) => missing !== null)) return false;
  const well = new Set(ofPeriod.map(({ owner }) => ownerPart(owner)));
  const mayCome = mayStillCome(notified);
  const missing = missingTold(notified).filter((owner) => well.has(owner) || mayCome.has(owner));
  return missing.length > 0 && missing.every((owner) => well.has(owner) || !isExpected(owner));
}

function merged(before: readonly string[], more: readonly string[]): string[] {
  return [...new Set([...before, ...more])].sort();
}

export function withNotified(
  before: Notified,
  looked: readonly Delivery[],
  heardBy: readonly string[],
): Notified {
  const told = new Map(before.told);
  for (const [owner, badness] of troubleIn(before, looked)) {
    if (badness > (told.get(owner) ?? 0)) told.set(owner, badness);
  }
  const nothing = looked.filter(
    ({ period, missing }) => period === before.period && missing === NOTHING_SEALED,
  );
  return {
    ...before,
    told,
    nothingSealed: merged(
      before.nothingSealed,
      nothing.map(({ owner }) => ownerPart(owner)),
    ),
    heardBy: merged(before.heardBy, heardBy),
  };
}

/** The record after the all-clear. What is provisional is not told again. */
export function withAllClear(before: Notified): Notified {
  const { of, period, spell } = before;
  const missing = new Set(missingTold(before));
  const told = new Map([...before.told].filter(([owner]) => !missing.has(owner)));
  return { ...nothingNotified(of, period), spell: spell + 1, told };
}

const badnessSchema = z.literal([1, 2, 3]);

/** docs/interfaces.md, 6 Objects. */
export const notifiedDaySchema = z.lazy(() =>
  z.object({
    day: daySchema,
    spell: z.int().min(0),
    told: z.array(z.object({ merchantCode: z.string(), badness: badnessSchema })),
    heardBy: z.array(z.string()),
  }),
);

/** docs/interfaces.md, 6 Objects. */
export const notifiedPeriodSchema = z.lazy(() =>
  z.object({
    period: periodSchema,
    spell: z.int().min(0),
    told: z.array(z.object({ owner: z.string(), badness: badnessSchema })),
    nothingSealed: z.array(z.string()),
    heardBy: z.array(z.string()),
  }),
);

const STORED = {
  reports: {
    keyOf: notifiedDayKey,
    schema: z.lazy(() =>
      notifiedDaySchema.transform(({ day, told, ...rest }): Notified => ({
        of: 'reports',
        period: day,
        told: new Map(told.map(({ merchantCode, badness }) => [ownerPart({ merchantCode }), badness])),
        nothingSealed: [],
        ...rest,
      })),
    ),
    toStore: ({ period, spell, told, heardBy }: Notified): z.infer<typeof notifiedDaySchema> => ({
      day: period,
      spell,
      told: [...told].map(([owner, badness]) => ({ merchantCode: owner.replace('merchant=', ''), badness })),
      heardBy: [...heardBy],
    }),
  },
  statements: {
    keyOf: notifiedPeriodKey,
    schema: z.lazy(() =>
      notifiedPeriodSchema.transform(({ told, ...rest }): Notified => ({
        of: 'statements',
        told: new Map(told.map(({ owner, badness }) => [owner, badness])),
        ...rest,
      })),
    ),
    toStore: (record: Notified): z.infer<typeof notifiedPeriodSchema> => ({
      period: record.period,
      spell: record.spell,
      told: [...record.told].map(([owner, badness]) => ({ owner, badness })),
      nothingSealed: [...record.nothingSealed],
      heardBy: [...record.heardBy],
    }),
  },
};

const MOST_ATTEMPTS = 5;

interface Standing {
  notified: Notified;
  /** `undefined`: no object. `null`: unreadable, and overwritten. */
  version: string | null | undefined;
}

/**
 * One object a day or period, written after the notices only to avoid a second one: when it cannot be read or
 * written, a notice sent twice is better than none.
 */
export class NotifiedStore extends BucketStore {
  readonly #of: Watched;
  readonly #log: (error: unknown) => void;

  constructor(s3: S3Client, bucket: string, of: Watched, log: (error: unknown) => void) {
    super(s3, bucket);
    this.#of = of;
    this.#log = log;
  }

  /** Empty when it is not known. */
  async read(period: Period): Promise<Notified> {
    try {
      return (await this.#standing(period)).notified;
    } catch (error) {
      if (!(error instanceof DaybookError)) throw error;
      this.#log(error);
      return nothingNotified(this.#of, period);
    }
  }

  /** Starting from what another run may have written meanwhile. */
  async change(period: Period, change: (before: Notified) => Notified): Promise<void> {
    try {
      for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt += 1) {
        const standing = await this.#standing(period);
        if (await this.#write(change(standing.notified), standing.version)) return;
      }
    } catch (error) {
      if (!(error instanceof DaybookError)) throw error;
      this.#log(error);
    }
  }

  async periods(): Promise<Set<Period>> {
    const periods = new Set<Period>();
    for await (const objects of this.listObjects(NOTIFIED_PERIODS)) {
      for (const { Key = '' } of objects) {
        const period = periodOfNotified(Key);
        if (period !== undefined) periods.add(period);
      }
    }
    return periods;
  }

  async #standing(period: Period): Promise<Standing> {
    const { schema, keyOf } = STORED[this.#of];
    const nothing = nothingNotified(this.#of, period);
    try {
      const object = await this.readObject(keyOf(period), schema);
      // Somebody may have copied the object of another day there.
      const notified = object?.value.period === period ? object.value : nothing;
      return { notified, version: object?.version };
    } catch (error) {
      if (!(error instanceof StoredObjectError)) throw error;
      this.#log(error);
      return { notified: nothing, version: null };
    }
  }

  async #write(notified: Notified, version: string | null | undefined): Promise<boolean> {
    const { keyOf, toStore } = STORED[this.#of];
    const key = keyOf(notified.period);
    const stored = toStore(notified);
    if (version !== null) return (await this.writeObject(key, stored, version)) !== undefined;
    await this.putObject(key, stored);
    return true;
  }
}
