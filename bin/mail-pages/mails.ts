import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import PostalMime from 'postal-mime';
import type { Email } from 'postal-mime';

/** A mail to be shown; `id` is its name, in paths and lists. */
export interface ShownMail {
  id: string;
  raw: Uint8Array;
  email: Email;
}

/** Where the mails to be shown come from. */
export interface MailSource {
  /** The heading of their list. */
  title: string;
  /** What there is now, in the order in which it is listed. */
  read: () => Promise<ShownMail[]>;
  /** Calls back whenever there is something else to be shown; what it answers ends that. */
  watch?: (changed: () => void) => () => void;
}

/** A message taken apart as a mail program does. */
export async function shownMail(id: string, raw: Uint8Array): Promise<ShownMail> {
  return { id, raw, email: await PostalMime.parse(raw, { attachmentEncoding: 'arraybuffer' }) };
}

async function readMails(directory: string): Promise<ShownMail[]> {
  const names = await readdir(directory).catch(() => []);
  const mails = names.filter((name) => name.endsWith('.eml'));
  // Names begin with a number that grows, at least four digits wide.
  mails.sort((one, other) => Number.parseInt(other, 10) - Number.parseInt(one, 10));
  return Promise.all(
    mails.map(async (name) =>
      shownMail(name.slice(0, -'.eml'.length), await readFile(join(directory, name))),
    ),
  );
}

/** The `.eml` files of a directory, read anew every time, newest first; none where there is no directory. */
export function inboxOf(directory: string): MailSource {
  return { title: 'Inbox', read: () => readMails(directory) };
}
