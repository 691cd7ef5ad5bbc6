import type { OpsNotice } from '#domain/notices/ops-notice.ts';

export interface OpsNotices {
  /**
   * Once, however many runs find it. `false`: all ways failed, or another run has begun and not finished.
   * @param only the ways to use, as {@link heardBy} names them
   */
  notifyOnce(notice: OpsNotice, only?: readonly string[]): Promise<boolean>;
  /** Hashes of addresses, and `topic`. Empty when unknown. */
  heardBy(about: string): Promise<string[]>;
  /** Also `false` when that cannot be looked up. */
  wasNotified(about: string): Promise<boolean>;
  /** By a notice with another name. Never throws: ops may then get the notice again. */
  noteNotified(about: string): Promise<void>;
}
