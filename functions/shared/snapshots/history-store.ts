import type { Day } from '#domain/day/business-day.ts';
import type { DayFigures } from '#domain/figures/history.ts';
import type { Manifest } from '#domain/revision/manifest.ts';

/** The merchant's current date. */
export interface LocalDate {
  /** No later day can be sealed. */
  today: Day;
  /** IANA name. */
  timeZone: string;
}

/** A merchant's history as it was read. */
export interface KnownHistory {
  /** Newest first. */
  days: readonly DayFigures[];
  /** The service's own id of the merchant, `null` when the history does not have it. */
  merchantId: string | null;
  /** The version of the stored history, for {@link HistoryStore.record}. */
  version: HistoryVersion;
}

/** What {@link HistoryStore.record} replaces. */
export interface HistoryVersion {
  /** The stored days, `undefined` when there is no readable history. */
  stored: readonly DayFigures[] | undefined;
  /** ETag, `undefined` when there is no object. */
  eTag: string | undefined;
  /** Whether the object is too large to be read, and is overwritten. */
  isTooLarge: boolean;
}

/** The history of a merchant of whom nothing is stored. */
export const NO_HISTORY: KnownHistory = {
  days: [],
  merchantId: null,
  version: { stored: undefined, eTag: undefined, isTooLarge: false },
};

/** The figures of a merchant's sealed whole days, in one small object. */
export interface HistoryStore {
  /** The stored days, newest first, and nothing more. None when there is no readable history. */
  kept(merchantCode: string): Promise<DayFigures[]>;
  /**
   * The stored days, newest first. The day before `day` is looked up when it is missing. When there is no
   * readable history, all days of use are looked up.
   *
   * @param day the day that needs a history
   */
  read(merchantCode: string, day: Day, at: LocalDate): Promise<KnownHistory>;
  /**
   * Stores the figures of a sealed day and of the days in its manifest, unless newer revisions of them are
   * stored. Writes only when something is new. An unfinished day is not stored, because other days cannot be
   * compared with it.
   *
   * @param known the history, when it was read before; it is read otherwise
   * @returns `false` when others wrote at every attempt; the next run on the day makes up for it
   */
  record(manifest: Manifest, at: LocalDate, known?: KnownHistory): Promise<boolean>;
}
