import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addressHash } from '#records/storage/keys.ts';
import { readersStopKey } from '#records/storage/readers-stop.ts';
import { cachedBuild } from '#scripts/cached-build.ts';
import { defined } from '#support/assertions/defined.ts';
import { HAS_BROWSER, startBrowser } from '#support/browser/browser.ts';
import { serveStops, stopLinkIn } from '#support/unsubscribe/running-unsubscribe.ts';
import { DAY, shareWorld } from '#support/world/daybook-world.ts';
import * as z from 'zod';

const axeSource = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const builtSchema = z.object({ handler: z.custom<(event: unknown) => Promise<unknown>>() });

const PHONE = { width: 390, height: 700 };

/** What is wrong with the page for its readers, in words. */
const FAULTS =
  "axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa'] }).then(({ violations }) => violations.map(({ id }) => id))";
const WIDE = 'document.documentElement.scrollWidth > document.documentElement.clientWidth';

describe.skipIf(!HAS_BROWSER)('the link of a mail that stops such mails, in a browser', () => {
  // One world, as the built function keeps what it has built.
  const world = shareWorld({ merchants: 2 });
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser.close());

  it.each([
    ['en', 'light', 'Stop these mails', 'These mails are stopped.', 'Undo', 'These mails go on.'],
    ['ar', 'dark', 'إيقاف هذه الرسائل', 'أُوقفت هذه الرسائل.', 'تراجع', 'ستستمر هذه الرسائل.'],
  ] as const)(
    'opens a page that stops them, and undoes it: %s, %s',
    async (language, colorScheme, stop, stopped, undo, undone) => {
      const file = defined((await cachedBuild()).files.get('unsubscribe'));
      const { handler } = builtSchema.parse(await import(file));
      await serveStops(world, handler);
      const merchantCode = language === 'en' ? '700001' : '700002';
      await world.putRegistry({ [merchantCode]: { language } });
      world.payments.data.seedDay(merchantCode, DAY, { invoices: 3, refunds: 1 });
      await world.putEmptyHistories();
      await world.report({ merchantCode });
      const key = readersStopKey({
        owner: { merchantCode },
        mails: 'reports',
        recipient: addressHash(`owner-${merchantCode}@merchants.example`),
      });

      const page = await browser.newPage({ viewport: PHONE, colorScheme });
      const requested: string[] = [];
      page.on('request', (request) => requested.push(`${request.method()} ${request.resourceType()}`));
      const errors: string[] = [];
      page.on('console', (message) => errors.push(message.text()));
      await page.goto(await stopLinkIn(world, 'report'));
      const look = async (): Promise<string> => {
        await page.evaluate(axeSource);
        expect(await page.evaluate(FAULTS)).toEqual([]);
        expect(await page.evaluate(WIDE)).toBe(false);
        expect(await page.locator('main').getAttribute('dir')).toBe(language === 'ar' ? 'rtl' : 'ltr');
        return page.locator('main').innerText();
      };
      expect(await look()).toContain(stop);
      expect(world.keys('mail-stops/')).toEqual([]);
      await page.getByRole('button', { name: stop }).click();
      expect(await look()).toContain(stopped);
      expect(world.keys('mail-stops/')).toEqual([key]);
      await page.getByRole('button', { name: undo }).click();
      expect(await look()).toContain(undone);
      expect(world.keys('mail-stops/')).toEqual([]);
      expect(requested).toEqual(['GET document', 'POST document', 'POST document']);
      expect(errors).toEqual([]);
      await page.close();
    },
  );
});
