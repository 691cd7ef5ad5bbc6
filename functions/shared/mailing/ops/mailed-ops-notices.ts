import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { S3Client } from '@aws-sdk/client-s3';
import * as z from 'zod';
import { opsNoticeKey } from '#domain/storage/keys.ts';
import { addressesOnce } from '#domain/mail/mail-address.ts';
import type { OpsNotice } from '#domain/notices/ops-notice.ts';
import type { Clock } from '#runtime/clock.ts';
import type { MailSender } from '../mail-sender.ts';
import type { OpsNotices } from './ops-notices.ts';
import { createObject, putObject, readObject, replaceObject, StoredObjectError } from '#aws/s3-objects.ts';
import { NoticeTime, within } from './notice-time.ts';

/** @param milliseconds after which it is given up @throws any error that keeps the topic from accepting it */
export type Publish = (
  notice: { TopicArn: string; Subject: string; Message: string },
  milliseconds: number,
) => Promise<void>;

export interface OpsNoticeSettings {
  s3: S3Client;
  bucket: string;
  /** Left out: notices have the commands of a local run. */
  stage?: string | undefined;
  /** URL without a fragment. Left out: notices name the document. */
  runbook?: string | undefined;
  from: string;
  /** Left out: the sender. */
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

/** Milliseconds. */
const LONGEST_WAY = 20_000;
/** Milliseconds: with less, no notice is started. */
const LEAST = 100;
/** Shares of a notice's time; what is left is for recording it. */
const LOOKED_UP_BY = 0.25;
const ANSWERED_BY = 0.8;

/** Milliseconds. */
const LOOK_AGAIN = 250;
/**
 * Milliseconds from a claim to its record, a little more than all notices of a run. Then the run is dead.
 * Shorter than the minute after which Lambda retries a failed event.
 */
const LEASE = 45_000;

const TOPIC = 'topic';

interface Way {
  name: string;
  notify: (notice: OpsNotice, milliseconds: number) => Promise<boolean>;
}

/** `claimedAt` while a run is about to send, `heardBy` afterwards. */
const recordSchema = z.lazy(() =>
  z.object({ claimedAt: z.iso.datetime().optional(), heardBy: z.array(z.string()).default([]) }),
);

/** `unknown`: the bucket does not say, and a notice that comes twice is better than none. */
type Claim = 'sent' | 'own' | "another run's" | 'unknown';

const named = z.lazy(() => z.object({ name: z.string() }));

function nameOf(error: unknown): string {
  return named.safeParse(error).data?.name ?? 'UnknownError';
}

/**
 * `OpsNotices` by mail and topic. A notice's record is also the claim of the run that sends it: of two runs
 * one sends, the other waits; a dead run's claim runs out. What does not fit into a run's time is logged, for
 * a later one.
 */
export class MailedOpsNotices implements OpsNotices {
  readonly #settings: OpsNoticeSettings;
  readonly #time = new NoticeTime();

  constructor(settings: OpsNoticeSettings) {
    this.#settings = settings;
  }

  /** A third of the run's time, 30 s at most. @param remaining milliseconds */
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
      return (await readObject(s3, bucket, key, recordSchema))?.value.heardBy ?? [];
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
    const { log } = this.#settings;
    const key = opsNoticeKey(about);
    try {
      const standing = await this.#standing(key);
      return standing === 'sent';
    } catch (error) {
      log('ops notice could not be looked up', { key, errorName: nameOf(error) });
      return false;
    }
  }

