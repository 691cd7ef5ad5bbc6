import type { S3Client } from '@aws-sdk/client-s3';
import type { Clock } from '#runtime/clock.ts';
import type { MailSender } from '../mail-sender.ts';
import type { NoticeSender } from './notice-sender.ts';
import type { OpsNotice } from './ops-notice.ts';

/**
 * Publishes a notice.
 * @param milliseconds after which it is given up
 * @throws any error that keeps the topic from accepting it
 */
export type Publish = (
  notice: { TopicArn: string; Subject: string; Message: string },
  milliseconds: number,
) => Promise<void>;

export interface OpsNoticeSettings {
  s3: S3Client;
  bucket: string;
  /** The name of the stage. Left out: notices name none, and have the commands of a local run. */
  stage?: string | undefined;
  /** URL of the published runbook, without a fragment. Left out: notices name the document. */
  runbook?: string | undefined;
  from: string;
  /** The address for answers. Left out: the sender. */
  replyTo?: string | undefined;
  /** Bare addresses. May be empty. */
  recipients: readonly string[];
  topicArn?: string | undefined;
  mailSender: MailSender;
  publish: Publish;
  clock: Clock;
  /** Gets names, keys and hashes only, never an address. */
  log: (message: string, fields: Record<string, unknown>) => void;
}

/**
 * Notifies ops, the people who run Daybook, by mail and over a topic: once, however many runs find the same thing. What does it
 * is loaded at the first notice, because most cold starts never send one.
 */
export class OpsNotices {
  readonly #settings: OpsNoticeSettings;
  #sender: NoticeSender | undefined;
  #remaining = 0;

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
    this.#sender.begin(this.#remaining);
    return this.#sender;
  }
}
