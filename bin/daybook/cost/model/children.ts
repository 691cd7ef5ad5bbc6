import { MOST_SHARED_DAYS, SHARED_BY } from '#domain/plan/shared-child.ts';
import { PRICES } from './prices.ts';

/** The children of the state machine that run a day's reports (docs/fan-out.md, "A child"). */
export interface ChildrenUse {
  /** STANDARD children, one for each merchant. */
  own: number;
  /** EXPRESS children, each shared by several merchants. */
  shared: number;
  /** All shared children together, milliseconds. */
  sharedTime: number;
}

/** The Distributed Map is charged a transition for each child that it starts, of either kind. */
const START = 1;
/** State transitions of a child that does not fail, besides its calls: is it large, each day, did any fail, done. A test counts. */
export const CHILD_TRANSITIONS = 4;

/** Memory that Step Functions charges for an EXPRESS child, GB: the least there is. */
const EXPRESS_GB = 0.0625;
/** An EXPRESS child is charged in steps of this length. Milliseconds. */
const EXPRESS_STEP = 100;

/** Of 10,000 merchants so many have a child of their own (docs/scale.md). */
const OWN_SHARE = 0.05;
/** With fewer places, no child is shared. */
const LEAST_PLACES = 2 * SHARED_BY;

/** What EXPRESS children cost, with their starts. @param milliseconds of all together */
export function expressChildren(children: number, milliseconds: number): number {
  const seconds = (milliseconds + (children * EXPRESS_STEP) / 2) / 1_000;
  const each = PRICES.expressRequest + START * PRICES.stateTransition;
  return children * each + seconds * EXPRESS_GB * PRICES.expressGbSecond;
}

/** What the children of a day's reports cost. @param daysEach of a merchant */
export function reportChildren({ own, shared, sharedTime }: ChildrenUse, daysEach: number): number {
  const transitions = own * (START + CHILD_TRANSITIONS + daysEach);
  return transitions * PRICES.stateTransition + expressChildren(shared, sharedTime);
}

/**
 * The children of a stage, where only a mean size is known.
 *
 * @param daysEach of a merchant
 * @param places merchants at the same time
 * @param duration of a day, milliseconds
 */
export function usualChildren(
  merchants: number,
  daysEach: number,
  places: number,
  duration: number,
): ChildrenUse {
  const shares = places >= LEAST_PLACES && daysEach <= MOST_SHARED_DAYS;
  const own = shares ? Math.ceil(merchants * OWN_SHARE) : merchants;
  const shared = Math.ceil((merchants - own) / SHARED_BY);
  return { own, shared, sharedTime: shared * daysEach * duration };
}
