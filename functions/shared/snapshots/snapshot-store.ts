import type { Day } from '#domain/day/business-day.ts';
import type { CheckRecord } from '#domain/revision/check-record.ts';
import type { DataFile, Manifest } from '#domain/revision/manifest.ts';
import type { SpooledFile } from './spooled-file.ts';

/** The sealed days. */
export interface SnapshotStore {
  /** The newest sealed revision, `undefined` when the day has none. */
  newest(merchantCode: string, day: Day): Promise<Manifest | undefined>;
  /** One sealed revision, `undefined` when the number is free. */
  revision(merchantCode: string, day: Day, revision: number): Promise<Manifest | undefined>;
  /** Stores the pull's files under its own id and answers how the manifest names them. */
  upload(merchantCode: string, day: Day, pull: string, files: readonly SpooledFile[]): Promise<DataFile[]>;
  /** Puts the seal under its number unless that is taken, and answers whose manifest stands there now. */
  seal(manifest: Manifest): Promise<Manifest>;
  /**
   * The lines of a sealed JSON file, one row each, as text. It fails, at its end at the latest, where the file is not the
   * one that was sealed or has a row of another merchant or day: use what came only after that.
   */
  lines(file: DataFile): AsyncIterable<string>;
  /** Leaves word of a pull, unless what stands there is of a newer revision or a later pull. */
  recordCheck(record: CheckRecord): Promise<void>;
  lastCheck(merchantCode: string, day: Day): Promise<CheckRecord | undefined>;
}
