import type { MailPage, PageRow, PageSection } from './mail-page.ts';
import { withoutIsolates } from './outside-text.ts';

function rowLine(row: PageRow): string {
  return `  ${row.label}: ${row.values.join(' · ')}`;
}

function sectionLines(section: PageSection): string[] {
  const { heading, lines = [], table } = section;
  return [heading, ...lines.map((line) => `  ${line.text}`), ...(table?.rows.map(rowLine) ?? []), ''];
}

/** The page as the text part of a mail, lines ended by `\n`. */
export function toPlainText(page: MailPage): string {
  const text = [
    ...page.marks.map((mark) => mark.text),
    page.heading,
    page.subheading,
    page.lead,
    '',
    ...page.sections.flatMap(sectionLines),
    page.footer,
    '',
  ].join('\n');
  // Written from left to right, the marks would only disturb what looks at plain text byte by byte.
  return page.texts.direction === 'rtl' ? text : withoutIsolates(text);
}
