import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { S3Client } from '@aws-sdk/client-s3';
import * as z from 'zod';
import { opsNoticeKey } from '#records/storage/keys.ts';
import { addressesOnce } from '#registry/mail-address.ts';
import type { OpsNotice } from './ops-notice.ts';
import type { Clock } from '#runtime/clock.ts';
import type { MailSender } from '../mail-sender.ts';
import { BucketStore } from '#runtime/bucket-store.ts';
import { StoredObjectError } from '#runtime/s3-objects.ts';

/** @param milliseconds after which it is given up @throws any error that keeps the topic from accepting it */
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

/** The longest wait for one way, milliseconds. */
const LONGEST_WAY = 20_000;
/** With less time than this, no notice is started. Milliseconds. */
const LEAST = 100;
/** Shares of a notice's time: to look it up, and until all ways must have answered. The rest is for recording it. */
const LOOKED_UP_BY = 0.25;
const ANSWERED_BY = 0.8;

/** The longest wait between two looks at what another run does. Milliseconds. */
const LOOK_AGAIN = 250;
/**
 * How long a run may take from its claim of a notice to its record, milliseconds: a little more than all notices of a run.
 * Then the run is dead, and another one sends the notice. Shorter than the minute after which Lambda retries a failed event.
 */
const LEASE = 45_000;

const TOPIC = 'topic';

/** A way to ops: an address, by its hash, or the topic. */
interface Way {
  name: string;
  /** @returns whether ops were notified this way, within the given milliseconds */
  notify: (notice: OpsNotice, milliseconds: number) => Promise<boolean>;
}

/** The record of a notice: `claimedAt` while a run is about to send it, and then by which ways ops were notified. */
const recordSchema = z.lazy(() =>
  z.object({ claimedAt: z.iso.datetime().optional(), heardBy: z.array(z.string()).default([]) }),
);

/**
 * Whose a notice is: it was sent, this run is to send it, or another run is about to. `unknown`: the bucket does not say,
 * and a notice that comes twice is better than none.
 */
type Claim = 'sent' | 'own' | "another run's" | 'unknown';

const named = z.lazy(() => z.object({ name: z.string() }));

function nameOf(error: unknown): string {
  return named.safeParse(error).data?.name ?? 'UnknownError';
}

/**
 * Notifies ops, the people who run Daybook, by mail and over a topic: once, however many runs find the same thing. The
 * object that records a notice is also the claim of the run that sends it: another run waits for what becomes of it.
 * When the run dies in between, its claim runs out, and the next run that finds the thing sends it. All notices of a
 * run together have a limited time. One that does not fit is logged, and a later run sends it.
 */
export class OpsNotices extends BucketStore {
  readonly #settings: OpsNoticeSettings;
  readonly #time = new NoticeTime();

  constructor(settings: OpsNoticeSettings) {
    super(settings.s3, settings.bucket);
    this.#settings = settings;
  }

  /** Starts a new run. It may spend a third of its time on notices, 30 s at most. @param remaining milliseconds */
  begin(remaining: number): void {
    this.#time.begin(remaining);
  }

  /**
   * Once, however many runs find it. `false`: all ways failed, or another run has begun and not finished.
   * @param only the ways to use, as {@link heardBy} names them
   */
  notifyOnce(notice: OpsNotice, only?: readonly string[]): Promise<boolean> {
    const ways = this.#ways().filter(({ name }) => only?.includes(name) !== false);
    return this.#time.spend((milliseconds) => this.#notifyOnce(notice, ways, milliseconds));
  }

  /** The ways on which ops were notified: hashes of addresses, and `topic`. Empty when that is not known. */
  heardBy(about: string): Promise<string[]> {
    const key = opsNoticeKey(about);
    const read = async () => (await this.readObject(key, recordSchema))?.value.heardBy ?? [];
    return this.#unlessFailing(key, read, []);
  }

  /** Whether ops were notified; also `false` when that cannot be looked up. */
  wasNotified(about: string): Promise<boolean> {
    const key = opsNoticeKey(about);
    return this.#unlessFailing(key, async () => (await this.#standing(key)) === 'sent', false);
  }

