import { createHash } from 'node:crypto';
import MailComposer from 'nodemailer/lib/mail-composer/index.js';
import { encodeWord } from 'nodemailer/lib/mime-funcs/index.js';
import { oneLine } from '#rendering/formatters/outside-text.ts';
import { bareAddress } from './bare-address.ts';

/** A file that goes out with a message. */
export interface MailAttachment {
  filename: string;
  content: Uint8Array;
  contentType: string;
}

/** What a message is made of. */
export interface MailParts {
  /** An address, or a name (any script) and the address in angle brackets. */
  from: string;
  /** One bare address: a message is for one recipient. */
  to: string;
  subject: string;
  text: string;
  html: string;
  attachments?: readonly MailAttachment[];
  /** A bare address, for answers. */
  replyTo?: string;
  /** The bare address that takes people off, and the subject that a mail program writes to it. */
  unsubscribe?: { address: string; subject: string };
  /** What the message is about: mail programs show all of the same sender and thread together. */
  thread?: string;
  /** Further headers by name. */
  headers?: Readonly<Record<string, string>>;
  /** The message's date, milliseconds since 1970 UTC. */
  at: number;
}

/** The name before the address, `''` where there is none. */
function senderName(sender: string): string {
  const name = /^([^<]*)<[^<>]*>\s*$/.exec(sender)?.[1] ?? '';
  return oneLine(name.trim().replace(/^"(.*)"$/s, '$1'), 120);
}

/** The subject in one line; one that looks encoded already is encoded, or a reader would show what it decodes to. */
function subjectLine(subject: string): string {
  const line = oneLine(subject, 200);
  return line.includes('=?') ? encodeWord(line, 'B', 52) : line;
}

/** Names the message by all that is in it; used where MIME wants something unique, which a clock or dice would spoil. */
function fingerprint({ attachments = [], ...parts }: MailParts): string {
  const described = attachments.map(({ filename, content }) => [filename, content.length]);
  const hash = createHash('sha256').update(JSON.stringify([parts, described]));
  for (const { content } of attachments) hash.update(content);
  return hash.digest('hex').slice(0, 32);
}

/**
 * The id of the message that all of a thread answer. There is no such message: each recipient gets mails of his own,
 * and SES puts an id of its own in place of ours, so none of them could be named before it is sent. RFC 5322 (3.6.4)
 * asks for no more than that answers to one message name the same id, and mail programs that go by `References` keep a
 * place for a message that they do not have. Gmail looks at the subject besides.
 */
function threadId(thread: string, domain: string): string {
  return `<thread.${createHash('sha256').update(thread).digest('hex').slice(0, 32)}@${domain}>`;
}

/** RFC 2369: mail programs show it as a button, and write the mail themselves. */
function unsubscribeHeader({ address, subject }: NonNullable<MailParts['unsubscribe']>) {
  const link = `mailto:${encodeURI(oneLine(address))}?subject=${encodeURIComponent(oneLine(subject, 120))}`;
  // As it is: folded in front of the link, some readers would see it begin with a blank.
  return { prepared: true, value: `<${link}>` };
}

/**
 * Writes a message as MIME. The same parts give the same bytes, so that a mail sent again is the same mail. Texts from
 * outside cannot add a header: subject and file name are made one line here, whoever made them.
 */
export async function composeMail(parts: MailParts): Promise<Uint8Array> {
  const { from, to, subject, text, html, attachments = [], headers = {}, at } = parts;
  const { replyTo, unsubscribe, thread } = parts;
  const unique = fingerprint(parts);
  const sender = bareAddress(from);
  const domain = sender.slice(sender.lastIndexOf('@') + 1);
  const root = thread === undefined ? undefined : threadId(thread, domain);
  const composer = new MailComposer({
    // As objects: a string would be read as a list of addresses.
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
      ...(unsubscribe !== undefined && { 'List-Unsubscribe': unsubscribeHeader(unsubscribe) }),
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
