import type { S3Client } from '@aws-sdk/client-s3';
import * as z from 'zod';
import { addressHash, opsNoticeKey } from '../core/keys.ts';
import type { Clock, MailSender, OpsNotices } from '../ports.ts';
import { putObject, readText } from './s3-objects.ts';

/**
 * Publishes a notice.
 *
 * @throws whatever keeps the topic from taking it
 */
export type Publish = (notice: { TopicArn: string; Subject: string; Message: string }) => Promise<void>;

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
  log: (message: string, details: Record<string, unknown>) => void;
}

const SEND_TIMEOUT = 20_000;

const named = z.lazy(() => z.object({ name: z.string() }));

function nameOf(error: unknown): string {
  return named.safeParse(error).data?.name ?? 'UnknownError';
}

/**
 * Tells ops by mail and over a topic, and remembers it in an object afterwards: two runs that notice the same at the
 * same moment may both tell, but a run that dies in between cannot swallow the notice.
 */
export class MailedOpsNotices implements OpsNotices {
  readonly #settings: OpsNoticeSettings;

  constructor(settings: OpsNoticeSettings) {
    this.#settings = settings;
  }

  async tellOnce(about: string, subject: string, text: string): Promise<boolean> {
    if (await this.wasTold(about)) return true;
    const key = opsNoticeKey(about);
    const told = [...(await this.#mail(subject, text)), await this.#publish(subject, text)];
    if (told.includes(true)) {
      await this.#remember(key, about);
      return true;
    }
    const { log, recipients, topicArn } = this.#settings;
    log('ops could not be told', { about, key });
    // Where there is nobody to tell, nothing has failed.
    return recipients.length === 0 && topicArn === undefined;
  }

  async wasTold(about: string): Promise<boolean> {
    const { s3, bucket, log } = this.#settings;
    const key = opsNoticeKey(about);
    try {
      return (await readText(s3, bucket, key)) !== undefined;
    } catch (error) {
      // Rather told twice than not at all.
      log('ops notice could not be looked up', { key, error: nameOf(error) });
      return false;
    }
  }

  /** For each recipient, whether SES has taken the mail. */
  async #mail(subject: string, text: string): Promise<boolean[]> {
    const { from, replyTo, recipients, mailSender, clock, log } = this.#settings;
    const at = clock.now();
    const told: boolean[] = [];
    for (const to of recipients) {
      const recipient = addressHash(to);
      try {
        // Loaded when ops are to be told, which most cold starts never see.
        const { composeOpsMail } = await import('./ops-messages.ts');
        const head = { from, ...(replyTo !== undefined && { replyTo }), to, at };
        const raw = await composeOpsMail({ subject, text }, head);
        const outcome = await mailSender.send({ to, raw, tags: { kind: 'ops', recipient } }, SEND_TIMEOUT);
        told.push(outcome.kind === 'accepted');
        if (outcome.kind !== 'accepted') {
          log('ops mail was not taken', { recipient, outcome: outcome.kind, reason: outcome.reason });
        }
      } catch (error) {
        told.push(false);
        log('ops mail failed', { recipient, error: nameOf(error) });
      }
    }
    return told;
  }

  async #publish(subject: string, text: string): Promise<boolean> {
    const { topicArn, publish, log } = this.#settings;
    if (topicArn === undefined) return false;
    try {
      const { topicMessage } = await import('./ops-messages.ts');
      await publish({ TopicArn: topicArn, ...topicMessage({ subject, text }) });
      return true;
    } catch (error) {
      log('ops topic was not told', { error: nameOf(error) });
      return false;
    }
  }

  async #remember(key: string, about: string): Promise<void> {
    const { s3, bucket, clock, log } = this.#settings;
    try {
      await putObject(s3, bucket, key, { about, toldAt: new Date(clock.now()).toISOString() });
    } catch (error) {
      log('ops notice could not be remembered', { key, error: nameOf(error) });
    }
  }
}
