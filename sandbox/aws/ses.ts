import { randomBytes, randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { listParameter, queryService } from './query-protocol.ts';
import { ServiceError, type Service } from './service.ts';
import PostalMime from 'postal-mime';

export interface SentMail {
  messageId: string;
  /** The envelope's sender. */
  source: string;
  /** The envelope's recipients. */
  destinations: string[];
  tags: Record<string, string>;
  configurationSetName?: string;
  /** The message as it was sent, with its headers. */
  raw: Buffer;
  at: Date;
}

/** The mails since the start, oldest first. Each is also a file `<n>-<first recipient>.eml`. */
export class MailStore {
  readonly messages: SentMail[] = [];
  /** The addresses that mail may be sent from. `undefined`: everybody may send. */
  verifiedSenders: Set<string> | undefined;
  readonly #directory: string;
  readonly #now: () => number;
  #count: number;

  /** The numbers continue those of an earlier run on the same directory. `now`: milliseconds since 1970 UTC. */
  constructor(directory: string, now: () => number = Date.now) {
    mkdirSync(directory, { recursive: true });
    this.#directory = directory;
    this.#now = now;
    this.#count = Math.max(0, ...readdirSync(directory).map((name) => Number.parseInt(name, 10) || 0));
  }

  /** Stores a mail under a new message id. Synchronous, so that a mail is stored whole or not at all. */
  add(mail: Omit<SentMail, 'messageId' | 'at'>): SentMail {
    const sent: SentMail = { ...mail, messageId: newMessageId(), at: new Date(this.#now()) };
    this.#count += 1;
    const recipient = (mail.destinations[0] ?? 'nobody').replace(/[^A-Za-z0-9@._+-]/g, '_').slice(0, 80);
    const name = `${String(this.#count).padStart(4, '0')}-${recipient}.eml`;
    writeFileSync(join(this.#directory, name), mail.raw);
    this.messages.push(sent);
    return sent;
  }
}

/** The form of SES's ids: sixteen hexadecimal digits that begin with 0100, a UUID, six zeros. */
function newMessageId(): string {
  return `0100${randomBytes(6).toString('hex')}-${randomUUID()}-000000`;
}

/** The address in the From header. The body, which may be large, is not read. */
async function senderOf(raw: Buffer): Promise<string | undefined> {
  const end = raw.indexOf('\r\n\r\n');
  const { from } = await PostalMime.parse(end >= 0 ? raw.subarray(0, end + 4) : raw);
  return from?.address;
}

const maxRawBytes = 10_485_760;
const maxRecipients = 50;
const tagText = /^[A-Za-z0-9_-]{1,256}$/;

/** SES v1: SendRawEmail. Senders are checked if the store has a list of verified ones. */
export function sesService(mail: MailStore): Service {
  return queryService({
    name: 'ses',
    namespace: 'http://ses.amazonaws.com/doc/2010-12-01/',
    keyOf: (parameters) => listParameter(parameters, 'Destinations').join(','),
    operations: {
      SendRawEmail: async (parameters) => ({ MessageId: await send(mail, parameters) }),
    },
  });
}

/** @returns the id of the message */
async function send(mail: MailStore, parameters: URLSearchParams): Promise<string> {
  const raw = Buffer.from(parameters.get('RawMessage.Data') ?? '', 'base64');
  if (raw.length > maxRawBytes) {
    throw invalid(`Message length is more than ${maxRawBytes} bytes long: '${raw.length}'.`);
  }
  const from = await senderOf(raw);
  if (from === undefined) throw invalid("Missing required header 'From'.");
  const destinations = listParameter(parameters, 'Destinations');
  if (destinations.length === 0) throw invalid('Missing recipients.');
  if (destinations.length > maxRecipients) throw invalid(`Recipient count exceeds ${maxRecipients}.`);
  const source = parameters.get('Source') ?? from;
  const unverified = [source, from].filter((address) => mail.verifiedSenders?.has(address) === false);
  if (unverified.length > 0) throw notVerified(unverified);
  const configurationSetName = parameters.get('ConfigurationSetName');
  const { messageId } = mail.add({
    source,
    destinations,
    tags: tagsGiven(parameters),
    ...(configurationSetName !== null && { configurationSetName }),
    raw,
  });
  return messageId;
}

function tagsGiven(parameters: URLSearchParams): Record<string, string> {
  const tags: Record<string, string> = {};
  for (let n = 1; parameters.has(`Tags.member.${n}.Name`); n += 1) {
    const name = parameters.get(`Tags.member.${n}.Name`) ?? '';
    const value = parameters.get(`Tags.member.${n}.Value`) ?? '';
    if (!tagText.test(name) || !tagText.test(value))
      throw invalid(`Invalid tag <${name}=${value}>: only ASCII letters, digits, '_' and '-'.`);
    if (name in tags) throw invalid(`Duplicate tag name <${name}>.`);
    tags[name] = value;
  }
  return tags;
}

function notVerified(addresses: readonly string[]): ServiceError {
  const failed = [...new Set(addresses)].join(', ');
  return new ServiceError(
    400,
    'MessageRejected',
    `Email address is not verified. The following identities failed the check in region US-EAST-1: ${failed}`,
  );
}

function invalid(message: string): ServiceError {
  return new ServiceError(400, 'InvalidParameterValue', message);
}
