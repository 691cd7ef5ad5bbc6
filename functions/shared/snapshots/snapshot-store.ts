import type { Day } from '#domain/day/business-day.ts';
import type { CheckRecord, StandingCheck } from '#domain/revision/check-record.ts';
import type { DataFile, Manifest } from '#domain/revision/manifest.ts';
import type { SpooledFile } from './spooled-file.ts';

/** The sealed days. */
export interface SnapshotStore {
  /** The number of the newest sealed revision, `undefined` when the day has none. */
  newestNumber(merchantCode: string, day: Day): Promise<number | undefined>;
  /** The newest sealed revision, `undefined` when the day has none. */
  newest(merchantCode: string, day: Day): Promise<Manifest | undefined>;
  /** One sealed revision, `undefined` when the number is free. */
  revision(merchantCode: string, day: Day, revision: number): Promise<Manifest | undefined>;
  /** Stores the pull's files under its own id. @returns how the manifest names them */
  upload(merchantCode: string, day: Day, pull: string, files: readonly SpooledFile[]): Promise<DataFile[]>;
  /**
   * Notes ahead that the day is about to change, so that the seal that follows in this run need not wait for it.
   * Never fails: the seal notes it again.
   *
   * @param now the time of this call, milliseconds UTC
   */
  announce(day: Day, now: number): Promise<void>;
  /**
   * Notes that the day is about to change, then writes the manifest under its number if that is free.
   *
   * @param now the time of this call, milliseconds UTC
   * @returns the manifest that is stored there now
   */
  seal(manifest: Manifest, now: number): Promise<Manifest>;
  /**
   * The lines of a sealed JSON file, one row each, as text. Fails, at the latest at its end, when the file is
   * not the sealed one or has a row of another merchant or day. So use the lines only after the end.
   */
  lines(file: DataFile): AsyncIterable<string>;
  /**
   * Records a pull, unless the stored record is of a newer revision or a later pull.
   *
   * @param standing the stored record, when it was read before; it is read otherwise
   */
  recordCheck(record: CheckRecord, standing?: StandingCheck): Promise<void>;
  lastCheck(merchantCode: string, day: Day): Promise<CheckRecord | undefined>;
  /** The stored record with its version, `undefined` when it is not readable. */
  standingCheck(merchantCode: string, day: Day): Promise<StandingCheck | undefined>;
}