  /** Records that ops were notified by a notice with another name. Never throws: ops may then get the notice again. */
  noteNotified(about: string): Promise<void> {
    const toldAt = new Date(this.#settings.clock.now()).toISOString();
    return this.#write(opsNoticeKey(about), { about, toldAt, heardBy: [] });
  }

  async #unlessFailing<Found>(key: string, look: () => Promise<Found>, otherwise: Found): Promise<Found> {
    try {
      return await look();
    } catch (error) {
      this.#settings.log('ops notice could not be looked up', { key, errorName: nameOf(error) });
      return otherwise;
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

  /** What the record says: `undefined` without one, and the claim of a notice that was not sent yet. */
  async #standing(key: string): Promise<'sent' | { claimedAt: number; version: string } | undefined> {
    try {
      const record = await this.readObject(key, recordSchema);
      if (record === undefined) return undefined;
      const { value, version } = record;
      return value.claimedAt === undefined ? 'sent' : { claimedAt: Date.parse(value.claimedAt), version };
    } catch (error) {
      // The object was changed by somebody. The notice was sent, and must not be sent again and again.
      if (error instanceof StoredObjectError) return 'sent';
      throw error;
    }
  }

  /**
   * @param each how long the bucket may take for each look, milliseconds
   * @param until when to stop waiting, in time of `performance`
   */
  async #claimed(key: string, about: string, each: number, until: number): Promise<Claim> {
    for (;;) {
      const claim = await within<Claim>(each, this.#claim(key, about), 'unknown');
      if (claim !== "another run's" || performance.now() + LOOK_AGAIN >= until) return claim;
      await sleep(LOOK_AGAIN);
    }
  }

  #claim(key: string, about: string): Promise<Claim> {
    const now = this.#settings.clock.now();
    // Without the random mark, two claims of the same millisecond would have the same bytes. Each run would take the
    // other's claim for its own.
    const own = { about, claimedAt: new Date(now).toISOString(), writer: randomUUID() };
    const claim = async (): Promise<Claim> => {
      const standing = await this.#standing(key);
      if (standing === 'sent') return 'sent';
      // A time in the future counts as past too, otherwise the claim would never run out.
      if (standing !== undefined && Math.abs(now - standing.claimedAt) < LEASE) return "another run's";
      const written = await this.writeObject(key, own, standing?.version);
      return written === undefined ? "another run's" : 'own';
    };
    return this.#unlessFailing<Claim>(key, claim, 'unknown');
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
      const { composeOpsMail } = await import('./render-ops-notice.ts');
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
      const { topicMessage } = await import('./render-ops-notice.ts');
      await publish({ TopicArn: topicArn, ...topicMessage(notice, this.#settings) }, milliseconds);
      return true;
    } catch (error) {
      log('ops topic was not notified', { errorName: nameOf(error) });
      return false;
    }
  }

  async #write(key: string, record: Record<string, unknown>): Promise<void> {
    try {
      await this.putObject(key, record);
    } catch (error) {
      this.#settings.log('ops notice could not be recorded', { key, errorName: nameOf(error) });
    }
  }
}

/** The most time that one run spends on notices to ops. Milliseconds. */
const LONGEST = 30_000;
/** The most that notices may take of a run's time. The rest is for its work. */
const SHARE = 1 / 3;

/**
 * The time for all notices of a run; those sent side by side spend it once. By the machine's own clock,
 * because it measures how long others take.
 */
export class NoticeTime {
  #left = LONGEST;
  #underWay = 0;
  #since = 0;

  begin(remaining: number): void {
    this.#left = Math.min(LONGEST, Math.max(0, remaining * SHARE));
    this.#since = performance.now();
  }

  /** @param send gets milliseconds, 0 when they are spent */
  async spend<T>(send: (milliseconds: number) => Promise<T>): Promise<T> {
    if (this.#underWay === 0) this.#since = performance.now();
    this.#underWay += 1;
    try {
      return await send(Math.max(0, this.#left - (performance.now() - this.#since)));
    } finally {
      this.#underWay -= 1;
      if (this.#underWay === 0) this.#left -= performance.now() - this.#since;
    }
  }
}

/** The value, or `otherwise` when it takes longer. The promise itself is not stopped. */
async function within<T>(milliseconds: number, promise: Promise<T>, otherwise: T): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<T>((resolve) => {
    timer = setTimeout(resolve, milliseconds, otherwise);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
