import type { Page } from 'playwright-core';
import { oneLine } from '#mail/formatters/outside-text.ts';
import { renderReport } from '#page/rendering/report/render-report.ts';
import { describeInBrowser } from '#support/browser/browser.ts';
import { HOSTILE_LINKS } from '#support/rendering/mail-html.ts';
import { aReport } from '#support/rendering/reports.ts';

describeInBrowser('a name that must not become a link, in a browser', (open) => {
  let page: Page;
  beforeAll(async () => {
    page = await open({ viewport: { width: 390, height: 700 } });
  });

  it.each(HOSTILE_LINKS)(
    '%s is shown, selected and found as it was written, and cannot be pressed',
    async (name) => {
      await page.setContent(renderReport(aReport({ merchant: { name } })).html);
      const line = oneLine(name);
      const heading = page.locator('h1');
      expect(await heading.innerText()).toBe(line);
      // As texts, because the types of a page are not those of the tests.
      await page.evaluate("getSelection().selectAllChildren(document.querySelector('h1'))");
      expect(await page.evaluate('getSelection().toString()')).toBe(line);
      expect(await page.evaluate(`getSelection().removeAllRanges(), find(${JSON.stringify(line)})`)).toBe(
        true,
      );
      expect(await heading.locator('a[href]').count()).toBe(0);
    },
  );

  it('would be copied with zero-width characters, where these broke it', async () => {
    await page.setContent('<h1>www.\u200Bpay.\u200Bexample</h1>');
    await page.evaluate("getSelection().selectAllChildren(document.querySelector('h1'))");
    expect(await page.evaluate('getSelection().toString()')).toBe('www.\u200Bpay.\u200Bexample');
  });
});
