import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SAMPLE_MAILS } from '#bin/mail-preview/sample-mails.ts';
import { LANGUAGES } from '#mail/texts/texts.ts';
import { HAS_BROWSER, startBrowser } from '#support/browser/browser.ts';

const PICTURES = process.env['DAYBOOK_PICTURES'] ?? join(import.meta.dirname, '../../.local/mail-pictures');

/** The most pixels that a mail of one alert may be high on a phone. */
const HIGHEST = 900;
const WIDTHS = [320, 390] as const;

describe.skipIf(!HAS_BROWSER)('an alert on a phone', () => {
  let browser: Browser;
  beforeAll(async () => {
    mkdirSync(PICTURES, { recursive: true });
    browser = await startBrowser();
  });
  afterAll(() => browser.close());

  describe.each(LANGUAGES)('in %s', (language) => {
    it.each(['alert-firing', 'alert-still', 'alert-resolved'] as const)(
      'needs little room: %s',
      async (name) => {
        const page = await browser.newPage({ viewport: { width: 390, height: 700 } });
        await page.setContent(SAMPLE_MAILS[name](language).html);
        const height = await page.evaluate<number>('document.documentElement.scrollHeight');
        expect(height).toBeLessThanOrEqual(HIGHEST);
        const state = await page.locator('.box').first().boundingBox();
        const lead = await page.locator('.lead').boundingBox();
        expect(state?.y).toBeLessThan(100);
        expect((lead?.y ?? Infinity) + (lead?.height ?? 0)).toBeLessThan(350);
        await page.close();
      },
    );

    it.each(['alert-firing', 'alert-still', 'alert-several', 'alert-resolved'] as const)(
      'is drawn at 320 and 390 pixels: %s',
      async (name) => {
        const page = await browser.newPage();
        await page.setContent(SAMPLE_MAILS[name](language).html);
        for (const width of WIDTHS) {
          await page.setViewportSize({ width, height: 700 });
          for (const colorScheme of ['light', 'dark'] as const) {
            await page.emulateMedia({ colorScheme });
            const file = `${name}-${language}-${width}-${colorScheme}.png`;
            await page.screenshot({ path: join(PICTURES, file), fullPage: true });
          }
          const isWide = await page.evaluate<boolean>(`document.documentElement.scrollWidth > ${width}`);
          expect(isWide).toBe(false);
        }
        await page.close();
      },
    );
  });
});
