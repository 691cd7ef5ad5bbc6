import { readFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { parse } from 'csv-parse/sync';
import type { Page } from 'playwright-core';
import * as z from 'zod';
import { addressHash } from '#records/storage/keys.ts';
import { stopKey } from '#records/storage/readers-stop.ts';
import { cachedBuild } from '#scripts/cached-build.ts';
import { defined } from '#support/assertions/index.ts';
import { accessibility, describeInBrowser } from '#support/browser/browser.ts';
import {
  type HttpApi,
  linkVariables,
  seedLinkedDay,
  serveLinks,
  serveStops,
  stopLinkIn,
} from '#support/doors/doors.ts';
import { CODE, DAY, DaybookWorld, shareWorld } from '#support/world/daybook-world.ts';

/* From the mail to the page to the file or the stop, as a reader goes, with the functions as they are deployed behind a loopback HTTP API. */

const PHONE = { width: 390, height: 700 };
const builtSchema = z.object({ handler: z.custom<(event: unknown) => Promise<unknown>>() });

async function built(name: string): Promise<(event: unknown) => Promise<unknown>> {
  const { files } = await cachedBuild();
  return builtSchema.parse(await import(pathToFileURL(defined(files.get(name))).href)).handler;
}

/** Holds the page to what a reader of any kind needs. @returns its words */
async function looked(page: Page, direction: 'ltr' | 'rtl'): Promise<string> {
  expect((await accessibility(page)).violations.map(({ id }) => id)).toEqual([]);
  expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBe(PHONE.width);
  expect(await page.locator('main').getAttribute('dir')).toBe(direction);
  return page.locator('main').innerText();
}

describeInBrowser('a link in a mail, in a browser', (open) => {
  let world: DaybookWorld;
  let api: HttpApi;
  beforeAll(async () => {
    api = await serveLinks(await built('link'));
    world = await DaybookWorld.start({ environment: linkVariables(api.url), defaults: { attachCsv: true } });
    seedLinkedDay(world);
    await world.report();
  }, 120_000);
  afterAll(() => Promise.all([world.close(), api.close()]));

  /** The page that a reader of the last mail sees after a click on its link. */
  async function opened(colorScheme: 'light' | 'dark'): Promise<Page> {
    const page = await open({ viewport: PHONE, colorScheme });
    await page.setContent((await world.lastMail('report')).html);
    await page.locator(`a[href^="${api.url}/d/"]`).first().click();
    await page.waitForLoadState();
    return page;
  }

  it.each([
    ['en', 'ltr', 'light', ['rgb(31, 41, 51)', 'rgb(255, 255, 255)'], 'Download'],
    ['ar', 'rtl', 'dark', ['rgb(228, 231, 235)', 'rgb(28, 36, 45)'], 'تنزيل'],
  ] as const)(
    'leads to the file, which has the sealed rows: %s, %s, %s',
    async (language, direction, colours, inkAndSheet, download) => {
      await world.putRegistry({ [CODE]: { language } });
      const report = await built('daily-report');
      await report({ merchantCode: CODE, day: DAY, resend: true });
      const page = await opened(colours);
      await looked(page, direction);
      expect(
        await page.evaluate<string[]>(
          '[getComputedStyle(document.body).color, getComputedStyle(document.querySelector("main")).backgroundColor]',
        ),
      ).toEqual(inkAndSheet);
      const before = world.aws.requests.length;
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: download }).click(),
      ]);
      expect(file.suggestedFilename()).toMatch(/^invoices-2026-11-20-r\d+-[\p{L}\p{N}-]+\.csv$/u);
      const asked = world.aws.requests.slice(before).map(({ operation }) => operation);
      expect(asked.filter((operation) => operation === 'AssumeRole')).toHaveLength(1);

      const [heads = [], ...rows]: string[][] = parse(await readFile(await file.path()), { bom: true });
      const manifest = await world.manifest(1);
      const { key } = defined(manifest.files.find(({ format }) => format === 'json'));
      const sealed = (await world.text(key)).trimEnd().split('\n');
      const amount = heads.findIndex((head) => /^(amount|المبلغ)$/i.test(head));
      expect(rows).toHaveLength(manifest.counts.total ?? 0);
      expect(rows.map((row) => [row[0], row[amount]])).toEqual(
        sealed.map((line) => [/"id":(\d+)/.exec(line)?.[1], /"amount":"?([\d.]+)/.exec(line)?.[1]]),
      );
      await page.close();
    },
  );

  it('has a page that no other page can frame', async () => {
    const frame = await open();
    await frame.setContent(`<iframe src="${(await opened('light')).url()}"></iframe>`);
    await frame.waitForTimeout(500);
    const buttons = frame.frames()[1]?.locator('button').count();
    expect(await buttons?.catch(() => 0)).toBe(0);
  });
});

describeInBrowser('the link of a mail that stops such mails, in a browser', (open) => {
  // One world, as the built function keeps what it has built.
  const world = shareWorld({ merchants: 2 });

  it.each([
    ['en', 'ltr', 'light', 'Stop these mails', 'These mails are stopped.', 'Undo', 'These mails go on.'],
    ['ar', 'rtl', 'dark', 'إيقاف هذه الرسائل', 'أُوقفت هذه الرسائل.', 'تراجع', 'ستستمر هذه الرسائل.'],
  ] as const)(
    'opens a page that stops them, and undoes it: %s, %s, %s',
    async (language, direction, colorScheme, stop, stopped, undo, undone) => {
      await serveStops(world, await built('unsubscribe'));
      const merchantCode = language === 'en' ? '700001' : '700002';
      await world.putRegistry({ [merchantCode]: { language } });
      world.payments.data.seedDay(merchantCode, DAY, { invoices: 3, refunds: 1 });
      await world.report({ merchantCode });
      const recipient = addressHash(`owner-${merchantCode}@merchants.example`);
      const key = stopKey({ hash: recipient, of: { owner: { merchantCode }, mails: 'reports' } });

      const page = await open({ viewport: PHONE, colorScheme });
      const requested: string[] = [];
      page.on('request', (request) => requested.push(`${request.method()} ${request.resourceType()}`));
      const errors: string[] = [];
      page.on('console', (message) => errors.push(message.text()));
      await page.goto(await stopLinkIn(world, 'report'));
      expect(await looked(page, direction)).toContain(stop);
      expect(world.keys('mail-stops/')).toEqual([]);
      await page.getByRole('button', { name: stop }).click();
      expect(await looked(page, direction)).toContain(stopped);
      expect(world.keys('mail-stops/')).toEqual([key]);
      await page.getByRole('button', { name: undo }).click();
      expect(await looked(page, direction)).toContain(undone);
      expect(world.keys('mail-stops/')).toEqual([]);
      expect(requested).toEqual(['GET document', 'POST document', 'POST document']);
      expect(errors).toEqual([]);
      await page.close();
    },
  );
});
