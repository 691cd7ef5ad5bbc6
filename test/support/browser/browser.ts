import { existsSync } from 'node:fs';
import { chromium, type Browser } from 'playwright-core';
import { MAY_SKIP } from '../may-skip.ts';

/** The places of Chromium on Debian and similar systems, and the one that `CHROMIUM` names. */
const PLACES = [
  process.env['CHROMIUM'],
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];

const executable = PLACES.find((place) => place !== undefined && existsSync(place));

/** Whether a browser is installed; in continuous integration it must be. */
export const HAS_BROWSER = executable !== undefined || !MAY_SKIP;

if (!HAS_BROWSER) {
  process.stderr.write(
    'Chromium is not installed (apt-get install chromium): no mail is looked at in a browser\n',
  );
}

/** A browser that makes no requests by itself. */
export async function startBrowser(): Promise<Browser> {
  if (executable === undefined) throw new Error('Chromium is not installed: apt-get install chromium');
  return chromium.launch({
    executablePath: executable,
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  });
}
