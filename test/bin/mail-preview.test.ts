import { once } from 'node:events';
import { utimesSync } from 'node:fs';
import { join } from 'node:path';
import { SAMPLE_MAILS } from '#bin/mail-preview/sample-mails.ts';
import { defined, textWith } from '#support/assertions/index.ts';
import { runScript, startScript } from '#support/run-script.ts';

const ROOT = join(import.meta.dirname, '../..');

const PROGRAM = join(ROOT, 'bin/mail-preview.ts');

const { child, printed } = await startScript(PROGRAM, [], /http:\S+ /);
const url = defined(/http:\S+/.exec(printed()))[0];
afterAll(async () => {
  const ended = once(child, 'exit');
  child.kill();
  await ended;
});

const get = async (path: string) => (await fetch(new URL(path, url))).text();

describe('the preview', () => {
  it('lists every sample in its languages', async () => {
    const page = await get('/');
    for (const name of Object.keys(SAMPLE_MAILS)) {
      for (const language of name === 'ops' ? ['en'] : ['en', 'ar']) {
        expect(page).toContain(`/mail/${name}-${language}?view=html&amp;width=full&amp;scheme=own`);
      }
    }
  });

  it('frames a mail at the width asked for, in the colours asked for', async () => {
    const frame = 'class="width-320" src="/mail/report-ar/html?scheme=dark"';
    expect(await get('/mail/report-ar?width=320&scheme=dark')).toContain(frame);
    const inScheme = (scheme: string) => get(`/mail/report-ar/html?scheme=${scheme}`);
    const [own, light, dark] = await Promise.all(['own', 'light', 'dark'].map(inScheme));
    expect(own).toMatch(/@media \(prefers-color-scheme:\s*dark\)/);
    expect(light).toContain('@media not all');
    expect(dark).toContain('@media all');
    for (const html of [light, dark]) expect(html).not.toContain('prefers-color-scheme');
  });

  it('reloads an open page when a text is edited', async () => {
    const ended = new AbortController();
    const changes = await fetch(new URL('/changes', url), { signal: ended.signal });
    const said: string[] = [];
    for await (const part of changes.body ?? []) {
      if (said.push(Buffer.from(part).toString()) === 2) break;
      const now = new Date();
      utimesSync(join(ROOT, 'functions/mail/texts/en.json'), now, now);
    }
    expect(said).toEqual([': open\n\n', 'data: changed\n\n']);
    ended.abort();
  });
});

it('npm run mail:preview with a wrong port ends with status 2', async () => {
  const ended = await runScript(PROGRAM, ['--port', 'x']);
  const complaints = textWith('--port must be a whole number from 0 to 65535');
  expect(ended).toMatchObject({ code: 2, complaints });
});
