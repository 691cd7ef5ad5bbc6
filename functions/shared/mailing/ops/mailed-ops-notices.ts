import type { S3Client } from '@aws-sdk/client-s3';
import * as z from 'zod';
import { opsNoticeKey } from '#domain/storage/keys.ts';
import { addressesOnce } from '#domain/mail/mail-address.ts';
import type { Clock } from '#runtime/clock.ts';
import type { MailSender } from '../mail-sender.ts';
import type { OpsNotices } from './ops-notices.ts';
import type { Notice } from './ops-messages.ts';
import { putObject, readObject, readText, StoredObjectError } from '#aws/s3-objects.ts';
import { NoticeTime, within } from './notice-time.ts';

/**
 * Publishes a notice.
 *
 * @param milliseconds after which it is given up
 * @throws whatever keeps the topic from taking it
 */
export type Publish = (
  notice: { TopicArn: string; Subject: string; Message: string },
  milliseconds: number,
) => Promise<void>;

/** What it takes to tell ops. */
export interface OpsNoticeSettings {
  s3: S3Client;
  bucket: string;
  from: string;
  /** Where answers go; left out, to the sender. */
  replyTo?: string | undefined;
  /** Bare addresses; may be empty. */
  recipients: readonly string[];
  topicArn?: string | undefined;
  mailSender: MailSender;
  publish: Publish;
  clock: Clock;
  /** Gets names, keys and hashes only, never an address. */
  log: (message: string, fields: Record<string, unknown>) => void;
}

/** The longest that one way is waited for, milliseconds. */
const LONGEST_WAY = 20_000;
/** With less time than this nothing is begun. Milliseconds. */
const LEAST = 100;
/** Shares of the time of a notice: for looking it up, and by when all ways must have answered; the rest is for remembering it. */
const LOOKED_UP_BY = 0.25;
const TOLD_BY = 0.8;

/** The topic among the ways to ops. */
const TOPIC = 'topic';

/** A way to ops, by the hash of an address or as the topic. */
interface Way {
  name: string;
  /** @returns whether they were told by it; gives up after so many milliseconds */
  tell: (notice: Notice, milliseconds: number) => Promise<boolean>;
}

const toldSchema = z.lazy(() => z.object({ heardBy: z.array(z.string()).default([]) }));

const named = z.lazy(() => z.object({ name: z.string() }));

function nameOf(error: unknown): string {
  return named.safeParse(error).data?.name ?? 'UnknownError';
}

/**
 * Tells ops by mail and over a topic, and remembers it in an object afterwards: two runs that notice the same at the
 * same moment may both tell, but a run that dies in between cannot swallow the notice. All notices of a run together
 * have a bounded time; what does not fit is logged, and a later run that notices the same tells it.
 */
export class MailedOpsNotices implements OpsNotices {
  readonly #settings: OpsNoticeSettings;
  readonly #time = new NoticeTime();

  constructor(settings: OpsNoticeSettings) {
    this.#settings = settings;
  }

  /** A new run, which may spend a third of its time on telling, 30 s at most. @param remaining milliseconds */
  begin(remaining: number): void {
    this.#time.begin(remaining);
  }

  notifyOnce(about: string, subject: string, text: string, only?: readonly string[]): Promise<boolean> {
    const ways = this.#ways().filter(({ name }) => only?.includes(name) !== false);
    return this.#time.spend((milliseconds) => this.#notifyOnce(about, { subject, text }, ways, milliseconds));
  }

  async heardBy(about: string): Promise<string[]> {
    const { s3, bucket, log } = this.#settings;
    const key = opsNoticeKey(about);
    try {
      return (await readObject(s3, bucket, key, toldSchema))?.value.heardBy ?? [];
    } catch (error) {
      log('ops notice could not be looked up', { key, errorName: nameOf(error) });
      return [];
    }
  }

