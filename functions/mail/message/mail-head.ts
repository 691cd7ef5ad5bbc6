import { addressHash } from '#records/storage/keys.ts';
import { mailsOfLedger } from '#records/storage/readers-stop.ts';
import type { Branding } from '#registry/branding.ts';
import type { Environment } from '#registry/environment.ts';
import { bareAddress } from '#registry/mail-address.ts';
import type { MailBrand } from '../template/mailed-merchant.ts';
import { senderName, type MailParts } from './mime.ts';

export interface SenderProfile {
  from: string;
  /** Left out: the sender. */
  replyTo?: string | undefined;
  unsubscribe?: string | undefined;
  /** The registry's comes before it, member by member. */
  branding?: Branding;
  links?: Environment['links'];
}

export const MAIL_KINDS = ['report', 'correction', 'alert', 'statement', 'group', 'ops', 'preview'] as const;
export type MailKind = (typeof MAIL_KINDS)[number];

/** For the people who support a reader. */
export const INTERNALS = ['Pull', 'Manifest', 'Check', 'Rules'] as const;
type Internals = Readonly<Partial<Record<(typeof INTERNALS)[number], string>>>;

interface MailSubjectMatter {
  kind: MailKind;
  /** The words of `X-Daybook-Reference`, such as a merchant, a day and a revision. */
  reference: readonly (string | number)[];
  internals?: Internals;
}

/** Characters of a value. A line of a message has 998 at most. */
const LONGEST_VALUE = 500;

/** In letters that no mail program rewrites: blanks become one space, other characters `_`, nothing `-`. */
function asciiLine(text: string): string {
  const beginning = text.slice(0, LONGEST_VALUE * 2);
  const line = beginning.replace(/\s+/g, ' ').replace(/[^\w ./:=+-]/gu, '_');
  return line.trim().slice(0, LONGEST_VALUE).trimEnd() || '-';
}

/** As many words as there is room for, and how many more: `a b +7`. */
export function boundedWords(words: readonly string[]): string {
  const kept: string[] = [];
  let length = 0;
  for (const word of words) {
    length += word.length + 1;
    if (length > LONGEST_VALUE - 20) break;
    kept.push(word);
  }
  return [...kept, ...(kept.length < words.length ? [`+${words.length - kept.length}`] : [])].join(' ');
}

/** The headers `X-Daybook-…` (docs/interfaces.md, 8 Headers of mails): one line of ASCII each. */
export function daybookHeaders({
  kind,
  reference,
  internals = {},
}: MailSubjectMatter): Record<string, string> {
  const values = { Kind: kind, Reference: reference.map(String).join(' '), ...internals };
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [`X-Daybook-${name}`, asciiLine(value)]),
  );
}

/** The registry's members, then the stage's. */
export function brandOf(
  { from, unsubscribe, branding }: SenderProfile,
  merchant: { branding: Branding },
): MailBrand {
  const own = Object.entries(merchant.branding).filter(([, value]) => value !== undefined);
  return { ...branding, ...Object.fromEntries(own), fromName: senderName(from), unsubscribe };
}

interface MailAbout {
  kind: MailKind;
  merchantCode: string;
  day: string;
  /** The number of a revision, or the name of a check. */
  revision: number | string;
  internals: Internals;
}

/** The head of a mail. All kinds of mails about the day form one thread. */
export function headOf(
  { from, replyTo, unsubscribe }: SenderProfile,
  brand: Pick<MailBrand, 'senderName'>,
  { kind, merchantCode, day, revision, internals }: MailAbout,
): Pick<MailParts, 'from' | 'replyTo' | 'unsubscribe' | 'thread' | 'headers'> {
  const { senderName: name } = brand;
  return {
    from: name === undefined ? from : `${name} <${bareAddress(from)}>`,
    ...(replyTo !== undefined && { replyTo }),
    // The sender of such a request is the recipient; the subject names the merchant.
    ...(unsubscribe !== undefined && {
      unsubscribe: { address: unsubscribe, subject: `Unsubscribe ${merchantCode}` },
    }),
    thread: `merchant ${merchantCode}, day ${day}`,
    headers: daybookHeaders({ kind, reference: [merchantCode, day, revision], internals }),
  };
}

/**
 * Makes the links with which recipients stop mails like this one. None where the stage has no such links. The key is read here,
 * before the ledger says that the mail will be sent.
 * @param ledgerKey of the mail; `undefined` for a mail that no reader can stop
 * @returns takes the recipient's address
 * @throws {LinkKeyError} when the key is missing: a later run sends the mail
 */
export async function stopLinks(
  { links }: SenderProfile,
  ledgerKey: string | undefined,
): Promise<(to: string) => Pick<MailParts, 'stopLink'>> {
  const { secret, stops } = links ?? {};
  const of = mailsOfLedger(ledgerKey);
  if (secret === undefined || stops === undefined || of === undefined) return () => ({});
  // Loaded where the stage has such links.
  const { linkTokens } = await import('../links/link-tokens.ts');
  const sign = await linkTokens(secret).signer();
  return (to) => ({ stopLink: `${stops}${sign({ kind: 'stop', of, hash: addressHash(to) })}` });
}
