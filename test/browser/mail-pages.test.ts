import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { SAMPLE_MAILS } from '#bin/mail-preview/sample-mails.ts';
import { inboxOf } from '#bin/mail-pages/mails.ts';
import { openMailPages, type MailPages } from '#bin/mail-pages/server.ts';
import { composeMail } from '#mail/message/mime.ts';
import { accessibility, describeInBrowser } from '#support/browser/browser.ts';
import { newDirectory } from '#support/machine.ts';

const PICTURES = process.env['DAYBOOK_PICTURES'] ?? join(import.meta.dirname, '../../.local/mail-pictures');

const PHONE = { width: 390, height: 844 };
/** Pixels of one mail in the list. */
const LONGEST_ITEM = 100;
const DESK = { width: 1_280, height: 800 };

/** The given elements that are visible on the page. */
async function seen(page: Page, names: Record<string, string>): Promise<string[]> {
  const found = Object.entries(names).map(async ([name, selector]) =>
    (await page.locator(selector).first().isVisible()) ? [name] : [],
  );
  return (await Promise.all(found)).flat();
}

const PARTS = {
  list: 'aside li',
  mail: 'iframe',
  subject: 'h1',
  controls: 'nav',
  'way back': '.back',
  'button for controls': 'label[for=controls]',
};

/** The faults of a page for its readers, in words. */
async function faults(page: Page): Promise<string[]> {
  const { violations } = await accessibility(page);
  const wide = await page.evaluate<boolean>(
    'document.documentElement.scrollWidth > document.documentElement.clientWidth',
  );
  return [
    ...violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html ?? ''}`),
    ...(wide ? ['scrolls sideways'] : []),
  ];
}

describeInBrowser('the inbox in a browser', (open) => {
  const directory = newDirectory();
  let inbox: MailPages;
  beforeAll(async () => {
    mkdirSync(PICTURES, { recursive: true });
    let number = 0;
    for (const [name, render] of Object.entries(SAMPLE_MAILS)) {
      const { subject, text, html } = render(name === 'report' ? 'ar' : 'en');
      const raw = await composeMail({
        from: 'Daybook <daybook@example.com>',
        to: `somebody.with.a.long.name-70000${number}@accounts.example.com`,
        subject,
        text,
        html,
        at: Date.parse('2026-11-21T03:00:07.480Z'),
      });
      number += 1;
      writeFileSync(join(directory, `000${number}-${name}.eml`), raw);
    }
    inbox = await openMailPages(inboxOf(directory), 0);
  });
  afterAll(() => inbox.close());

  async function opened(path: string, viewport: typeof PHONE, colorScheme: 'light' | 'dark'): Promise<Page> {
    const page = await open({ viewport, colorScheme });
    await page.goto(new URL(path, inbox.url).href);
    const name = `inbox${path === '/' ? '' : '-mail'}-${viewport.width}-${colorScheme}.png`;
    await page.screenshot({ path: join(PICTURES, name) });
    return page;
  }

  describe.each(['light', 'dark'] as const)('in %s colours', (scheme) => {
    it('shows only the list of mails on a phone', async () => {
      const page = await opened('/', PHONE, scheme);
      expect(await seen(page, PARTS)).toEqual(['list']);
      expect(await faults(page)).toEqual([]);
      // A mail takes four lines at most: name, subject and state.
      const items = page.locator('aside li');
      const last = await items.last().boundingBox();
      expect((last?.y ?? Infinity) / (await items.count())).toBeLessThan(LONGEST_ITEM);
      await page.close();
    });

    it('shows the mail on a phone, with its controls behind a button', async () => {
      const page = await opened('/mail/0001-report', PHONE, scheme);
      expect(await seen(page, PARTS)).toEqual(['mail', 'subject', 'way back', 'button for controls']);
      expect(await faults(page)).toEqual([]);
      const mail = await page.locator('iframe').boundingBox();
      expect(mail?.height).toBeGreaterThan(0.75 * PHONE.height);
      expect(mail?.width).toBe(PHONE.width);

      await page.locator('label[for=controls]').click();
      expect(await seen(page, { controls: 'nav', mail: 'iframe' })).toEqual(['controls', 'mail']);
      await page.screenshot({ path: join(PICTURES, `inbox-controls-390-${scheme}.png`) });
      expect(await faults(page)).toEqual([]);
      await page.locator('nav').getByText('Text', { exact: true }).click();
      expect(await page.locator('pre').innerText()).not.toBe('');
      await page.locator('.back').click();
      // The click may end before the list is drawn.
      await expect.poll(() => seen(page, PARTS)).toEqual(['list']);
      await page.close();
    });

    it('shows list, mail and controls side by side on a desktop', async () => {
      const page = await opened('/', DESK, scheme);
      expect(await seen(page, PARTS)).toEqual(['list', 'mail', 'subject', 'controls']);
      expect(await faults(page)).toEqual([]);
      await page.close();
    });
  });

  it('can be used with the keyboard alone at the width of a phone', async () => {
    const page = await opened('/mail/0001-report', PHONE, 'light');
    expect(await seen(page, { controls: 'nav' })).toEqual([]);
    for (const key of ['Tab', 'Tab', 'Space']) await page.keyboard.press(key);
    expect(await seen(page, { controls: 'nav' })).toEqual(['controls']);
    await page.close();
  });
});
