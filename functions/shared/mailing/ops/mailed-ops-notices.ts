import type { S3Client } from '@aws-sdk/client-s3';
import * as z from 'zod';
import { opsNoticeKey } from '#domain/storage/keys.ts';
import { addressesOnce } from '#domain/mail/mail-address.ts';
import type { OpsNotice } from '#domain/notices/ops-notice.ts';
import type { Clock } from '#runtime/clock.ts';
import type { MailSender } from '../mail-sender.ts';
import type { OpsNotices } from './ops-notices.ts';
import { putObject, readObject, readText, StoredObjectError } from '#aws/s3-objects.ts';
import { NoticeTime, within } from './notice-time.ts';

/**
 * Publishes a notice.
 *
 * @param milliseconds after which it is given up
 * @throws any error that keeps the topic from accepting it
 */
export type Publish = (
  notice: { TopicArn: string; Subject: string; Message: string },
  milliseconds: number,
) => Promise<void>;

/** What is needed to notify ops. */
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

/** The longest wait for one way, milliseconds. */
const LONGEST_WAY = 20_000;
/** With less time than this, no notice is started. Milliseconds. */
const LEAST = 100;
/**
 * Shares of a notice's time: for looking it up, and until all ways must have answered. The rest is for
 * recording it.
 */
const LOOKED_UP_BY = 0.25;
const ANSWERED_BY = 0.8;

/** The topic, as one of the ways to ops. */
const TOPIC = 'topic';

/** A way to ops: an address, by its hash, or the topic. */
interface Way {
  name: string;
  /** @returns whether ops were notified this way, within the given milliseconds */
  notify: (notice: OpsNotice, milliseconds: number) => Promise<boolean>;
}

const sentNoticeSchema = z.lazy(() => z.object({ heardBy: z.array(z.string()).default([]) }));

const named = z.lazy(() => z.object({ name: z.string() }));

function nameOf(error: unknown): string {
  return named.safeParse(error).data?.name ?? 'UnknownError';
}

/**
 * `OpsNotices` by mail and over a topic. A notice is recorded in an object after it was sent. Two runs that
 * find the same thing at the same moment may both send it, but a run that dies in between does not lose it.
 * All notices of a run together have a limited time. A notice that does not fit is logged, and a later run
 * that finds the same thing sends it.
 */
export class MailedOpsNotices implements OpsNotices {
  readonly #settings: OpsNoticeSettings;
  readonly #time = new NoticeTime();

  constructor(settings: OpsNoticeSettings) {
    this.#settings = settings;
  }

  /**
   * Starts a new run. It may spend a third of its time on notices, 30 s at most. @param remaining
   * milliseconds
   */
  begin(remaining: number): void {
    this.#time.begin(remaining);
  }

  notifyOnce(notice: OpsNotice, only?: readonly string[]): Promise<boolean> {
    const ways = this.#ways().filter(({ name }) => only?.includes(name) !== false);
    return this.#time.spend((milliseconds) => this.#notifyOnce(notice, ways, milliseconds));
  }

  async heardBy(about: string): Promise<string[]> {
    const { s3, bucket, log } = this.#settings;
    const key = opsNoticeKey(about);
    try {
      return (await readObject(s3, bucket, key, sentNoticeSchema))?.value.heardBy ?? [];
    } catch (error) {
      log('ops notice could not be looked up', { key, errorName: nameOf(error) });
      return [];
    }
  }

