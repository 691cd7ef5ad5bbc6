import type { PlanItem } from '../plan-item.ts';
import { MOST_SHARED_DAYS, SHARED_BY } from '../shared-child.ts';
import type { SizesOfDay } from './day-sizes.ts';
import { workOf } from './work.ts';

/** Bytes of a day's stored invoices: some 500 invoices. */
const SMALL = 100_000;

export interface Children {
  own: { items: PlanItem[]; places: number };
  /** Items that share children, and how many of these children run at the same time. */
  shared: { items: PlanItem[]; batches: number };
}

function isSmall({ days, large }: PlanItem, bytes: number | undefined): boolean {
  return bytes !== undefined && bytes <= SMALL && large === undefined && days.length <= MOST_SHARED_DAYS;
}

/**
 * Shares out the places so that both maps end at about the same time. A shared child needs five. What is not
 * known to be small has a child of its own, and so have the largest of the small while there are places.
 * @param items the longest first
 * @param places merchants that are reported at the same time
 */
export function shareChildren(items: readonly PlanItem[], sizes: SizesOfDay, places: number): Children {
  const timed = items.map((item) => {
    const bytes = sizes.get(item.merchantCode);
    return { item, work: workOf(item, bytes), small: isSmall(item, bytes) };
  });
  const sum = (of: typeof timed) => of.reduce((total, { work }) => total + work, 0);
  const small = timed.filter((each) => each.small);
  const others = timed.filter((each) => !each.small);
  let [own, shared] = [sum(others), sum(small)];
  let batches = small.length === 0 ? 0 : Math.floor(places / SHARED_BY);
  const left = () => places - batches * SHARED_BY;
  // With few places there may be none left for the others.
  while (batches > 0 && own > 0 && own * batches * SHARED_BY > shared * left()) batches -= 1;
  let moved = 0;
  for (const { work } of small) {
    const isLater = (own + work) * batches * SHARED_BY > (shared - work) * left();
    if (batches > 0 && isLater) break;
    own += work;
    shared -= work;
    moved += 1;
  }
  const ofOwn = new Set([...others, ...small.slice(0, moved)]);
  return {
    own: { items: timed.filter((each) => ofOwn.has(each)).map(({ item }) => item), places: left() },
    shared: { items: small.slice(moved).map(({ item }) => item), batches },
  };
}
