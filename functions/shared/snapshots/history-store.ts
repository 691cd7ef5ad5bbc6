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

/** The figures of a merchant's sealed whole days, in one small object. */
export interface HistoryStore {
  /**
   * The stored days, newest first. The day before `day` is looked up when it is missing. When there is no
   * readable history, all days of use are looked up.
   *
   * @param day the day that needs a history
   */
  read(merchantCode: string, day: Day, at: LocalDate): Promise<DayFigures[]>;
  /**
   * Stores the figures of a sealed day and of the days in its manifest, unless newer revisions of them are
   * stored. Writes only when something is new. An unfinished day is not stored, because other days cannot be
   * compared with it.
   *
   * @returns `false` when others wrote at every attempt; the next run on the day makes up for it
   */
  record(manifest: Manifest, at: LocalDate): Promise<boolean>;
}
