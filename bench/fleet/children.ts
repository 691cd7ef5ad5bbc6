import { addDays } from '#domain/day/business-day.ts';
import type { PlanItem } from '#domain/plan/plan-item.ts';
import { SHARED_BY } from '#domain/plan/shared-child.ts';
import type { ChildrenUse } from '#bin/daybook/cost/model/children.ts';
import { FULL_CPU } from '#bin/daybook/cost/model/duration.ts';
import { REPORT_SIZES } from '#lib/functions.ts';
import { inOrder } from '#functions/plan/sizes/in-order.ts';
import { shareChildren } from '#functions/plan/sizes/share-children.ts';
import { listSchedule } from './schedule.ts';
import type { Schedule } from './schedule.ts';
import { DAY, TICK } from './world.ts';

/** A merchant of the fleet, and how long all of its days take in a function of this memory (MB). Milliseconds. */
export interface Merchant {
  merchantCode: string;
  invoiceBytes: number;
  durationIn: (memory: number) => number;
}

/** How the state machine runs a fleet. Durations in milliseconds. */
export interface FleetChildren {
  schedule: Schedule;
  use: ChildrenUse;
  large: number;
  /** All invocations together, by the memory of the function (MB). */
  lambda: { memory: number; duration: number }[];
}

export interface FleetPlaces {
  /** Merchants at the same time. */
  concurrency: number;
  /** Of the ordinary function, MB. */
  memory: number;
  /** A merchant with more is large. */
  largeBytes: number;
}

/** Of the function for shared children, MB. */
const SHARED_MEMORY = REPORT_SIZES['daily-report-batch'].memory;

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** Runs the fleet as `plan` hands it out: with the same code, and the sizes of this day as those of the last days. */
export function runChildren(
  merchants: readonly Merchant[],
  daysEach: number,
  { concurrency, memory, largeBytes }: FleetPlaces,
): FleetChildren {
  const days = Array.from({ length: daysEach }, (_, back) => addDays(DAY, -back));
  const items = merchants.map(({ merchantCode }): PlanItem => {
    return { merchantCode, days, send: true, scheduledTime: TICK };
  });
  const sizes = new Map(merchants.map(({ merchantCode, invoiceBytes }) => [merchantCode, invoiceBytes]));
  const byCode = new Map(merchants.map((merchant) => [merchant.merchantCode, merchant]));
  const durationIn = (given: number, items: readonly PlanItem[]) =>
    items.map(({ merchantCode }) => byCode.get(merchantCode)?.durationIn(given) ?? 0);
  const { own, shared } = shareChildren(inOrder(items, sizes, largeBytes), sizes, concurrency);
  const isLarge = ({ large }: PlanItem) => large === true;
  // The large ones come first, in both lists.
  const largeTimes = durationIn(FULL_CPU, own.items.filter(isLarge));
  const ordinaryTimes = durationIn(
    memory,
    own.items.filter((item) => !isLarge(item)),
  );
  const sharedTimes = durationIn(SHARED_MEMORY, shared.items);
  const children = Array.from({ length: Math.ceil(sharedTimes.length / SHARED_BY) }, (_, index) =>
    Math.max(...sharedTimes.slice(index * SHARED_BY, (index + 1) * SHARED_BY)),
  );
  const [alone, together] = [
    listSchedule([...largeTimes, ...ordinaryTimes], own.places),
    listSchedule(children, shared.batches),
  ];
  const total = Math.max(alone.total, together.total);
  const lambda = [
    { memory: FULL_CPU, duration: sum(largeTimes) },
    { memory, duration: sum(ordinaryTimes) },
    { memory: SHARED_MEMORY, duration: sum(sharedTimes) },
  ];
  const work = sum(lambda.map(({ duration }) => duration));
  return {
    schedule: {
      total,
      longest: Math.max(alone.longest, together.longest),
      busy: total === 0 ? 0 : work / (total * Math.min(concurrency, merchants.length)),
    },
    use: { own: own.items.length, shared: children.length, sharedTime: sum(children) },
    large: largeTimes.length,
    lambda,
  };
}
