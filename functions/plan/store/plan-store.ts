import type { PlanItem } from '#domain/plan/plan-item.ts';
import type { StatementItem } from '#domain/plan/statement-item.ts';

export type AnyItem = PlanItem | StatementItem;

export type LastTick =
  | { is: 'known'; tick: string; since: string }
  | { is: 'none' }
  /** The stored object cannot be read. */
  | { is: 'spoilt'; key: string; reason: string };

/** Times are ISO 8601 in UTC. */
export interface OpenRound {
  itemsKey: string;
  openedAt: string;
  handedOutAt: string;
  /** Key of the items with which they were handed out last: the round's own key, or that of a later tick. */
  handedOutBy: string;
}

export interface OpenRounds {
  rounds: OpenRound[];
  spoilt: { key: string; reason: string }[];
}

export interface PlanStore {
  lastTick(kind: 'daily' | 'alert'): Promise<LastTick>;
  rememberTick(kind: 'daily' | 'alert', window: { tick: string; since: string }): Promise<void>;
  openRounds(): Promise<OpenRounds>;
  openRound(round: OpenRound): Promise<void>;
  closeRound(itemsKey: string): Promise<void>;
  /** @throws {StoredObjectError} when they do not exist, are not items, or are far too many */
  items(itemsKey: string, isWanted: (item: PlanItem) => boolean): Promise<PlanItem[]>;
  writeItems(name: string, items: readonly AnyItem[]): Promise<string>;
  /**
   * @param planned how many items the round had, when that is known
   * @throws {RoundResultsError} when the results do not name that many
   */
  unfinishedItems(manifestKeys: readonly string[], planned: number | undefined): Promise<AnyItem[]>;
}
