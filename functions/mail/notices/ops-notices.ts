import type { NoticeSender, OpsNoticeSettings } from './notice-sender.ts';
import type { OpsNotice } from './ops-notice.ts';

export type { OpsNoticeSettings, Publish } from './notice-sender.ts';

/**
 * Notifies ops, the people who run Daybook, by mail and over a topic: once, however many runs find the same thing. What does it
 * is loaded at the first notice, because most cold starts never send one.
 */
export class OpsNotices {
  readonly #settings: OpsNoticeSettings;
  #sender: NoticeSender | undefined;
  #remaining: number | undefined;

  constructor(settings: OpsNoticeSettings) {
    this.#settings = settings;
  }

  /**
   * Starts a new run. It may spend a third of its time on notices, 30 s at most.
   * @param remaining milliseconds
   */
  begin(remaining: number): void {
    this.#remaining = remaining;
    this.#sender?.begin(remaining);
  }

  /**
   * Once, however many runs find it. `false`: all ways failed, or another run has begun and not finished.
   * @param only the ways to use, as {@link heardBy} names them
   */
  async notifyOnce(notice: OpsNotice, only?: readonly string[]): Promise<boolean> {
    return (await this.#load()).notifyOnce(notice, only);
  }

  /** The ways on which ops were notified: hashes of addresses, and `topic`. Empty when that is not known. */
  async heardBy(about: string): Promise<string[]> {
    return (await this.#load()).heardBy(about);
  }

  /** Whether ops were notified; also `false` when that cannot be looked up. */
  async wasNotified(about: string): Promise<boolean> {
    return (await this.#load()).wasNotified(about);
  }

  /**
   * Records that ops were notified by a notice with another name. Never throws: ops may then get the notice
   * again.
   */
  async noteNotified(about: string): Promise<void> {
    return (await this.#load()).noteNotified(about);
  }

  async #load(): Promise<NoticeSender> {
    const loaded = await import('./notice-sender.ts');
    if (this.#sender !== undefined) return this.#sender;
    this.#sender = new loaded.NoticeSender(this.#settings);
    if (this.#remaining !== undefined) this.#sender.begin(this.#remaining);
    return this.#sender;
  }
}
