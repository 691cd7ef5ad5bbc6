import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import PostalMime from 'postal-mime';
import { harmlessHtml } from '../mail-pages/harmless-html.ts';

/*
 * A page with nothing but a frame, which has no rights: no script, no refresh, no form, no window. The policy is passed
 * on to it: nothing is loaded but what the mail itself holds.
 */
const BEGINNING = `<!doctype html>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<style>body { margin: 0 } iframe { display: block; width: 100%; height: 100vh; border: 0 }</style>
<iframe sandbox title="the mail" srcdoc="`;
const END = '"></iframe>\n';

/**
 * Writes the page of every mail that has none yet beside it, `.html` beside `.eml`. A page of another form, as earlier
 * versions wrote them, is written anew.
 *
 * @returns how many mails there are
 */
export async function writeMailPages(directory: string): Promise<number> {
  const mails = readdirSync(directory).filter((name) => name.endsWith('.eml'));
  for (const name of mails) {
    const page = join(directory, name.replace(/\.eml$/, '.html'));
    if (existsSync(page) && readFileSync(page, 'utf8').startsWith(BEGINNING)) continue;
    const { html } = await PostalMime.parse(readFileSync(join(directory, name)));
    if (html !== undefined) writeFileSync(page, framed(harmlessHtml(html)));
  }
  return mails.length;
}

function framed(html: string): string {
  return `${BEGINNING}${html.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}${END}`;
}