  #ways(): Way[] {
    const { recipients, topicArn } = this.#settings;
    const mails = [...addressesOnce(recipients)].map(([name, { address }]): Way => ({
      name,
      notify: (notice, milliseconds) => this.#mail(address, name, notice, milliseconds),
    }));
    if (topicArn === undefined) return mails;
    const notify: Way['notify'] = (notice, milliseconds) => this.#publish(topicArn, notice, milliseconds);
    return [...mails, { name: TOPIC, notify }];
  }

  async wasNotified(about: string): Promise<boolean> {
    const { s3, bucket, log } = this.#settings;
    const key = opsNoticeKey(about);
    try {
      return (await readText(s3, bucket, key)) !== undefined;
    } catch (error) {
      // The object was changed by somebody. The notice was sent, and must not be sent again and again.
      if (error instanceof StoredObjectError) return true;
      // A notice sent twice is better than none.
      log('ops notice could not be looked up', { key, errorName: nameOf(error) });
      return false;
    }
  }

  noteNotified(about: string): Promise<void> {
    return this.#remember(opsNoticeKey(about), about, []);
  }

  async #notifyOnce(notice: OpsNotice, ways: readonly Way[], milliseconds: number): Promise<boolean> {
    const { log } = this.#settings;
    const { about } = notice;
    const key = opsNoticeKey(about);
    const end = performance.now() + milliseconds;
    if (milliseconds < LEAST) log('ops notice is put off: the time for notices is spent', { about, key });
    else {
      if (await within(milliseconds * LOOKED_UP_BY, this.wasNotified(about), false)) return true;
      const left = end - performance.now() - milliseconds * (1 - ANSWERED_BY);
      // A timer of AbortSignal takes whole numbers only.
      const limit = Math.max(1, Math.floor(Math.min(LONGEST_WAY, left)));
      const notified = await Promise.all(ways.map((way) => this.#notify(way, notice, limit)));
      const heardBy = ways.filter((_, index) => notified[index] === true).map(({ name }) => name);
      if (heardBy.length > 0) {
        await within(end - performance.now(), this.#remember(key, about, heardBy), undefined);
        return true;
      }
      log('ops could not be notified', { about, key });
    }
    // When ops have no address and no topic, nothing has failed.
    return ways.length === 0;
  }

  /** Whether ops were notified this way in time. */
  async #notify({ name, notify }: Way, notice: OpsNotice, milliseconds: number): Promise<boolean> {
    const notified = await within<boolean | 'late'>(milliseconds, notify(notice, milliseconds), 'late');
    if (notified === 'late') this.#settings.log('ops were not notified in time', { way: name });
    return notified === true;
  }

  /** Whether SES accepted the mail to that address. */
  async #mail(to: string, recipient: string, notice: OpsNotice, milliseconds: number): Promise<boolean> {
    const { from, replyTo, mailSender, clock, log } = this.#settings;
    try {
      // Loaded only for a notice. Most cold starts never send one.
      const { composeOpsMail } = await import('./ops-messages.ts');
      const head = { from, ...(replyTo !== undefined && { replyTo }), to, at: clock.now() };
      const raw = await composeOpsMail(notice, this.#settings, head);
      const outcome = await mailSender.send({ to, raw, tags: { kind: 'ops', recipient } }, milliseconds);
      if (outcome.kind === 'accepted') return true;
      log('ops mail was not accepted', { recipient, outcome: outcome.kind, reason: outcome.reason });
    } catch (error) {
      log('ops mail failed', { recipient, errorName: nameOf(error) });
    }
    return false;
  }

  async #publish(topicArn: string, notice: OpsNotice, milliseconds: number): Promise<boolean> {
    const { publish, log } = this.#settings;
    try {
      const { topicMessage } = await import('./ops-messages.ts');
      await publish({ TopicArn: topicArn, ...topicMessage(notice, this.#settings) }, milliseconds);
      return true;
    } catch (error) {
      log('ops topic was not notified', { errorName: nameOf(error) });
      return false;
    }
  }

  async #remember(key: string, about: string, heardBy: readonly string[]): Promise<void> {
    const { s3, bucket, clock, log } = this.#settings;
    try {
      await putObject(s3, bucket, key, { about, toldAt: new Date(clock.now()).toISOString(), heardBy });
    } catch (error) {
      log('ops notice could not be recorded', { key, errorName: nameOf(error) });
    }
  }
}
