import { SendRawEmailCommand, SESClient } from '@aws-sdk/client-ses';
import type { MessageTag } from '@aws-sdk/client-ses';
import * as z from 'zod';
import type { MailSender, OutgoingMail, SendOutcome, MailTags } from './mail-sender.ts';
import { requestHandler } from '#runtime/aws-clients.ts';
import { bareAddress } from '#registry/mail-address.ts';

/** A client of one attempt: SES has no idempotency key, so a repeated request may send a second mail. */
export function createMailClient(): SESClient {
  return new SESClient({ maxAttempts: 1, requestHandler: requestHandler(30_000) });
}

const failureSchema = z.lazy(() =>
  z.object({
    name: z.string().optional(),
    /** The socket's error, such as `ECONNRESET`. */
    code: z.string().optional(),
    $metadata: z.object({ httpStatusCode: z.int().optional() }).optional(),
    /** Absent when something else answered. */
    Error: z.object({ Code: z.string().optional() }).optional(),
  }),
);

const THROTTLED = /^(Throttl|TooManyRequests|LimitExceeded|RequestLimitExceeded|RequestThrottled)/;
/** The mail was certainly not accepted. */
const NOT_CONNECTED = new Set(['ENOTFOUND', 'EAI_AGAIN', 'ECONNREFUSED']);
const LITERAL_NAME = /^[A-Za-z][A-Za-z0-9_.:]{0,63}$/;

/** Messages of SES are left out, because they quote addresses. */
function reasonOf(name: string | undefined, status: number | undefined): string {
  const literal = name !== undefined && LITERAL_NAME.test(name) ? name : 'UnknownError';
  return status === undefined ? literal : `${literal} (${status})`;
}

/** Anything that is not certainly a refusal is unknown. */
function failedOutcome(error: unknown): SendOutcome {
  const failure = failureSchema.safeParse(error).data ?? {};
  const status = failure.$metadata?.httpStatusCode;
  const said = failure.Error?.Code;
  const reason = reasonOf(said ?? failure.code ?? failure.name, status);
  if (status === 429) return { kind: 'refused', throttled: true, reason };
  if (status !== undefined && status >= 400 && status < 500 && said !== undefined) {
    return { kind: 'refused', throttled: THROTTLED.test(said), reason };
  }
  if (status === undefined && failure.code !== undefined && NOT_CONNECTED.has(failure.code)) {
    return { kind: 'refused', throttled: true, reason };
  }
  if (failure.name === 'CredentialsProviderError') return { kind: 'refused', throttled: false, reason };
  return { kind: 'unknown', reason };
}

function tagsOf(tags: MailTags): MessageTag[] {
  return Object.entries(tags).flatMap(([Name, Value]: [string, string | undefined]) =>
    Value === undefined ? [] : [{ Name, Value }],
  );
}

export interface SesSettings {
  from: string;
  /** SES then sends events about the message. */
  configurationSet?: string | undefined;
}

/** `MailSender` over SES. Its client must make one attempt only (`createMailClient`). */
export class SesMailSender implements MailSender {
  readonly #settings: SesSettings & { client: SESClient };

  constructor(settings: SesSettings & { client: SESClient }) {
    this.#settings = settings;
  }

  async send(mail: OutgoingMail, timeout: number): Promise<SendOutcome> {
    const { client, from, configurationSet } = this.#settings;
    const command = new SendRawEmailCommand({
      Source: bareAddress(from),
      Destinations: [mail.to],
      RawMessage: { Data: mail.raw },
      Tags: tagsOf(mail.tags),
      ...(configurationSet !== undefined && { ConfigurationSetName: configurationSet }),
    });
    try {
      const { MessageId } = await client.send(command, { abortSignal: AbortSignal.timeout(timeout) });
      // The SDK reads an empty answer as one without an id.
      if (MessageId === undefined || MessageId === '')
        return { kind: 'unknown', reason: 'NoMessageId (200)' };
      return { kind: 'accepted', messageId: MessageId };
    } catch (error) {
      return failedOutcome(error);
    }
  }
}
