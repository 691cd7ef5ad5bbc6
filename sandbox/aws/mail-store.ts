import { randomBytes, randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A mail that SES accepted. */
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

  /** Whether mail may be sent from the address. */
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
