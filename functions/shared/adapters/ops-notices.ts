import type { S3Client } from '@aws-sdk/client-s3';
import { PublishCommand } from '@aws-sdk/client-sns';
import type { SNSClient } from '@aws-sdk/client-sns';
import * as z from 'zod';
import { addressHash, opsNoticeKey } from '../core/keys.ts';
import { renderOpsNotice } from '../core/rendering/ops-notice.ts';
import type { Clock, MailSender, OpsNotices } from '../ports.ts';
import { composeMail } from './mime.ts';
import { putObject, readText } from './s3-objects.ts';

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
  sns: SNSClient;
  clock: Clock;
  /** Gets names, keys and hashes only, never an address. */
  log: (message: string, details: Record<string, unknown>) => void;
}

const SEND_TIMEOUT = 20_000;
/** SNS takes printable ASCII of less than 100 characters for a subject. */
const LONGEST_TOPIC_SUBJECT = 99;

const named = z.object({ name: z.string() });

function nameOf(error: unknown): string {
  return named.safeParse(error).data?.name ?? 'UnknownError';
}

function topicSubject(subject: string): string {
  return subject.replace(/[^\x20-\x7e]/gu, '?').slice(0, LONGEST_TOPIC_SUBJECT);
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
    const mail = renderOpsNotice({ subject, text });
    const at = clock.now();
    const told: boolean[] = [];
    for (const to of recipients) {
      const recipient = addressHash(to);
      try {
        const raw = await composeMail({ from, ...(replyTo !== undefined && { replyTo }), to, ...mail, at });
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
    const { topicArn, sns, log } = this.#settings;
    if (topicArn === undefined) return false;
    const notice = renderOpsNotice({ subject, text });
    try {
      await sns.send(
        new PublishCommand({
          TopicArn: topicArn,
          Subject: topicSubject(notice.subject),
          // The subject again: in the message it keeps what ASCII cannot hold.
          Message: `${notice.subject}\n\n${notice.text}`,
        }),
      );
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
