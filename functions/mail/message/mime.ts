import { createHash } from 'node:crypto';
import MailComposer from 'nodemailer/lib/mail-composer/index.js';
import { encodeWord } from 'nodemailer/lib/mime-funcs/index.js';
import { oneLine } from '../formatters/outside-text.ts';
import { bareAddress } from '#registry/mail-address.ts';

export interface MailAttachment {
  filename: string;
  content: Uint8Array;
  contentType: string;
}

export interface MailParts {
  /** An address, or a name in any script and the address in angle brackets. */
  from: string;
  /** One bare address: each message has one recipient. */
  to: string;
  subject: string;
  text: string;
  html: string;
  attachments?: readonly MailAttachment[];
  replyTo?: string;
  /** A bare address, and the subject of such a request. */
  unsubscribe?: { address: string; subject: string };
  /** The https address that stops such mails to this recipient, by one POST (RFC 8058). */
  stopLink?: string;
  /** Mail programs group messages of the same sender and thread. */
  thread?: string;
  headers?: Readonly<Record<string, string>>;
  /** Milliseconds UTC. */
  at: number;
}

/** The name of `Name <address>`, `''` when there is none. */
export function senderName(sender: string): string {
  const name = /^([^<]*)<[^<>]*>\s*$/.exec(sender)?.[1] ?? '';
  return oneLine(name.trim().replace(/^"(.*)"$/s, '$1'), 120);
}

/** A subject that looks encoded is encoded again: a reader would show its decoded form. */
function subjectLine(subject: string): string {
  const line = oneLine(subject, 200);
  return line.includes('=?') ? encodeWord(line, 'B', 52) : line;
}

/** For MIME's unique names: a clock or random numbers would differ from run to run. */
function fingerprint({ attachments = [], ...parts }: MailParts): string {
  const described = attachments.map(({ filename, content }) => [filename, content.length]);
  const hash = createHash('sha256').update(JSON.stringify([parts, described]));
  for (const { content } of attachments) hash.update(content);
  return hash.digest('hex').slice(0, 32);
}

/**
 * Mails of a thread answer one message that does not exist: each recipient gets an own mail, and SES replaces
 * our ids. RFC 5322 (3.6.4) asks only that answers name the same id.
 */
function threadId(thread: string, domain: string): string {
  return `<thread.${createHash('sha256').update(thread).digest('hex').slice(0, 32)}@${domain}>`;
}

function mailtoOf({ address, subject }: NonNullable<MailParts['unsubscribe']>): string {
  return `mailto:${encodeURI(oneLine(address))}?subject=${encodeURIComponent(oneLine(subject, 120))}`;
}

/** RFC 2369 and 8058. Mail programs show a button for it, and send the POST or the mail themselves. */
function unsubscribeHeaders({ unsubscribe, stopLink }: Pick<MailParts, 'stopLink' | 'unsubscribe'>) {
  const links = [stopLink, unsubscribe && mailtoOf(unsubscribe)].filter((link) => link !== undefined);
  if (links.length === 0) return {};
  return {
    // Not folded: some readers would see the link begin with a blank.
    'List-Unsubscribe': { prepared: true, value: links.map((link) => `<${link}>`).join(', ') },
    ...(stopLink !== undefined && { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }),
  };
}

/** The same parts give the same bytes. Texts from outside cannot add a header: they become one line here. */
export async function composeMail(parts: MailParts): Promise<Uint8Array> {
  const { from, to, subject, text, html, attachments = [], headers = {}, at } = parts;
  const { replyTo, thread } = parts;
  const unique = fingerprint(parts);
  const sender = bareAddress(from);
  const domain = sender.slice(sender.lastIndexOf('@') + 1);
  const root = thread === undefined ? undefined : threadId(thread, domain);
  const composer = new MailComposer({
    // As objects, because a string would be read as a list of addresses.
    from: { name: senderName(from), address: sender },
    to: { name: '', address: to },
    subject: subjectLine(subject),
    text,
    html,
    date: new Date(at),
    messageId: `<${unique}@${domain}>`,
    ...(root !== undefined && { inReplyTo: root, references: root }),
    ...(replyTo !== undefined && { replyTo: { name: '', address: replyTo } }),
    headers: {
      'Auto-Submitted': 'auto-generated',
      ...unsubscribeHeaders(parts),
      ...headers,
    },
    attachments: attachments.map(({ filename, content, contentType }) => ({
      filename: oneLine(filename, 120),
      content: Buffer.from(content.buffer, content.byteOffset, content.length),
      contentType,
    })),
    baseBoundary: unique,
    newline: '\r\n',
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return composer.compile().build();
}
