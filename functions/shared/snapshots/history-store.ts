import type { Day } from '#domain/day/business-day.ts';
import type { DayFigures } from '#domain/figures/history.ts';
import type { Manifest } from '#domain/revision/manifest.ts';

/** What day it is for a merchant. */
export interface LocalDate {
  /** No later day can be sealed. */
  today: Day;
  /** IANA name. */
  timeZone: string;
}

/** The figures of a merchant's sealed days that were whole by then, as one small thing to read. */
export interface HistoryStore {
  /**
   * The days that are remembered, newest first. The day before `day` is looked up where it is not among them, and all
   * that are of use where nothing is remembered, or nothing that can be read.
   *
   * @param day the one that a history is wanted for
   */
  read(merchantCode: string, day: Day, at: LocalDate): Promise<DayFigures[]>;
  /**
   * Remembers a sealed day and those that its manifest knew of, unless newer revisions of them are remembered. Writes
   * nothing where nothing is new. A day so far is no measure for others, and is not remembered.
   *
   * @returns `false` when others wrote each time this one wanted to; the next run on the day makes up for it
   */
  record(manifest: Manifest, at: LocalDate): Promise<boolean>;
}
