import type { OpenRound } from '../store/plan-store.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/**
 * After this time without an end, the execution of a round is treated as dead. Milliseconds. It is three
 * times what ten thousand merchants take (docs/fan-out.md). A slow execution loses nothing: an item that runs
 * again does nothing twice.
 */
export const TAKEN_FOR_DEAD = 3 * HOUR;
/** How long a round is handed out again and again. Milliseconds. A longer outage needs a backfill. */
export const LONGEST_OPEN = 24 * HOUR;
/** The most rounds that one tick hands out again. The next tick takes the others. */
const MOST_AGAIN = 10;

/** What a tick does about rounds that have not ended. */
export interface RoundsInTurn {
  /** Rounds to hand out again. */
  again: OpenRound[];
  /** Rounds that are too old to be handed out again. */
  givenUp: OpenRound[];
}

function isDead({ handedOutAt }: OpenRound, now: number): boolean {
  // A time in the future cannot be right. It must not keep a round from being done.
  return Math.abs(now - Date.parse(handedOutAt)) >= TAKEN_FOR_DEAD;
}

/**
 * Finds which open rounds are handed out again now. A tick that is repeated takes the same rounds again.
 *
 * @param own key of the tick's own items
 * @param now milliseconds UTC
 */
export function roundsInTurn(rounds: readonly OpenRound[], own: string, now: number): RoundsInTurn {
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

/** The round after these items were handed out. @param now milliseconds UTC */
export function handedOut(
  round: OpenRound | undefined,
  itemsKey: string,
  by: string,
  now: number,
): OpenRound {
  const handedOutAt = new Date(now).toISOString();
  const earlier = round === undefined ? now : Math.min(Date.parse(round.openedAt), now);
  return { itemsKey, openedAt: new Date(earlier).toISOString(), handedOutAt, handedOutBy: by };
}
