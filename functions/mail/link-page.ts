import { createHash } from 'node:crypto';
import * as z from 'zod';
import type { PageOwner } from '#records/storage/keys.ts';
import { groupSettings } from '#registry/groups.ts';
import { merchantSettings } from '#registry/merchants.ts';
import { NoSettingsError } from '#registry/registry-errors.ts';
import type { Registry } from '#registry/registry.ts';
import { escapeHtml } from './formatters/outside-text.ts';
import { LANGUAGES, textsIn, type Language, type Texts } from './texts/texts.ts';

/**
 * A request as API Gateway hands it to a function (payload format 2.0). Host, cookies, query and every header are left unread, so
 * that nothing can be done with them.
 */
const eventSchema = z.object({
  requestContext: z.object({ http: z.object({ method: z.enum(['GET', 'HEAD', 'POST']) }) }),
  pathParameters: z.object({ token: z.string() }),
  body: z.string().default(''),
  isBase64Encoded: z.boolean().default(false),
});

/** Characters of a body, as it comes. No page of ours and no provider sends a longer form. */
const LONGEST_FORM = 4_096;

/** The token as it stands in the path, and what the button of a page asks for. */
export function webRequest(event: unknown) {
  const { requestContext, pathParameters, body, isBase64Encoded } = eventSchema.parse(event);
  const form = body.length > LONGEST_FORM ? '' : body;
  const fields = new URLSearchParams(isBase64Encoded ? Buffer.from(form, 'base64').toString() : form);
  return { method: requestContext.http.method, token: pathParameters.token, does: fields.get('do') };
}

export interface LinkPage {
  title: string;
  lines: readonly string[];
  /** Values by their labels. */
  facts?: Record<string, string>;
  /** It posts `do=<does>` to the page's own address. */
  button?: { label: string; does: string };
}

const STYLE = `
:root{color-scheme:light dark;--ink:#1f2933;--quiet:#52606d;--page:#f5f7fa;--card:#fff;--line:#d9e2ec;--button:#1f5fa8}
@media(prefers-color-scheme:dark){:root{--ink:#e4e7eb;--quiet:#9aa5b1;--page:#12181f;--card:#1c242d;--line:#323f4b;--button:#2f74c0}}
body{margin:0;padding:24px 16px;background:var(--page);color:var(--ink);font:16px/1.5 system-ui,"Segoe UI",Tahoma,sans-serif}
main{box-sizing:border-box;max-width:480px;margin:0 auto 16px;padding:24px;background:var(--card);border:1px solid var(--line);border-radius:8px;overflow-wrap:anywhere}
h1{margin:0 0 12px;font-size:20px;line-height:1.3}
p{margin:0 0 12px}
dl{margin:0 0 20px}
dt{color:var(--quiet);font-size:14px}
dd{margin:0 0 8px}
button{width:100%;padding:12px 16px;border:0;border-radius:6px;background:var(--button);color:#fff;font:inherit;font-weight:600;cursor:pointer}
button:focus-visible{outline:3px solid var(--ink);outline-offset:2px}`;

const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

/** For every answer: no script, no frame, nothing from elsewhere, nothing kept, and no address told to the next site. */
function securityHeaders(formTarget = ''): Record<string, string> {
  return {
    'content-security-policy': [
      "default-src 'none'",
      `style-src 'sha256-${STYLE_HASH}'`,
      `form-action 'self' ${formTarget}`.trimEnd(),
      "frame-ancestors 'none'",
      "base-uri 'none'",
    ].join('; '),
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'x-robots-tag': 'noindex, nofollow, noarchive',
    'cache-control': 'no-store',
    'strict-transport-security': 'max-age=31536000',
  };
}

function mainOf({ language, direction }: Texts, { title, lines, facts, button }: LinkPage): string {
  const told = Object.entries(facts ?? {}).map(
    ([label, value]) => `<dt>${escapeHtml(label)}</dt><dd><bdi>${escapeHtml(value)}</bdi></dd>`,
  );
  const pressed =
    button && `<button name="do" value="${escapeHtml(button.does)}">${escapeHtml(button.label)}</button>`;
  return `<main lang="${language}" dir="${direction}"><h1>${escapeHtml(title)}</h1>
${lines.map((line) => `<p>${escapeHtml(line)}</p>`).join('\n')}
${facts === undefined ? '' : `<dl>${told.join('')}</dl>`}
${pressed === undefined ? '' : `<form method="post">${pressed}</form>`}
</main>`;
}

/**
 * A page of its own, without script, cookie, picture or link.
 * @param language the reader's; `undefined` when nobody knows it: then the page is there in each
 * @param formTarget origin that the answer to the button sends the reader to, if it is another one
 */
export function pageAnswer(
  statusCode: number,
  language: Language | undefined,
  pageIn: (texts: Texts) => LinkPage,
  formTarget?: string,
) {
  const all = (language === undefined ? LANGUAGES : [language]).map(textsIn);
  const [first = textsIn('en')] = all;
  const html = `<!doctype html><html lang="${first.language}"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width"><meta name="robots" content="noindex,nofollow">
<title>${escapeHtml(pageIn(first).title)}</title><style>${STYLE}</style></head><body>
${all.map((texts) => mainOf(texts, pageIn(texts))).join('\n')}
</body></html>
`;
  const headers = { 'content-type': 'text/html; charset=utf-8', ...securityHeaders(formTarget) };
  return { statusCode, headers, body: html.toWellFormed() };
}

/** Says that a link leads to nothing, and why. @param language of a reader who is known */
export function deadLink(why: 'link.unknown' | 'link.over' | 'link.gone', language?: Language) {
  const statusCode = why === 'link.unknown' ? 404 : 410;
  return pageAnswer(statusCode, language, (texts) => ({
    title: texts.say(why),
    lines: [texts.say(`${why}.ask`)],
  }));
}

/** Sends the reader's browser on with a GET. @param location never a text of the request */
export function seeOther(location: string) {
  return { statusCode: 303, headers: { ...securityHeaders(), location }, body: '' };
}

/** Settings of whom the mails are about. `undefined` for one that left the registry, or whose entry cannot be used now. */
export function ownerSettings(registry: Registry, { merchantCode, group }: PageOwner) {
  try {
    return merchantCode === undefined
      ? groupSettings(registry, group)
      : merchantSettings(registry, merchantCode);
  } catch (error) {
    if (error instanceof NoSettingsError) return undefined;
    throw error;
  }
}
