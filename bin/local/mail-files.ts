import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import PostalMime from 'postal-mime';

/** Keeps whatever a mail holds from running or loading anything when the file is opened in a browser. */
const POLICY = `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">`;

/** Writes the page of every mail that has none yet beside it, `.html` beside `.eml`. @returns how many mails there are */
export async function writeMailPages(directory: string): Promise<number> {
  const names = readdirSync(directory);
  const mails = names.filter((name) => name.endsWith('.eml'));
  for (const name of mails) {
    const page = name.replace(/\.eml$/, '.html');
    if (names.includes(page)) continue;
    const { html } = await PostalMime.parse(readFileSync(join(directory, name)));
    if (html !== undefined) writeFileSync(join(directory, page), withPolicy(html));
  }
  return mails.length;
}

/** Before all else but the document type: whatever comes later, even a comment, cannot swallow it. */
function withPolicy(html: string): string {
  return html.replace(/^\s*(<!doctype[^>]*>)?/i, (start) => `${start}\n${POLICY}\n`);
}
