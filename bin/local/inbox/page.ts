import { escapeHtml, oneLine } from '../../../functions/shared/core/rendering/outside-text.ts';
import type { InboxMail } from './mails.ts';

/** The ways to look at a mail. */
export const VIEWS = ['html', 'text', 'headers'] as const;
export type View = (typeof VIEWS)[number];

const VIEW_NAMES: Record<View, string> = { html: 'Mail', text: 'Text', headers: 'Headers' };

/** Where a mail's pages are. */
function pathOf(mail: InboxMail): string {
  return `/mail/${encodeURIComponent(mail.id)}`;
}

function subjectOf({ email }: InboxMail): string {
  return escapeHtml(oneLine(email.subject ?? '(no subject)'));
}

function outside(text: string | undefined): string {
  return `<bdi>${escapeHtml(oneLine(text ?? ''))}</bdi>`;
}

function recipients({ email }: InboxMail): string {
  return (email.to ?? []).map(({ address }) => address ?? '').join(', ');
}

/** The minute in UTC, empty for a mail that tells none. */
function dateOf({ email }: InboxMail): string {
  const time = Date.parse(email.date ?? '');
  return Number.isNaN(time) ? '' : new Date(time).toISOString().slice(0, 16).replace('T', ' ');
}

function listHtml(mails: readonly InboxMail[], shown: InboxMail | undefined): string {
  const items = mails.map((mail) => {
    const current = mail === shown ? ' aria-current="page"' : '';
    return `<li><a href="${pathOf(mail)}"${current}>
<strong dir="auto">${subjectOf(mail)}</strong>
<span>${outside(recipients(mail))}</span><time>${dateOf(mail)}</time></a></li>`;
  });
  return `<ul>${items.join('\n')}</ul>`;
}

function attachmentsHtml(mail: InboxMail): string {
  const links = mail.email.attachments.map(({ filename }, index) => {
    const name = filename ?? `attachment ${index + 1}`;
    return `<a download href="${pathOf(mail)}/attachment/${index}">${outside(name)}</a>`;
  });
  return [...links, `<a download href="${pathOf(mail)}/source">${escapeHtml(mail.id)}.eml</a>`].join(' ');
}

function viewHtml(mail: InboxMail, view: View): string {
  switch (view) {
    case 'html':
      // Nothing is allowed to it: no script, no form, no window, no origin of its own.
      return `<iframe sandbox src="${pathOf(mail)}/html" title="the mail"></iframe>`;
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

function mailHtml(mail: InboxMail, view: View): string {
  const tabs = VIEWS.map((name) => {
    const current = name === view ? ' aria-current="page"' : '';
    return `<a href="${pathOf(mail)}?view=${name}"${current}>${VIEW_NAMES[name]}</a>`;
  });
  return `<header>
<h1 dir="auto">${subjectOf(mail)}</h1>
<p>from ${outside(mail.email.from?.address)} to ${outside(recipients(mail))}, ${dateOf(mail)} UTC</p>
<nav><span class="tabs">${tabs.join('')}</span><span class="files">${attachmentsHtml(mail)}</span></nav>
</header>
${viewHtml(mail, view)}`;
}

/** The inbox with one mail open; nothing in it is a script. */
export function inboxPage(mails: readonly InboxMail[], shown: InboxMail | undefined, view: View): string {
  const main =
    shown === undefined
      ? '<p class="empty">No mail yet. Reload the page in a moment.</p>'
      : mailHtml(shown, view);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Daybook inbox (${mails.length})</title>
<link rel="stylesheet" href="/inbox.css">
<link rel="icon" href="data:,">
</head>
<body>
<aside><h2><a href="/">Inbox</a> <span>${mails.length}</span></h2>${listHtml(mails, shown)}</aside>
<main>${main}</main>
</body>
</html>
`;
}
