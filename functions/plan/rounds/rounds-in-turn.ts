import type { OpenRound } from '../store/plan-store.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/**
 * After so long without its end the execution of a round is taken for dead: three times what ten thousand merchants
 * take (docs/fan-out.md). One that is only slow loses nothing by it, since doing an item again does nothing twice.
 */
export const TAKEN_FOR_DEAD = 3 * HOUR;
/** For how long a round is handed out again and again; a longer trouble is a backfill. */
export const LONGEST_OPEN = 24 * HOUR;
/** The most rounds that one tick hands out again; the next one goes on. */
const MOST_AGAIN = 10;

/** What a tick does about rounds that have not ended. */
export interface RoundsInTurn {
  /** To be handed out again. */
  again: OpenRound[];
  /** Those that were handed out for long enough. */
  givenUp: OpenRound[];
}

function isDead({ handedOutAt }: OpenRound, now: number): boolean {
  // A time that lies ahead is nobody's, and must not keep a round from being done.
  return Math.abs(now - Date.parse(handedOutAt)) >= TAKEN_FOR_DEAD;
}

/**
 * Whose turn it is among the open rounds. A tick that is repeated takes those again that it had taken before.
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

/** The round as it stands once these items hand it out. @param now milliseconds UTC */
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
