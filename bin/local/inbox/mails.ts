import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import PostalMime from 'postal-mime';
import type { Email } from 'postal-mime';

/** A mail of the directory. `id` is its file name without `.eml`. */
export interface InboxMail {
  id: string;
  raw: Buffer;
  email: Email;
}

async function read(directory: string, name: string): Promise<InboxMail> {
  const raw = await readFile(join(directory, name));
  const email = await PostalMime.parse(raw, { attachmentEncoding: 'arraybuffer' });
  return { id: name.slice(0, -'.eml'.length), raw, email };
}

/** The mails that the directory holds now, newest first; none where there is no directory. */
export async function readMails(directory: string): Promise<InboxMail[]> {
  const names = await readdir(directory).catch(() => []);
  const mails = names.filter((name) => name.endsWith('.eml'));
  // Names begin with a number that grows, at least four digits wide.
  mails.sort((one, other) => Number.parseInt(other, 10) - Number.parseInt(one, 10));
  return Promise.all(mails.map((name) => read(directory, name)));
}
