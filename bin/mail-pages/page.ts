import { escapeHtml, oneLine } from '#mail/formatters/outside-text.ts';
import type { ShownMail } from './mails.ts';

export const VIEWS = ['html', 'text', 'headers'] as const;
export type View = (typeof VIEWS)[number];

/** The widths of a mail's window, pixels; `full` uses all the room. */
export const WIDTHS = ['full', '320', '600', '1280'] as const;
/** The colour scheme: light, dark, or `own` for the reader's own. */
export const SCHEMES = ['own', 'light', 'dark'] as const;

export interface Look {
  view: View;
  width: (typeof WIDTHS)[number];
  scheme: (typeof SCHEMES)[number];
}

const WIDTH_NAMES: Record<Look['width'], string> = { full: 'Full', 320: '320', 600: '600', 1280: '1280' };
const SCHEME_NAMES: Record<Look['scheme'], string> = { own: 'Own', light: 'Light', dark: 'Dark' };
const VIEW_NAMES: Record<View, string> = { html: 'Mail', text: 'Text', headers: 'Headers' };

function pathOf(mail: ShownMail): string {
  return `/mail/${encodeURIComponent(mail.id)}`;
}

function subjectOf({ email }: ShownMail): string {
  return escapeHtml(oneLine(email.subject ?? '(no subject)'));
}

function outside(text: string | undefined): string {
  return `<bdi>${escapeHtml(oneLine(text ?? ''))}</bdi>`;
}

function recipients({ email }: ShownMail): string {
  return (email.to ?? []).map(({ address }) => address ?? '').join(', ');
}

/** The minute in UTC; empty for a mail without a date. */
function dateOf({ email }: ShownMail): string {
  const time = Date.parse(email.date ?? '');
  return Number.isNaN(time) ? '' : new Date(time).toISOString().slice(0, 16).replace('T', ' ');
}

function addressOf(mail: ShownMail, { view, width, scheme }: Look): string {
  return `${pathOf(mail)}?view=${view}&amp;width=${width}&amp;scheme=${scheme}`;
}

function listHtml(mails: readonly ShownMail[], shown: ShownMail | undefined, look: Look): string {
  const items = mails.map((mail) => {
    const current = mail === shown ? ' aria-current="page"' : '';
    return `<li><a href="${addressOf(mail, look)}"${current}>
<strong dir="auto">${subjectOf(mail)}</strong>
<span>${outside(recipients(mail))}</span><time>${dateOf(mail)}</time></a></li>`;
  });
  return `<ul>${items.join('\n')}</ul>`;
}

function attachmentsHtml(mail: ShownMail): string {
  const links = mail.email.attachments.map(({ filename }, index) => {
    const name = filename ?? `attachment ${index + 1}`;
    return `<a download href="${pathOf(mail)}/attachment/${index}">${outside(name)}</a>`;
  });
  return [...links, `<a download href="${pathOf(mail)}/source">${escapeHtml(mail.id)}.eml</a>`].join(' ');
}

function viewHtml(mail: ShownMail, { view, width, scheme }: Look): string {
  switch (view) {
    case 'html':
      // The frame has no rights: no scripts, no forms, no windows, no origin of its own.
      return `<div class="window"><iframe sandbox class="width-${width}" src="${pathOf(mail)}/html?scheme=${scheme}" title="the mail"></iframe></div>`;
    case 'text':
      return `<pre dir="auto">${escapeHtml(mail.email.text ?? '')}</pre>`;
    case 'headers': {
      const rows = mail.email.headers.map(
        ({ originalKey, value }) =>
          `<tr><th scope="row">${escapeHtml(originalKey)}</th><td>${outside(value)}</td></tr>`,
      );
      return `<div class="headers"><table>${rows.join('\n')}</table></div>`;
    }
  }
}

function choices<Name extends string>(
  label: string,
  names: Record<Name, string>,
  order: readonly Name[],
  present: Name,
  address: (name: Name) => string,
): string {
  const links = order.map((name) => {
    const current = name === present ? ' aria-current="true"' : '';
    return `<a href="${address(name)}"${current}>${names[name]}</a>`;
  });
  return `<span class="tabs" role="group" aria-label="${label}">${links.join('')}</span>`;
}

/** The mail with its controls. On a small screen a button opens the controls, and a link leads back to the list. */
function mailHtml(mail: ShownMail, look: Look, title: string): string {
  const windows = [
    choices('Width', WIDTH_NAMES, WIDTHS, look.width, (width) => addressOf(mail, { ...look, width })),
    choices('Colours', SCHEME_NAMES, SCHEMES, look.scheme, (scheme) => addressOf(mail, { ...look, scheme })),
  ];
  return `<header>
<a class="back" href="/">‹ ${escapeHtml(title)}</a>
<input type="checkbox" id="controls"><label for="controls">View and files</label>
<h1 dir="auto">${subjectOf(mail)}</h1>
<p>from ${outside(mail.email.from?.address)} to ${outside(recipients(mail))}, ${dateOf(mail)} UTC</p>
<nav>${choices('Part', VIEW_NAMES, VIEWS, look.view, (view) => addressOf(mail, { ...look, view }))}
${look.view === 'html' ? windows.join('\n') : ''}
<span class="files">${attachmentsHtml(mail)}</span></nav>
</header>
${viewHtml(mail, look)}`;
}

export interface MailsPage {
  title: string;
  mails: readonly ShownMail[];
  shown: ShownMail | undefined;
  /** Whether the person chose that mail. Otherwise a small screen shows the list alone. */
  chosen: boolean;
  look: Look;
  live: boolean;
}

/** The list of mails, with one of them open. Its only script reloads a live page. */
export function mailsPage({ title, mails, shown, chosen, look, live }: MailsPage): string {
  const main =
    shown === undefined
      ? '<p class="empty">No mail yet. Reload the page in a moment.</p>'
      : mailHtml(shown, look, title);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Daybook: ${escapeHtml(title.toLowerCase())} (${mails.length})</title>
<link rel="stylesheet" href="/mail-pages.css">
<link rel="icon" href="data:,">
${live ? '<script src="/live.js" defer></script>' : ''}
</head>
<body class="${chosen ? 'mail' : 'list'}">
<aside><h2><a href="/">${escapeHtml(title)}</a> <span>${mails.length}</span></h2>${listHtml(mails, shown, look)}</aside>
<main>${main}</main>
</body>
</html>
`;
}

/** The mail's page in that colour scheme, whatever the screen's own is. */
export function inScheme(html: string, scheme: Look['scheme']): string {
  if (scheme === 'own') return html;
  return html.replace(
    /@media \(prefers-color-scheme:\s*dark\)/g,
    scheme === 'dark' ? '@media all' : '@media not all',
  );
}
