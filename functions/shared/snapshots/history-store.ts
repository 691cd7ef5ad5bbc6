import type { Day } from '#domain/day/business-day.ts';
import type { DayFigures } from '#domain/figures/history.ts';
import type { Manifest } from '#domain/revision/manifest.ts';

export interface LocalDate {
  /** No later day can be sealed. */
  today: Day;
  /** IANA name. */
  timeZone: string;
}

export interface KnownHistory {
  /** Newest first. */
  days: readonly DayFigures[];
  /** `null` when the history does not have it. */
  merchantId: string | null;
  /** For {@link HistoryStore.record}. */
  version: HistoryVersion;
}

export interface HistoryVersion {
  /** `undefined` when there is no readable history. */
  stored: readonly DayFigures[] | undefined;
  /** `undefined` when there is no object. */
  eTag: string | undefined;
  /** Too large to be read, and overwritten. */
  isTooLarge: boolean;
}

/** The history of a merchant of whom nothing is stored. */
export const NO_HISTORY: KnownHistory = {
  days: [],
  merchantId: null,
  version: { stored: undefined, eTag: undefined, isTooLarge: false },
};

export interface HistoryStore {
  /** Newest first; none without a readable history. */
  kept(merchantCode: string): Promise<DayFigures[]>;
  /** Newest first. A missing day before `day` is looked up; all of use, without a readable history. */
  read(merchantCode: string, day: Day, at: LocalDate): Promise<KnownHistory>;
  /**
   * Unless newer revisions are stored. Not of an unfinished day: others cannot be compared with it. `false`
   * when others wrote at every attempt: the next run makes up for it.
   * @param known if it was read
   */
  record(manifest: Manifest, at: LocalDate, known?: KnownHistory): Promise<boolean>;
}
