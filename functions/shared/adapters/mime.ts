import { createHash } from 'node:crypto';
import MailComposer from 'nodemailer/lib/mail-composer/index.js';
import { encodeWord } from 'nodemailer/lib/mime-funcs/index.js';
import { oneLine } from '../core/rendering/outside-text.ts';

/** What a message is made of. */
export interface MailParts {
  /** An address, or a name (any script) and the address in angle brackets. */
  from: string;
  /** One bare address: a message is for one recipient. */
  to: string;
  subject: string;
  text: string;
  html: string;
  attachment?: { filename: string; content: Uint8Array; contentType: string };
  /** Further headers by name. */
  headers?: Readonly<Record<string, string>>;
  /** The message's date, milliseconds since 1970 UTC. */
  at: number;
}

/** The bare address of a sender written as `Name <address>` or as the address alone. */
export function bareAddress(sender: string): string {
  return (/<([^<>]*)>\s*$/.exec(sender)?.[1] ?? sender).trim();
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
function fingerprint({ attachment, ...parts }: MailParts): string {
  const hash = createHash('sha256').update(JSON.stringify([parts, attachment?.filename]));
  if (attachment !== undefined) hash.update(attachment.content);
  return hash.digest('hex').slice(0, 32);
}

/**
 * Writes a message as MIME. The same parts give the same bytes, so that a mail sent again is the same mail. Texts from
 * outside cannot add a header: subject and file name are made one line here, whoever made them.
 */
export async function composeMail(parts: MailParts): Promise<Uint8Array> {
  const { from, to, subject, text, html, attachment, headers = {}, at } = parts;
  const unique = fingerprint(parts);
  const sender = bareAddress(from);
  const composer = new MailComposer({
    // As objects: a string would be read as a list of addresses.
    from: { name: senderName(from), address: sender },
    to: { name: '', address: to },
    subject: subjectLine(subject),
    text,
    html,
    date: new Date(at),
    messageId: `<${unique}@${sender.slice(sender.lastIndexOf('@') + 1)}>`,
    headers: { 'Auto-Submitted': 'auto-generated', ...headers },
    ...(attachment !== undefined && {
      attachments: [
        {
          filename: oneLine(attachment.filename, 120),
          content: Buffer.from(attachment.content),
          contentType: attachment.contentType,
        },
      ],
    }),
    baseBoundary: unique,
    newline: '\r\n',
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return composer.compile().build();
}
