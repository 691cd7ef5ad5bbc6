import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import PostalMime from 'postal-mime';
import type { Email } from 'postal-mime';

/** A mail to show. `id` is its name in paths and lists. */
export interface ShownMail {
  id: string;
  raw: Uint8Array;
  email: Email;
}

/** A source of mails to show. */
export interface MailSource {
  /** The heading of the list. */
  title: string;
  /** All mails now, in the order of the list. */
  read: () => Promise<ShownMail[]>;
  /** Calls back whenever the mails change. @returns a function that ends this */
  watch?: (changed: () => void) => () => void;
}

/** A message, parsed as a mail program does it. */
export async function shownMail(id: string, raw: Uint8Array): Promise<ShownMail> {
  return { id, raw, email: await PostalMime.parse(raw, { attachmentEncoding: 'arraybuffer' }) };
}

async function readMails(directory: string): Promise<ShownMail[]> {
  const names = await readdir(directory).catch(() => []);
  const mails = names.filter((name) => name.endsWith('.eml'));
  // Names begin with a growing number of at least four digits.
  mails.sort((one, other) => Number.parseInt(other, 10) - Number.parseInt(one, 10));
  return Promise.all(
    mails.map(async (name) =>
      shownMail(name.slice(0, -'.eml'.length), await readFile(join(directory, name))),
    ),
  );
}

/** The `.eml` files of a directory, read again every time, newest first; none when the directory does not exist. */
export function inboxOf(directory: string): MailSource {
  return { title: 'Inbox', read: () => readMails(directory) };
}
