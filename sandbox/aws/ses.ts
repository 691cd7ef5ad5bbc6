import { randomBytes, randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { listParameter, queryService } from './query-protocol.ts';
import { ServiceError, type Service } from './service.ts';
import PostalMime, { type Address } from 'postal-mime';

export interface SentMail {
  messageId: string;
  /** The envelope's sender: `Source`, or else the From header. */
  source: string;
  /** The envelope's recipients: `Destinations`, or else the To, Cc and Bcc headers. */
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
  /** The addresses and domains that mail may be sent from. `undefined`: everybody may send. */
  verifiedSenders: Set<string> | undefined;
  readonly #directory: string;
  readonly #now: () => number;
  #count: number;

  /**
   * The numbers continue those of an earlier run on the same directory.
   * @param now milliseconds since 1970 UTC
   */
  constructor(directory: string, now: () => number = Date.now) {
    mkdirSync(directory, { recursive: true });
    this.#directory = directory;
    this.#now = now;
    this.#count = Math.max(0, ...readdirSync(directory).map((name) => Number.parseInt(name, 10) || 0));
  }

  isVerified(address: string): boolean {
    if (this.verifiedSenders === undefined) return true;
    const domain = address.slice(address.lastIndexOf('@') + 1);
    return this.verifiedSenders.has(address) || this.verifiedSenders.has(domain);
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

/** Who sends a raw message and who gets it, by its headers. It does not read the body, which may be large. */
async function peopleOf(raw: Buffer): Promise<{ from: string | undefined; recipients: string[] }> {
  const mail = await PostalMime.parse(headerSection(raw));
  return {
    from: mail.from?.address,
    recipients: [mail.to, mail.cc, mail.bcc].flatMap((list) => addresses(list ?? [])),
  };
}

function headerSection(raw: Buffer): Buffer {
  const end = raw.indexOf('\r\n\r\n');
  return end >= 0 ? raw.subarray(0, end + 4) : raw;
}

function addresses(list: readonly Address[]): string[] {
  return list.flatMap(({ address, group }) => (group ? addresses(group) : address ? [address] : []));
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
  const headers = await peopleOf(raw);
  if (headers.from === undefined) throw invalid("Missing required header 'From'.");
  const given = listParameter(parameters, 'Destinations');
  const destinations = given.length > 0 ? given : headers.recipients;
  if (destinations.length === 0) throw invalid('Missing recipients: neither Destinations nor a To header.');
  if (destinations.length > maxRecipients) throw invalid(`Recipient count exceeds ${maxRecipients}.`);
  const source = parameters.get('Source') ?? headers.from;
  const unverified = [source, headers.from].filter((address) => !mail.isVerified(address));
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
    if (!tagText.test(name))
      throw invalid(`Invalid tag name <${name}>: only ASCII letters, digits, '_' and '-'.`);
    if (!tagText.test(value))
      throw invalid(`Invalid tag value <${value}>: only ASCII letters, digits, '_' and '-'.`);
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
