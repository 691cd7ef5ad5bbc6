import type { RenderedMail } from './mail-page.ts';
import { bounded, escapeHtml, oneLine } from './outside-text.ts';

/** Sixteen thousand UTF-16 units hold every notice and keep within what SNS takes. */
const LONGEST_TEXT = 16_000;

/** A mail to the people who run Daybook: the text as it is, line by line, made harmless. */
export function renderOpsNotice(notice: { subject: string; text: string }): RenderedMail {
  const text = bounded(notice.text, LONGEST_TEXT)
    .split(/\r\n|[\r\n]/)
    .map((line) => oneLine(line, 2_000))
    .join('\n');
  const subject = oneLine(`[Daybook] ${notice.subject}`, 200);
  return {
    subject,
    text: `${text}\n`,
    html: `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(subject)}</title>
</head>
<body style="margin:16px;font-family:system-ui,-apple-system,'Segoe UI',Roboto,Arial,sans-serif;font-size:15px;line-height:1.5;overflow-wrap:anywhere">
<p>${escapeHtml(text).replaceAll('\n', '<br>\n')}</p>
</body>
</html>
`,
  };
}
