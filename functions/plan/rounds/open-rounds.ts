import { isUnreadableObject } from '#aws/unreadable-object.ts';
import { planItemsKey, tickInItemsKey } from '#domain/storage/keys.ts';
import type { OpenRound, OpenRounds, PlanStore } from '../store/plan-store.ts';
import type { PlanItem } from '#domain/plan/plan-item.ts';
import { handedOut, roundsInTurn } from './rounds-in-turn.ts';

/** What a tick finds of rounds that have not ended, and what it hands out again of them. */
export interface FoundRounds {
  /** Those that it hands out again. */
  again: OpenRound[];
  /** Their items, as they were. */
  items: PlanItem[];
  /** Those that are not handed out any more. */
  givenUp: OpenRound[];
  /** Those whose items cannot be read, with the reason. */
  lost: { round: OpenRound; reason: string }[];
  /** What cannot be read among the open rounds themselves. */
  spoilt: OpenRounds['spoilt'];
  /** The tick's own round, where it was open before. */
  own: OpenRound | undefined;
}

/** Items of earlier rounds, after which a tick takes up no other: a function holds so many, and an execution runs them. */
const MOST_ITEMS = 100_000;

export const NO_ROUNDS: FoundRounds = {
  again: [],
  items: [],
  givenUp: [],
  lost: [],
  spoilt: [],
  own: undefined,
};

/** Whether an item is a round's own: those that it handed out for earlier rounds have rounds of their own. */
function isOwnOf(itemsKey: string): (item: PlanItem) => boolean {
  const second = (time: number) => Math.floor(time / 1_000);
  const tick = second(tickInItemsKey(itemsKey));
  return ({ scheduledTime }) => scheduledTime !== null && second(Date.parse(scheduledTime)) === tick;
}

/**
 * Looks for rounds whose executions died, and reads the items of those that are to be handed out again.
 *
 * @param name under which the tick's own items are written
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
    // The rest of the rounds are handed out by the ticks that come after this one.
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

/**
 * Notes what is handed out, after the items were written and before the answer: the tick's own round, unless all of its
 * items are those of earlier rounds, and those rounds themselves.
 */
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

/** Closes the round of these items, and every round that was last handed out among them. */
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
