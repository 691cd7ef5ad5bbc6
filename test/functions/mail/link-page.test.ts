import { pageAnswer, webRequest } from '#mail/link-page.ts';
import type { LinkPage } from '#mail/link-page.ts';
import { startHttpApi } from '#support/doors/doors.ts';

const HOSTILE = `"><script>alert(1)</script><a href='//x'>\u202E`;
const seen: object[] = [];

function answer(event: unknown) {
  const request = webRequest(event);
  seen.push(request);
  const button = { label: HOSTILE, does: HOSTILE };
  const page: LinkPage = { title: HOSTILE, lines: [HOSTILE], facts: { [HOSTILE]: HOSTILE }, button };
  return Promise.resolve(pageAnswer(200, 'ar', () => page, 'https://files.example'));
}

const api = await startHttpApi('/d/', answer);
afterAll(() => api.close());

it('shows a page on which no text becomes code, that nobody can frame, and that nobody keeps', async () => {
  const response = await fetch(`${api.url}/d/a.b-c_d?next=https://evil.example`, {
    headers: { host: 'evil.example', 'x-forwarded-host': 'evil.example', cookie: 'a=b' },
  });
  expect(response.status).toBe(200);
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'x-robots-tag': 'noindex, nofollow, noarchive',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  });
  expect(response.headers.get('content-security-policy')).toMatch(
    /^default-src 'none'; style-src 'sha256-[\w+/=]{44}'; form-action 'self' https:\/\/files\.example; frame-ancestors 'none'; base-uri 'none'$/,
  );
  const html = await response.text();
  expect(html).toContain('<main lang="ar" dir="rtl">');
  expect(html).not.toMatch(/<script|<a\b|evil|value=""/);
  expect(seen.at(-1)).toMatchObject({ method: 'GET', token: 'a.b-c_d' });
});
