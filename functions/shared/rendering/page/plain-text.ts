import type { MailPage, PageBar, PageFigures, PageItem, PageSection, PageTile } from './mail-page.ts';
import { ADDRESS_BREAK, withoutLinkBreaks } from '../formatters/link-breaks.ts';
import { withoutIsolates } from '../formatters/outside-text.ts';

/** The most blocks of a bar. */
const LONGEST_BAR = 20;

function figureLines({ rows }: PageFigures): string[] {
  return rows.map(
    ({ label, values, under = false }) =>
      `${under ? '    ' : '  '}${label}: ${values.filter((value) => value !== '').join(' · ')}`,
  );
}

function barLine({ label, text, segments }: PageBar): string {
  const percent = segments.reduce((sum, segment) => sum + segment.percent, 0);
  const bar = '█'.repeat(Math.ceil((percent * LONGEST_BAR) / 100));
  return `  ${[`${label}: ${text}`, ...(bar === '' ? [] : [bar])].join('  ')}`;
}

function itemLines({ title, note, value, link }: PageItem): string[] {
  return [
    `  ${title}: ${value}`,
    `    ${note}`,
    ...(link === undefined ? [] : [`    ${link.text}: ${link.href}`]),
  ];
}

function sectionLines(section: PageSection): string[] {
  const { heading, lines = [], figures, bars = [], items = [], details = [], notes = [] } = section;
  return [
    ...(heading === undefined ? [] : [heading, '-'.repeat(Math.min(withoutIsolates(heading).length, 60))]),
    ...lines.map((line) => `  ${line.text}`),
    ...(figures === undefined ? [] : figureLines(figures)),
    ...bars.map(barLine),
    ...items.flatMap(itemLines),
    ...details.map(({ label, value }) => `  ${label}: ${value}`),
    ...notes.map((note) => `  ${note}`),
    '',
  ];
}

function tileLine({ label, value, note }: PageTile): string {
  return `${label}: ${value}${note === undefined ? '' : ` (${note})`}`;
}

/** The page as the text part of a mail. Lines end with `\n`. */
export function toPlainText(page: MailPage): string {
  const { marks, heading, subheading = '', lead = '', tiles = [], stamp, sections } = page;
  const { footer, reference } = page;
  const text = [
    ...marks.map((mark) => mark.text),
    heading,
    ...[subheading, lead].filter((line) => line !== ''),
    ...tiles.map(tileLine),
    ...(stamp === undefined ? [] : [stamp.text]),
    '',
    ...sections.flatMap(sectionLines),
    ...footer,
    ...(reference === undefined ? [] : [reference]),
    '',
  ].join('\n');
  // A text part has no elements. A blank keeps programs from finding a link.
  const unlinked = withoutLinkBreaks(text.replaceAll(ADDRESS_BREAK, ' '));
  // In text from left to right the marks are not needed, and they would disturb programs that read plain text
  // byte by byte.
  return page.texts.direction === 'rtl' ? unlinked : withoutIsolates(unlinked);
}
