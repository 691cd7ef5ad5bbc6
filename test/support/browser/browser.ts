import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';
import { MAY_SKIP } from '../machine.ts';

/** The places of Chromium on Debian and similar systems, and the one that `CHROMIUM` names. */
const PLACES = [
  process.env['CHROMIUM'],
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];

const executable = PLACES.find((place) => place !== undefined && existsSync(place));

/** Whether a browser is installed; in continuous integration it must be. */
const HAS_BROWSER = executable !== undefined || !MAY_SKIP;

if (!HAS_BROWSER) {
  process.stderr.write(
    'Chromium is not installed (apt-get install chromium): no mail is looked at in a browser\n',
  );
}

/** A browser that makes no requests by itself. */
async function startBrowser(): Promise<Browser> {
  if (executable === undefined) throw new Error('Chromium is not installed: apt-get install chromium');
  return chromium.launch({
    executablePath: executable,
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  });
}

/** Tests that share a browser. @param tests gets what opens a page in a context of its own */
export function describeInBrowser(
  title: string,
  tests: (open: (options?: BrowserContextOptions) => Promise<Page>) => void,
): void {
  describe.skipIf(!HAS_BROWSER)(title, () => {
    let browser: Browser;
    beforeAll(async () => {
      browser = await startBrowser();
    });
    afterAll(() => browser.close());
    tests((options) => browser.newPage(options));
  });
}

const axeSource = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface AxeResults {
  violations: { id: string; nodes: { html: string; failureSummary?: string }[] }[];
  passes: { id: string }[];
}

/** What axe-core says of the page, without what is in its frames. */
export async function accessibility(page: Page): Promise<AxeResults> {
  await page.evaluate(axeSource);
  const levels = "['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa']";
  return page.evaluate<AxeResults>(`axe.run(document, { iframes: false, runOnly: ${levels} })`);
}
