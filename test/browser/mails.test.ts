import { mkdirSync, readFileSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { harmlessHtml } from '#bin/mail-pages/harmless-html.ts';
import { textsIn } from '#mail/texts/texts.ts';
import { accessibility, describeInBrowser } from '#support/browser/browser.ts';
import { largeMails, SHOWN_MAILS } from '#support/browser/shown-mails.ts';

/*
 * Every mail as a browser shows it. The pictures stay where a person can look at them; `npm run mail:pictures` makes those of
 * all widths and colours, and the ones of the documents.
 */

const PICTURES = process.env['DAYBOOK_PICTURES'] ?? join(import.meta.dirname, '../../.local/mail-pictures');
const WIDTHS = [320, 390, 600, 1280] as const;
/** A picture takes longer than all that is measured on the page. */
const TAKES_ALL = process.env['DAYBOOK_PICTURES'] !== undefined;
const ALWAYS_TAKEN: readonly number[] = [390, 600];
/** The most pixels that a mail may be tall on a screen of 390 pixels. A screen is 700. */
const TALLEST: Readonly<Record<string, number>> = {
  report: 1_500,
  'report-with-charges': 1_500,
  'report-with-older-days': 1_700,
  unbalanced: 1_700,
  correction: 1_200,
  empty: 700,
  'statement-week': 1_900,
  statement: 1_900,
  'statement-provisional': 1_900,
  'statement-correction': 1_600,
  group: 1_600,
  'group-currencies': 1_900,
  'alert-firing': 800,
  'alert-still': 800,
  'alert-resolved': 800,
};
/** Result, check, and what to do or the invoices by state; the missing days before them. */
const FIRST_SCREEN: Readonly<Record<string, string[]>> = {
  report: ['.lead', '.key-value', '.good', 'h2', '.item'],
  statement: ['.lead', '.key-value', '.good', 'h2'],
  'statement-provisional': ['div.bad[style]', '.lead', '.key-value'],
};
const SCHEMES = ['light', 'dark'] as const;
const layoutSource = await readFile(join(import.meta.dirname, '../support/browser/layout.page.mjs'), 'utf8');

const layoutFaults = (page: Page) => page.evaluate<string[]>('layoutFaults()');
const brokenAmounts = (page: Page) => page.evaluate<string[]>('brokenAmounts()');
const orderFaults = (page: Page, direction: 'ltr' | 'rtl') =>
  page.evaluate<string[]>(`orderFaults('${direction}')`);

/** Where every element of the page stands and how it is coloured. Pictures of one page differ by a shade now and then. */
const lookOf = (page: Page) => page.evaluate<string[]>('elementLooks()');

describeInBrowser('a mail in a browser', (open) => {
  beforeAll(() => void mkdirSync(PICTURES, { recursive: true }));

  /** A page that shows only this; any request that it makes fails the test. */
  async function opened(html: string, width: number): Promise<Page> {
    const page = await open({ viewport: { width, height: 800 }, colorScheme: 'light' });
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.setContent(html);
    expect(asked).toEqual([]);
    await page.evaluate(layoutSource);
    return page;
  }

  describe.each(SHOWN_MAILS)('the $name in $language', ({ name, language, html }) => {
    const { direction } = textsIn(language);
    let page: Page;
    beforeAll(async () => {
      page = await opened(html, WIDTHS[0]);
    });
    afterAll(() => page.close());

    it.each(WIDTHS)(
      'is complete at %i pixels, in order and without overlaps, in light and dark colours',
      async (width) => {
        await page.setViewportSize({ width, height: 800 });
        for (const colorScheme of SCHEMES) {
          await page.emulateMedia({ colorScheme });
          const file = `${name.replaceAll(' ', '-')}-${language}-${width}-${colorScheme}.png`;
          if (TAKES_ALL || (colorScheme === 'light' && ALWAYS_TAKEN.includes(width)))
            await page.screenshot({ path: join(PICTURES, file), fullPage: true });
          expect(await layoutFaults(page)).toEqual([]);
          expect(await brokenAmounts(page)).toEqual([]);
          expect(await orderFaults(page, direction)).toEqual([]);
        }
      },
    );

    it.skipIf(!(name in TALLEST))('is short on a phone', async () => {
      await page.setViewportSize({ width: 390, height: 700 });
      const height = await page.evaluate<number>('document.documentElement.scrollHeight');
      expect(height).toBeLessThanOrEqual(TALLEST[name] ?? 0);
    });

    it.skipIf(!(name in FIRST_SCREEN))(
      'has what matters on the first screen of a phone, in order',
      async () => {
        await page.setViewportSize({ width: 390, height: 700 });
        const selectors = JSON.stringify(FIRST_SCREEN[name]);
        const bottoms = await page.evaluate<number[]>(`bottomsOf(${selectors})`);
        expect(bottoms).toEqual(bottoms.toSorted((one, other) => one - other));
        expect(Math.max(...bottoms)).toBeLessThan(700);
      },
    );

    it.skipIf(!name.startsWith('alert') || !(name in TALLEST))('begins with state and result', async () => {
      await page.setViewportSize({ width: 390, height: 700 });
      expect((await page.locator('.box').first().boundingBox())?.y).toBeLessThan(100);
      expect(await page.evaluate<number[]>('bottomsOf([".lead"])')).toEqual([
        expect.toSatisfy((y) => y < 350),
      ]);
    });

    it('looks the same after the inbox has removed what could do harm', async () => {
      const shown = await opened(harmlessHtml(html), WIDTHS[1]);
      await page.setViewportSize({ width: WIDTHS[1], height: 800 });
      for (const colorScheme of SCHEMES) {
        for (const one of [page, shown]) await one.emulateMedia({ colorScheme });
        expect(await lookOf(shown)).toEqual(await lookOf(page));
      }
      await shown.close();
    });

    it.each(SCHEMES)('is accessible in contrast, structure and names: %s', async (colorScheme) => {
      await page.emulateMedia({ colorScheme });
      const { violations, passes } = await accessibility(page);
      const found = violations.map(
        ({ id, nodes }) => `${id}: ${nodes[0]?.html ?? ''} ${nodes[0]?.failureSummary ?? ''}`,
      );
      expect(found).toEqual([]);
      expect(passes.map(({ id }) => id)).toContain('color-contrast');
    });
  });

  it.each(largeMails())(
    'has whole amounts of ten digits on the narrowest phone: the $name in $language',
    async ({ name, language, html }) => {
      const page = await opened(html, WIDTHS[0]);
      if (TAKES_ALL)
        await page.screenshot({ path: join(PICTURES, `large-${name}-${language}-320.png`), fullPage: true });
      expect(await layoutFaults(page)).toEqual([]);
      expect(await brokenAmounts(page)).toEqual([]);
      await page.close();
    },
  );

  it('is found to be wrong when a table is too wide, texts overlap, letters are faint or a row has the wrong direction', async () => {
    const wide = await opened('<table style="width:900px"><tr><td>wide</td></tr></table>', 320);
    expect(await layoutFaults(wide)).toContainEqual(expect.stringContaining('scrolls sideways'));
    await wide.close();
    const narrow = await opened(
      '<p style="width:80px"><bdi>2.500\u00A0KWD</bdi> <bdi>12,234.500 KWD</bdi></p>',
      320,
    );
    expect(await brokenAmounts(narrow)).toEqual(['12,234.500 KWD']);
    await narrow.close();
    const bad = await opened(
      `<!doctype html><html lang="en"><title>x</title><body style="background:#fff"><p style="color:#ccc">faint</p>
       <p>one line</p><p style="margin-top:-34px">another line</p>
       <table dir="rtl"><tr><td>1</td><td>2</td></tr></table>`,
      600,
    );
    expect(await layoutFaults(bad)).toContainEqual(expect.stringContaining('lies over'));
    expect(await orderFaults(bad, 'ltr')).not.toEqual([]);
    const { violations } = await accessibility(bad);
    expect(violations.map(({ id }) => id)).toContain('color-contrast');
    await bad.close();
  });

  it('is drawn in both languages side by side for the README', async () => {
    const report = (language: string) =>
      `data:image/png;base64,${readFileSync(join(PICTURES, `report-${language}-600-light.png`)).toString('base64')}`;
    const page = await open({ viewport: { width: 1_232, height: 1_200 } });
    const frame = (language: string) =>
      `<div style="height:1180px;overflow:hidden;border-radius:12px"><img alt="" width="600" src="${report(language)}"></div>`;
    await page.setContent(
      `<body style="margin:0;padding:10px;box-sizing:border-box;display:flex;gap:12px;background:#dfe3e9">${frame('en')}${frame('ar')}`,
    );
    await page.screenshot({ path: join(PICTURES, 'report.png') });
    await page.close();
    expect(statSync(join(PICTURES, 'report.png')).size).toBeGreaterThan(20_000);
  });

  it.each(['report', 'correction', 'statement-week', 'alert-firing', 'alert-resolved'])(
    '%s is drawn in both languages side by side, as on a phone, for docs/mails.md',
    async (name) => {
      const shots = ['en', 'ar'].map((language) =>
        readFileSync(join(PICTURES, `${name}-${language}-390-light.png`)).toString('base64'),
      );
      const page = await open({ viewport: { width: 832, height: 400 } });
      await page.setContent(
        `<body style="margin:0;padding:20px;box-sizing:border-box;display:flex;align-items:start;gap:12px;background:#dfe3e9">` +
          shots.map((shot) => `<img alt="" width="390" src="data:image/png;base64,${shot}">`).join(''),
      );
      await page.screenshot({ path: join(PICTURES, `mail-${name}.png`), fullPage: true });
      await page.close();
      expect(statSync(join(PICTURES, `mail-${name}.png`)).size).toBeGreaterThan(20_000);
    },
  );
});
