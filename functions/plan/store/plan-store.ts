import type { PlanItem } from '#domain/plan/plan-item.ts';
import type { StatementItem } from '#domain/plan/statement-item.ts';

/** An item of any kind. */
export type AnyItem = PlanItem | StatementItem;

/** The newest tick so far. */
export type LastTick =
  | { is: 'known'; tick: string; since: string }
  | { is: 'none' }
  /** The stored object cannot be read. */
  | { is: 'spoilt'; key: string; reason: string };

/** The round of a tick whose execution has not reported its end yet. Times are ISO 8601 in UTC. */
export interface OpenRound {
  itemsKey: string;
  /** When the items were handed out first, and when last. */
  openedAt: string;
  handedOutAt: string;
  /** Key of the items with which they were handed out last: the round's own key, or that of a later tick. */
  handedOutBy: string;
}

/** The open rounds, oldest first, and the objects among them that cannot be read. */
export interface OpenRounds {
  rounds: OpenRound[];
  spoilt: { key: string; reason: string }[];
}

/** What `plan` stores between ticks, and the items that it passes to the fan-out. */
export interface PlanStore {
  lastTick(kind: 'daily' | 'alert'): Promise<LastTick>;
  rememberTick(kind: 'daily' | 'alert', window: { tick: string; since: string }): Promise<void>;
  openRounds(): Promise<OpenRounds>;
  /** Opens a round, or records that it was handed out again. */
  openRound(round: OpenRound): Promise<void>;
  /** Closes the round. Does nothing when it is not open. */
  closeRound(itemsKey: string): Promise<void>;
  /**
   * The items that the caller wants. @throws {StoredObjectError} when they do not exist, are not items, or
   * are far too many
   */
  items(itemsKey: string, isWanted: (item: PlanItem) => boolean): Promise<PlanItem[]>;
  /** Writes the items as a JSON array and returns its key. */
  writeItems(name: string, items: readonly AnyItem[]): Promise<string>;
  /**
   * The items that a round of the fan-out did not finish.
   *
   * @param manifestKeys keys of the manifests of the round's results
   * @param planned how many items the round had; left out when that is not known
   * @throws {RoundResultsError} when the results do not name that many
   */
  unfinishedItems(manifestKeys: readonly string[], planned: number | undefined): Promise<AnyItem[]>;
}