  noteNotified(about: string): Promise<void> {
    const toldAt = new Date(this.#settings.clock.now()).toISOString();
    return this.#write(opsNoticeKey(about), { about, toldAt, heardBy: [] });
  }

  async #notifyOnce(notice: OpsNotice, ways: readonly Way[], milliseconds: number): Promise<boolean> {
    const { log } = this.#settings;
    const { about } = notice;
    const key = opsNoticeKey(about);
    // When ops have no address and no topic, nothing has failed.
    if (ways.length === 0) {
      log('ops could not be notified', { about, key });
      return true;
    }
    if (milliseconds < LEAST) {
      log('ops notice is put off: the time for notices is spent', { about, key });
      return false;
    }
    const end = performance.now() + milliseconds;
    const answered = end - milliseconds * (1 - ANSWERED_BY);
    const claim = await this.#claimed(key, about, milliseconds * LOOKED_UP_BY, answered);
    if (claim === 'sent') return true;
    if (claim === "another run's") {
      log('ops are being notified by another run', { about, key });
      return false;
    }
    // A timer of AbortSignal takes whole numbers only.
    const limit = Math.max(1, Math.floor(Math.min(LONGEST_WAY, answered - performance.now())));
    const notified = await Promise.all(ways.map((way) => this.#notify(way, notice, limit)));
    const heardBy = ways.filter((_, index) => notified[index] === true).map(({ name }) => name);
    const told = heardBy.length > 0;
    if (!told) log('ops could not be notified', { about, key });
    // Perhaps another run has sent it meanwhile, and its record must stay.
    if (!told && claim === 'unknown') return false;
    const at = new Date(told ? this.#settings.clock.now() : 0).toISOString();
    // A claim of long ago: the next run need not wait.
    const record = told ? { about, toldAt: at, heardBy } : { about, claimedAt: at };
    await within(Math.max(1, end - performance.now()), this.#write(key, record), undefined);
    return told;
  }

  /** `undefined` without a record. */
  async #standing(key: string): Promise<'sent' | { claimedAt: number; version: string } | undefined> {
    const { s3, bucket } = this.#settings;
    try {
      const record = await readObject(s3, bucket, key, recordSchema);
      if (record === undefined) return undefined;
      const { value, version } = record;
      return value.claimedAt === undefined ? 'sent' : { claimedAt: Date.parse(value.claimedAt), version };
    } catch (error) {
      // The object was changed by somebody. The notice was sent, and must not be sent again and again.
      if (error instanceof StoredObjectError) return 'sent';
      throw error;
    }
  }

  /** @param each milliseconds for each look @param until when to stop waiting, in time of `performance` */
  async #claimed(key: string, about: string, each: number, until: number): Promise<Claim> {
    for (;;) {
      const claim = await within<Claim>(each, this.#claim(key, about), 'unknown');
      if (claim !== "another run's" || performance.now() + LOOK_AGAIN >= until) return claim;
      await setTimeout(LOOK_AGAIN);
    }
  }

  async #claim(key: string, about: string): Promise<Claim> {
    const { s3, bucket, clock, log } = this.#settings;
    const now = clock.now();
    // Without a random mark, claims of the same millisecond would have the same bytes.
    const own = { about, claimedAt: new Date(now).toISOString(), writer: randomUUID() };
    try {
      const standing = await this.#standing(key);
      if (standing === 'sent') return 'sent';
      // A time in the future counts as past too, otherwise the claim would never run out.
      if (standing !== undefined && Math.abs(now - standing.claimedAt) < LEASE) return "another run's";
      const written =
        standing === undefined
          ? await createObject(s3, bucket, key, own)
          : await replaceObject(s3, bucket, key, own, standing.version);
      return written === undefined ? "another run's" : 'own';
    } catch (error) {
      log('ops notice could not be looked up', { key, errorName: nameOf(error) });
      return 'unknown';
    }
  }

  async #notify({ name, notify }: Way, notice: OpsNotice, milliseconds: number): Promise<boolean> {
    const notified = await within<boolean | 'late'>(milliseconds, notify(notice, milliseconds), 'late');
    if (notified === 'late') this.#settings.log('ops were not notified in time', { way: name });
    return notified === true;
  }

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

  async #write(key: string, record: Record<string, unknown>): Promise<void> {
    const { s3, bucket, log } = this.#settings;
    try {
      await putObject(s3, bucket, key, record);
    } catch (error) {
      log('ops notice could not be recorded', { key, errorName: nameOf(error) });
    }
  }
}
