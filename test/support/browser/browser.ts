import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';
import type { Browser } from 'playwright-core';

/** Where Debian and its kin put Chromium, or where `CHROMIUM` says that it is. */
const PLACES = [
  process.env['CHROMIUM'],
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];

const executable = PLACES.find((place) => place !== undefined && existsSync(place));

/** Whether mails can be looked at here; in continuous integration they must be. */
export const HAS_BROWSER = executable !== undefined || process.env['CI'] === 'true';

if (!HAS_BROWSER) {
  process.stderr.write(
    'Chromium is not installed (apt-get install chromium): no mail is looked at in a browser\n',
  );
}

/** A browser that loads nothing of its own accord. */
export async function startBrowser(): Promise<Browser> {
  if (executable === undefined) throw new Error('Chromium is not installed: apt-get install chromium');
  return chromium.launch({
    executablePath: executable,
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  });
}
