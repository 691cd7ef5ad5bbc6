import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parse } from 'csv-parse/sync';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { HttpApi } from '#support/page/http-api.ts';
import { cachedBuild } from '#scripts/cached-build.ts';
import { defined } from '#support/assertions/defined.ts';
import { HAS_BROWSER, startBrowser } from '#support/browser/browser.ts';
import { linkVariables, seedLinkedDay } from '#support/page/linked-day.ts';
import { serveLinks } from '#support/page/http-api.ts';
import { CODE, DAY, DaybookWorld } from '#support/world/daybook-world.ts';

/* From the mail to the file as a reader goes, with the functions as they are deployed behind the loopback HTTP API. */

const axeSource = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const layoutSource = await readFile(join(import.meta.dirname, '../support/browser/layout.page.mjs'), 'utf8');
const builtSchema = z.object({ handler: z.custom<(event: unknown) => Promise<unknown>>() });

let browser: Browser;
let world: DaybookWorld;
let api: HttpApi;

async function built(name: string): Promise<(event: unknown) => Promise<unknown>> {
  const { files } = await cachedBuild();
  return builtSchema.parse(await import(pathToFileURL(defined(files.get(name))).href)).handler;
}

/** The page that a reader of the mail sees after a click on its link. */
async function opened(html: string, colorScheme: 'light' | 'dark'): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 390, height: 700 }, colorScheme });
  const page = await context.newPage();
  await page.setContent(html);
  await page.locator(`a[href^="${api.url}/d/"]`).first().click();
  await page.waitForLoadState();
  return page;
}

describe.skipIf(!HAS_BROWSER)('a link in a mail, in a browser', () => {
  beforeAll(async () => {
    api = await serveLinks(await built('link'));
    world = await DaybookWorld.start({ environment: linkVariables(api.url), defaults: { attachCsv: true } });
    seedLinkedDay(world);
    await world.report();
    browser = await startBrowser();
  }, 120_000);
  afterAll(async () => {
    await browser.close();
    await Promise.all([world.close(), api.close()]);
  });

  it.each([
    { language: 'en', direction: 'ltr', colours: 'light' as const, download: 'Download' },
    { language: 'ar', direction: 'rtl', colours: 'dark' as const, download: 'تنزيل' },
  ])('leads to the file, which has the sealed rows: $language, $colours', async (shown) => {
    const { language, direction, colours, download } = shown;
    await world.putRegistry({ [CODE]: { language } });
    const report = await built('daily-report');
    await report({ merchantCode: CODE, day: DAY, resend: true });
    const page = await opened((await world.lastMail('report')).html, colours);

    expect(await page.locator('main').getAttribute('dir')).toBe(direction);
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBe(390);
    const [ink, sheet] = await page.evaluate<string[]>(
      '[getComputedStyle(document.body).color, getComputedStyle(document.querySelector("main")).backgroundColor]',
    );
    expect([ink, sheet]).toEqual(
      colours === 'dark'
        ? ['rgb(228, 231, 235)', 'rgb(28, 36, 45)']
        : ['rgb(31, 41, 51)', 'rgb(255, 255, 255)'],
    );
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
    const sealed = (await world.text(defined(manifest.files.find(({ format }) => format === 'json')).key))
      .trimEnd()
      .split('\n');
    expect(rows.map(([id]) => id)).toEqual(sealed.map((line) => /"id":(\d+)/.exec(line)?.[1]));
    expect(rows).toHaveLength(manifest.counts.total ?? 0);
    const amount = heads.findIndex((head) => /^(amount|المبلغ)$/i.test(head));
    expect(rows.map((row) => row[amount])).toEqual(
      sealed.map((line) => /"amount":"?([\d.]+)/.exec(line)?.[1]),
    );
    await page.context().close();
  });

  it('has a page that a reader of any kind can use, and that no other page can frame', async () => {
    const page = await opened((await world.lastMail('report')).html, 'light');
    const address = page.url();
    const frame = await browser.newPage();
    await frame.setContent(`<iframe src="${address}"></iframe>`);
    await frame.waitForTimeout(500);
    expect(
      await frame
        .frames()[1]
        ?.locator('button')
        .count()
        .catch(() => 0),
    ).toBe(0);
    // The page's own policy lets no script in, so a copy of it is looked at.
    const copy = await browser.newPage({ viewport: { width: 390, height: 700 } });
    await copy.setContent(await page.content());
    await copy.evaluate(layoutSource);
    await copy.evaluate(axeSource);
    const found = await copy.evaluate<{ violations: { id: string }[] }>(
      "axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa'] })",
    );
    expect(found.violations).toEqual([]);
  });
});