  #ways(): Way[] {
    const { recipients, topicArn } = this.#settings;
    const mails = [...addressesOnce(recipients)].map(([name, { address }]): Way => ({
      name,
      tell: (notice, milliseconds) => this.#mail(address, name, notice, milliseconds),
    }));
    if (topicArn === undefined) return mails;
    const tell: Way['tell'] = (notice, milliseconds) => this.#publish(topicArn, notice, milliseconds);
    return [...mails, { name: TOPIC, tell }];
  }

  async wasNotified(about: string): Promise<boolean> {
    const { s3, bucket, log } = this.#settings;
    const key = opsNoticeKey(about);
    try {
      return (await readText(s3, bucket, key)) !== undefined;
    } catch (error) {
      // Whatever somebody put there: it was told, and must not be told for ever.
      if (error instanceof StoredObjectError) return true;
      // Rather told twice than not at all.
      log('ops notice could not be looked up', { key, errorName: nameOf(error) });
      return false;
    }
  }

  noteNotified(about: string): Promise<void> {
    return this.#remember(opsNoticeKey(about), about, []);
  }

  async #notifyOnce(
    about: string,
    notice: Notice,
    ways: readonly Way[],
    milliseconds: number,
  ): Promise<boolean> {
    const { log } = this.#settings;
    const key = opsNoticeKey(about);
    const end = performance.now() + milliseconds;
    if (milliseconds < LEAST) log('ops notice is put off: the time for telling is spent', { about, key });
    else {
      if (await within(milliseconds * LOOKED_UP_BY, this.wasNotified(about), false)) return true;
      const left = end - performance.now() - milliseconds * (1 - TOLD_BY);
      // A timer of AbortSignal takes whole numbers only.
      const limit = Math.max(1, Math.floor(Math.min(LONGEST_WAY, left)));
      const told = await Promise.all(ways.map((way) => this.#tell(way, notice, limit)));
      const heardBy = ways.filter((_, index) => told[index] === true).map(({ name }) => name);
      if (heardBy.length > 0) {
        await within(end - performance.now(), this.#remember(key, about, heardBy), undefined);
        return true;
      }
      log('ops could not be told', { about, key });
    }
    // Where there is nobody to tell, nothing has failed.
    return ways.length === 0;
  }

  /** Whether ops were told by this way, and in time. */
  async #tell({ name, tell }: Way, notice: Notice, milliseconds: number): Promise<boolean> {
    const told = await within<boolean | 'late'>(milliseconds, tell(notice, milliseconds), 'late');
    if (told === 'late') this.#settings.log('ops were not told in time', { way: name });
    return told === true;
  }

  /** Whether SES has taken the mail to that address. */
  async #mail(to: string, recipient: string, notice: Notice, milliseconds: number): Promise<boolean> {
    const { from, replyTo, mailSender, clock, log } = this.#settings;
    try {
      // Loaded when ops are to be told, which most cold starts never see.
      const { composeOpsMail } = await import('./ops-messages.ts');
      const head = { from, ...(replyTo !== undefined && { replyTo }), to, at: clock.now() };
      const raw = await composeOpsMail(notice, head);
      const outcome = await mailSender.send({ to, raw, tags: { kind: 'ops', recipient } }, milliseconds);
      if (outcome.kind === 'accepted') return true;
      log('ops mail was not taken', { recipient, outcome: outcome.kind, reason: outcome.reason });
    } catch (error) {
      log('ops mail failed', { recipient, errorName: nameOf(error) });
    }
    return false;
  }

  async #publish(topicArn: string, notice: Notice, milliseconds: number): Promise<boolean> {
    const { publish, log } = this.#settings;
    try {
      const { topicMessage } = await import('./ops-messages.ts');
      await publish({ TopicArn: topicArn, ...topicMessage(notice) }, milliseconds);
      return true;
    } catch (error) {
      log('ops topic was not told', { errorName: nameOf(error) });
      return false;
    }
  }

  async #remember(key: string, about: string, heardBy: readonly string[]): Promise<void> {
    const { s3, bucket, clock, log } = this.#settings;
    try {
      await putObject(s3, bucket, key, { about, toldAt: new Date(clock.now()).toISOString(), heardBy });
    } catch (error) {
      log('ops notice could not be remembered', { key, errorName: nameOf(error) });
    }
  }
}
