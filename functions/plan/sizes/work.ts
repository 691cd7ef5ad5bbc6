import type { PlanItem } from '../plan-item.ts';

/** How long an item takes, roughly (docs/scale.md): only ratios matter. */

/** Seconds of a day without invoices, and for each megabyte of stored invoices in a function of 512 MB. */
const DAY = 0.4;
const MEGABYTE = 6;
/** A function with a whole vCPU is so much faster. */
const FASTER = 3;
/** A merchant whose size is not known begins before the small ones, because it may be a large one. Bytes. */
const UNKNOWN = 50_000;

/** Seconds. @param bytes of the merchant's invoices of one day, `undefined` when not known */
export function workOf({ days, large }: PlanItem, bytes: number = UNKNOWN): number {
  return days.length * (DAY + ((bytes / 1_000_000) * MEGABYTE) / (large === true ? FASTER : 1));
}
