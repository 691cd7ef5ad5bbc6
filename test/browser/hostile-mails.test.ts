import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page } from 'playwright-core';
import { writeMailPages } from '#bin/local/mail-files.ts';
import { inboxOf } from '#bin/mail-pages/mails.ts';
import { openMailPages, type MailPages } from '#bin/mail-pages/server.ts';
import { describeInBrowser } from '#support/browser/browser.ts';
import { hostileParts, mailWith, pageWith } from '#support/browser/hostile-mails.ts';
import { listening, newDirectory } from '#support/machine.ts';

/** Milliseconds that a loaded page gets to navigate elsewhere. */
const SETTLED_AFTER = 250;

/** Records every connection, even one without a request. */
async function startListener() {
  const heard: string[] = [];
  const server = createServer((request, response) => {
    heard.push(request.url ?? '');
    response.end('taken');
  });
  server.on('connection', () => heard.push('a connection'));
  return { origin: `http://${await listening(server)}`, heard };
}

/** Opens a page, presses its link if there is one, and gives where that leads. */
async function visit(page: Page, url: string) {
  const windows: string[] = [];
  page.on('popup', (window) => windows.push(window.url()));
  await page.goto(url);
  await page.waitForTimeout(SETTLED_AFTER);
  const words = await wordsOf(page);
  for (const frame of page.frames()) {
    const link = frame.getByText('press me');
    if ((await link.count()) === 0) continue;
    await link.click({ noWaitAfter: true });
    await page.waitForTimeout(SETTLED_AFTER);
  }
  const at = page.url();
  await page.close();
  return { at, words, windows };
}

/** The text of the page and of all its frames. */
async function wordsOf(page: Page): Promise<string> {
  const words = page.frames().map((frame) => frame.locator('body').innerText());
  return (await Promise.all(words)).join('\n');
}

describeInBrowser('a hostile mail in a browser', (open) => {
  const directory = newDirectory();
  let inbox: MailPages;
  beforeAll(async () => {
    inbox = await openMailPages(inboxOf(directory), 0);
  });
  afterAll(() => inbox.close());

  it.each([...Object.keys(hostileParts('')).entries()])(
    '%i navigates nowhere, sends no request and can be read in the inbox, at its own address and from its file: %s',
    async (index, name) => {
      const { origin, heard } = await startListener();
      const part = hostileParts(origin)[name] ?? '';
      const id = `${index}-hostile`;
      writeFileSync(join(directory, `${id}.eml`), mailWith(part));
      await writeMailPages(directory);
      const file = pathToFileURL(join(directory, `${id}.html`)).href;
      const places = [`${inbox.url}mail/${id}`, `${inbox.url}mail/${id}/html`, file];
      const visits = await Promise.all(places.map(async (place) => visit(await open(), place)));
      expect(visits.map(({ at, windows }) => ({ at, windows }))).toEqual(
        places.map((at) => ({ at, windows: [] })),
      );
      for (const { words } of visits) expect(words).toContain('Harmless words');
      expect(heard).toEqual([]);

      // The untreated page does reach the server; without this the test would prove nothing.
      const asItCame = join(directory, `${id}.as-it-came.htm`);
      writeFileSync(asItCame, pageWith(part));
      await visit(await open(), pathToFileURL(asItCame).href).catch(() => undefined);
      expect(heard).not.toEqual([]);
    },
  );

  it('offers its attachments as files and never shows them', async () => {
    const page = await open();
    const download = page.waitForEvent('download');
    await page.goto(`${inbox.url}mail/0-hostile/attachment/0`).catch(() => undefined);
    expect((await download).suggestedFilename()).toBe('page.html');
    expect(page.url()).toBe('about:blank');
    await page.close();
  });
});
