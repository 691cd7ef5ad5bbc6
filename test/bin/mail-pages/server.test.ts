import { rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { inboxOf } from '#bin/mail-pages/mails.ts';
import { openMailPages, type MailPages } from '#bin/mail-pages/server.ts';
import { defined, responseTo } from '#support/assertions/index.ts';
import { newDirectory } from '#support/machine.ts';

const SCRIPT = '<script>document.title="taken"</script>';
const HOSTILE = [
  `From: "${SCRIPT}" <from@example.com>`,
  'To: <owner@example.com>',
  'Subject: <img src=x onerror=alert(1)>',
  `X-Note: ${SCRIPT}`,
  'MIME-Version: 1.0',
  'Content-Type: multipart/mixed; boundary=part',
  '',
  '--part',
  'Content-Type: text/plain; charset=utf-8',
  '',
  `plain ${SCRIPT}`,
  '--part',
  'Content-Type: text/html; charset=utf-8',
  '',
  `<h1>hello</h1>${SCRIPT}`,
  '--part',
  'Content-Type: text/html; name="x.html"',
  'Content-Disposition: attachment; filename="../<b>.html"',
  '',
  SCRIPT,
  '--part--',
  '',
].join('\r\n');

const directory = newDirectory();
let inbox: MailPages;
beforeAll(async () => {
  writeFileSync(join(directory, '0009-owner@example.com.eml'), 'Subject: older\r\n\r\nolder');
  writeFileSync(join(directory, '0010-owner@example.com.eml'), HOSTILE);
  writeFileSync(join(directory, 'secret.txt'), 'not a mail');
  inbox = await openMailPages(inboxOf(directory), 0);
});
afterAll(() => inbox.close());

const get = (path: string) => fetch(new URL(path, inbox.url));
const hostile = (rest = '') => get(`/mail/0010-owner@example.com${rest}`);

it('lists the newest mail first and shows it', async () => {
  const page = await (await fetch(inbox.url)).text();
  expect(page).toMatch(/\/mail\/0010[^]*\/mail\/0009/);
  expect(page.indexOf('/mail/0010')).toBeLessThan(page.indexOf('/mail/0009'));
  const frame = '<iframe sandbox class="width-full" src="/mail/0010-owner%40example.com/html?scheme=own"';
  expect(page).toContain(frame);
});

it.each(['', '?view=html', '?view=text', '?view=headers'])(
  'runs nothing of what a mail says: %s',
  async (view) => {
    const answer = await hostile(view);
    const page = await answer.text();
    // The only script is our own, which reloads the page when a mail arrives.
    expect(page.match(/<script[^>]*>/g)).toEqual(['<script src="/live.js" defer>']);
    expect(page).not.toContain('<img');
    expect(page).toContain('&lt;img src=x onerror=alert(1)&gt;');
    const policy = /^default-src 'none'; .*; script-src 'self'; connect-src 'self'$/;
    expect(answer.headers.get('content-security-policy')).toMatch(policy);
  },
);

it('tells an open page when a mail arrives, and not when another file does', async () => {
  const changes = await get('/changes');
  const reader = defined(changes.body).pipeThrough(new TextDecoderStream()).getReader();
  expect((await reader.read()).value).toBe(': open\n\n');
  writeFileSync(join(directory, '0011-owner@example.com.html'), 'a page');
  await wait(300);
  writeFileSync(join(directory, '0011-owner@example.com.eml'), 'Subject: new\r\n\r\nnew');
  const before = Date.now();
  expect((await reader.read()).value).toBe('data: changed\n\n');
  // It waits until the mail is written whole. A change that was heard for the page would have come at once.
  expect(Date.now() - before).toBeGreaterThan(50);
  await reader.cancel();
  rmSync(join(directory, '0011-owner@example.com.eml'));
});

it('shows text and headers as they are', async () => {
  expect(await (await hostile('?view=text')).text()).toContain('plain &lt;script&gt;');
  expect(await (await hostile('?view=headers')).text()).toMatch(/X-Note<\/th><td><bdi>&lt;script&gt;/);
});

it('serves the HTML with a sandbox header, so that it is harmless wherever it is opened', async () => {
  const answer = await hostile('/html');
  expect(await answer.text()).toContain('<h1>hello</h1>');
  expect(answer.headers.get('content-security-policy')).toMatch(/^sandbox; default-src 'none'; /);
  expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
});

it('serves attachments as files to download', async () => {
  const answer = await hostile('/attachment/0');
  expect((await answer.text()).trim()).toBe(SCRIPT);
  expect(answer.headers.get('content-type')).toBe('application/octet-stream');
  expect(answer.headers.get('content-disposition')).toBe("attachment; filename*=UTF-8''..%2F%3Cb%3E.html");
  const source = await hostile('/source');
  expect(await source.text()).toBe(HOSTILE);
});

it.each(['/attachment/1', '/attachment/-1', '/attachment/x', '/other'])(
  'answers 404 to any other path: %s',
  async (rest) => expect((await hostile(rest)).status).toBe(404),
);

it.each(['/mail/..%2f0009-owner@example.com/source', '/mail/secret.txt/source', '/mail/secret/html'])(
  'reads mails only from its own directory: %s',
  async (path) => expect((await get(path)).status).toBe(404),
);

it('shows a mail to an address of the greatest length', async () => {
  const id = `0001-${'l'.repeat(64)}@${'d'.repeat(63)}.example.com`;
  writeFileSync(join(directory, `${id}.eml`), 'Subject: to a long address\r\n\r\nread me');
  const answer = await get(`/mail/${encodeURIComponent(id)}?view=text`);
  rmSync(join(directory, `${id}.eml`));
  expect(answer.status).toBe(200);
  expect(await answer.text()).toContain('read me');
});

it('refuses a request with a foreign host name', async () => {
  const asked = request(inbox.url, { headers: { host: 'attacker.example' } }).end();
  const answer = await responseTo(asked);
  answer.resume();
  expect(answer.statusCode).toBe(403);
});

it('says that there is no mail yet', async () => {
  const empty = await openMailPages(inboxOf(join(directory, 'none')), 0);
  const page = await (await fetch(empty.url)).text();
  await empty.close();
  expect(page).toContain('No mail yet');
});
