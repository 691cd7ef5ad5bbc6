import { join } from 'node:path';
import { existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import PostalMime from 'postal-mime';
import { harmlessHtml } from '../mail-pages/harmless-html.ts';

/*
 * A page that only contains a frame. The frame has no rights: no scripts, no refresh, no forms, no windows. It also gets
 * the page's policy: it loads nothing except what the mail itself contains.
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
 * Writes a page for every mail that has none, `.html` beside `.eml`. Pages that earlier versions wrote in another form
 * are written again.
 *
 * @returns how many mails there are
 */
export async function writeMailPages(directory: string): Promise<number> {
  const mails = readdirSync(directory).filter((name) => name.endsWith('.eml'));
  for (const name of mails) {
    const page = join(directory, name.replace(/\.eml$/, '.html'));
    if (existsSync(page) && readFileSync(page, 'utf8').startsWith(BEGINNING)) continue;
    const { html } = await PostalMime.parse(readFileSync(join(directory, name)));
    if (html === undefined) continue;
    // A link that somebody put there is not followed.
    rmSync(page, { force: true });
    writeFileSync(page, framed(harmlessHtml(html)), { flag: 'wx' });
  }
  return mails.length;
}

function framed(html: string): string {
  return `${BEGINNING}${html.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}${END}`;
}
