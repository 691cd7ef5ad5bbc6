import type { OpsNotice } from '#domain/notices/ops-notice.ts';

/** Notifies ops, the people who run Daybook. */
export interface OpsNotices {
  /**
   * Notifies ops once of the thing that `notice.about` names, however many runs find it, also at once. Never throws
   * when notifying fails.
   *
   * @param only the ways to use, as {@link heardBy} names them; all when left out
   * @returns `false` when every way to ops failed, or another run has begun to notify them and has not finished: so they
   * may not know it
   */
  notifyOnce(notice: OpsNotice, only?: readonly string[]): Promise<boolean>;
  /** The ways on which ops were notified: hashes of addresses, and `topic`. Empty when that is not known. */
  heardBy(about: string): Promise<string[]>;
  /** Whether ops were notified; also `false` when that cannot be looked up. */
  wasNotified(about: string): Promise<boolean>;
  /**
   * Records that ops were notified by a notice with another name. Never throws: ops may then get the notice
   * again.
   */
  noteNotified(about: string): Promise<void>;
}
