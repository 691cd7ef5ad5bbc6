import { isUnreadableObject } from '#runtime/s3-objects.ts';
import { planItemsKey, tickInItemsKey } from '#records/storage/keys.ts';
import type { OpenRound, OpenRounds, PlanStore } from '../store/plan-store.ts';
import type { PlanItem } from '../plan-item.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/**
 * Milliseconds: three times what ten thousand merchants take (docs/fan-out.md). A slow execution loses
 * nothing: an item that runs again does nothing twice.
 */
const TAKEN_FOR_DEAD = 3 * HOUR;
/** How long a round is handed out again and again. Milliseconds. A longer outage needs a backfill. */
const LONGEST_OPEN = 24 * HOUR;
/** The most rounds that one tick hands out again. The next tick takes the others. */
const MOST_AGAIN = 10;

interface RoundsInTurn {
  again: OpenRound[];
  givenUp: OpenRound[];
}

function isDead({ handedOutAt }: OpenRound, now: number): boolean {
  // A time in the future cannot be right. It must not keep a round from being done.
  return Math.abs(now - Date.parse(handedOutAt)) >= TAKEN_FOR_DEAD;
}

/** A repeated tick takes the same rounds again. @param own key of the tick's own items */
function roundsInTurn(rounds: readonly OpenRound[], own: string, now: number): RoundsInTurn {
  const others = rounds.filter(({ itemsKey }) => itemsKey !== own);
  const isOver = ({ openedAt }: OpenRound) => now - Date.parse(openedAt) > LONGEST_OPEN;
  const isMine = ({ handedOutBy }: OpenRound) => handedOutBy === own;
  const mine = others.filter(isMine);
  const dead = others.filter((round) => !isMine(round) && isDead(round, now));
  const again = dead.filter((round) => !isOver(round));
  return {
    again: [...mine, ...again.slice(0, Math.max(0, MOST_AGAIN - mine.length))],
    givenUp: dead.filter(isOver),
  };
}

function handedOut(round: OpenRound | undefined, itemsKey: string, by: string, now: number): OpenRound {
  const handedOutAt = new Date(now).toISOString();
  const earlier = round === undefined ? now : Math.min(Date.parse(round.openedAt), now);
  return { itemsKey, openedAt: new Date(earlier).toISOString(), handedOutAt, handedOutBy: by };
}

export interface FoundRounds {
  again: OpenRound[];
  items: PlanItem[];
  givenUp: OpenRound[];
  lost: { round: OpenRound; reason: string }[];
  spoilt: OpenRounds['spoilt'];
  own: OpenRound | undefined;
}

/** Beyond so many items a tick takes no further round: memory and an execution's length are bounded. */
const MOST_ITEMS = 100_000;

export const NO_ROUNDS: FoundRounds = {
  again: [],
  items: [],
  givenUp: [],
  lost: [],
  spoilt: [],
  own: undefined,
};

/** Items that a round only handed out for earlier rounds belong to those. */
function isOwnOf(itemsKey: string): (item: PlanItem) => boolean {
  const second = (time: number) => Math.floor(time / 1_000);
  const tick = second(tickInItemsKey(itemsKey));
  return ({ scheduledTime }) => scheduledTime !== null && second(Date.parse(scheduledTime)) === tick;
}

/**
 * Finds rounds whose executions died, and reads the items of those that are handed out again.
 * @param name of the tick's own items
 * @param now milliseconds UTC
 */
export async function findRounds(plans: PlanStore, name: string, now: number): Promise<FoundRounds> {
  const { rounds, spoilt } = await plans.openRounds();
  const own = planItemsKey(name);
  const { again, givenUp } = roundsInTurn(rounds, own, now);
  const found: FoundRounds = {
    ...NO_ROUNDS,
    givenUp,
    spoilt,
    own: rounds.find(({ itemsKey }) => itemsKey === own),
  };
  for (const round of again) {
    if (found.items.length >= MOST_ITEMS) break;
    const { itemsKey } = round;
    try {
      const items = await plans.items(itemsKey, isOwnOf(itemsKey));
      found.again = [...found.again, round];
      found.items = [...found.items, ...items];
    } catch (error) {
      if (!isUnreadableObject(error)) throw error;
      found.lost = [...found.lost, { round, reason: error.message }];
    }
  }
  return found;
}

/** Records what is handed out, after the items were written and before the answer. */
export async function noteHandedOut(
  plans: PlanStore,
  itemsKey: string,
  hasOwn: boolean,
  { again, own }: FoundRounds,
  now: number,
): Promise<void> {
  if (hasOwn) await plans.openRound(handedOut(own, itemsKey, itemsKey, now));
  for (const round of again) await plans.openRound(handedOut(round, round.itemsKey, itemsKey, now));
}

/** Closes the round of these items, and every round last handed out among them. */
export async function closeRounds(plans: PlanStore, finished: string): Promise<number> {
  const { rounds } = await plans.openRounds();
  const ended = rounds.filter(
    ({ itemsKey, handedOutBy }) => itemsKey === finished || handedOutBy === finished,
  );
  for (const itemsKey of new Set([finished, ...ended.map((round) => round.itemsKey)])) {
    await plans.closeRound(itemsKey);
  }
  return ended.length;
}
