import type { PlanItem } from '#domain/plan/plan-item.ts';

/** The newest tick so far, as it is remembered, or what stands in its place. */
export type LastTick =
  | { is: 'known'; tick: string; since: string }
  | { is: 'none' }
  /** What stands there cannot be read. */
  | { is: 'spoilt'; key: string; reason: string };

/** The round of a tick whose execution has not said yet that it ended. Times are ISO 8601 in UTC. */
export interface OpenRound {
  itemsKey: string;
  /** When the items were first handed out, and when last. */
  openedAt: string;
  handedOutAt: string;
  /** Key of the items that they were last handed out among: its own, or those of a later tick. */
  handedOutBy: string;
}

/** The open rounds, oldest first, and the keys of what stands among them and cannot be read. */
export interface OpenRounds {
  rounds: OpenRound[];
  spoilt: { key: string; reason: string }[];
}

/** What `plan` keeps between ticks, and the items that it hands to the fan-out. */
export interface PlanStore {
  lastTick(kind: 'daily' | 'alert'): Promise<LastTick>;
  rememberTick(kind: 'daily' | 'alert', window: { tick: string; since: string }): Promise<void>;
  openRounds(): Promise<OpenRounds>;
  /** Opens a round, or notes that it was handed out again. */
  openRound(round: OpenRound): Promise<void>;
  /** Closes it whether it was open or not. */
  closeRound(itemsKey: string): Promise<void>;
  /** Those that are wanted. @throws {StoredObjectError} when they are not there, not items, or far too many */
  items(itemsKey: string, isWanted: (item: PlanItem) => boolean): Promise<PlanItem[]>;
  /** Writes the items as a JSON array and answers their key. */
  writeItems(name: string, items: readonly PlanItem[]): Promise<string>;
  /**
   * The items that a round of the fan-out did not finish, by the key of the manifest of its results.
   *
   * @param planned how many items the round had; left out where nobody knows
   * @throws {RoundResultsError} when the results do not tell of so many
   */
  unfinishedItems(manifestKey: string, planned: number | undefined): Promise<PlanItem[]>;
}
