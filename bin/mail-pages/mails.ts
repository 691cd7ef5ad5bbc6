import { watch } from 'node:fs';
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

export interface MailSource {
  title: string;
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

/** Mails and edits are written in more than one step. Milliseconds. */
const SETTLED_AFTER = 150;

/** Calls back when files with that ending have changed. @returns a function that ends this */
export function watchFolders(
  folders: readonly string[],
  { recursive, ending = '' }: { recursive: boolean; ending?: string },
  changed: () => void,
): () => void {
  let timer: NodeJS.Timeout | undefined;
  const watchers = folders.map((folder) =>
    watch(folder, { recursive }, (_event, name) => {
      if (name?.endsWith(ending) !== true) return;
      clearTimeout(timer);
      timer = setTimeout(changed, SETTLED_AFTER);
    }),
  );
  // A folder may be removed. What is shown then stays as it is.
  for (const watcher of watchers) watcher.on('error', () => watcher.close());
  return () => {
    clearTimeout(timer);
    for (const watcher of watchers) watcher.close();
  };
}

/** Read again every time, newest first; none without the directory. An open page shows mails that arrive. */
export function inboxOf(directory: string): MailSource {
  return {
    title: 'Inbox',
    read: () => readMails(directory),
    watch: (changed) => watchFolders([directory], { recursive: false, ending: '.eml' }, changed),
  };
}
