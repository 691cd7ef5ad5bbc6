import { toHtml } from './mail-view.ts';
import type {
  MailPage,
  RenderedMail,
  PageCell,
  PageColumn,
  PageFigures,
  PageItem,
  PageSection,
  PageTable,
  KeyFigure,
} from './mail-layout.ts';
import { ADDRESS_BREAK, withoutLinkBreaks, withoutIsolates } from '../formatters/outside-text.ts';

const COLUMNS = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/** Two columns need no heads: the label says what the value is. */
function figureLines({ columns, rows }: PageFigures): string[] {
  const lineOf = ([label = '', ...values]: readonly string[], indent = '  ') =>
    `${indent}${label}: ${values.filter((value) => value !== '').join(' · ')}`;
  return [
    ...(columns.length > 2 ? [lineOf(columns)] : []),
    ...rows.map(({ label, values, under = false }) => lineOf([label, ...values], under ? '    ' : '  ')),
  ];
}

/** What the first cell has below it is in brackets, because it belongs to the name. */
function tableLines({ columns, rows }: PageTable): string[] {
  const valueOf = ({ text, under }: PageCell) => [text, ...(under === undefined ? [] : [under])].join(' / ');
  const lineOf = ([first, ...values]: readonly PageCell[]) => {
    const { text = '', under } = first ?? {};
    const name = under === undefined ? text : `${text} (${under})`;
    return `  ${name}: ${values.map(valueOf).join(' · ')}`;
  };
  return [lineOf(columns), ...rows.map(({ cells }) => lineOf(cells))];
}

/** A column without segments is a gap. */
function chartLines(chart: readonly PageColumn[]): string[] {
  if (chart.length === 0) return [];
  const columns = chart.map(({ segments }) => {
    const percent = segments.reduce((sum, segment) => sum + segment.percent, 0);
    return COLUMNS[Math.ceil((percent * COLUMNS.length) / 100) - 1] ?? ' ';
  });
  return [`  ${columns.join('')}`];
}

function itemLines({ title, note, value, link }: PageItem): string[] {
  return [
    `  ${title}: ${value}`,
    `    ${note}`,
    ...(link === undefined ? [] : [`    ${link.text}: ${link.href}`]),
  ];
}

function sectionLines(section: PageSection): string[] {
  const { heading, lines = [], figures, table, chart = [], items = [], details = [], notes = [] } = section;
  return [
    ...(heading === undefined ? [] : [heading, '-'.repeat(Math.min(withoutIsolates(heading).length, 60))]),
    ...lines.map((line) => `  ${line.text}`),
    ...(figures === undefined ? [] : figureLines(figures)),
    ...(table === undefined ? [] : tableLines(table)),
    ...chartLines(chart),
    ...items.flatMap(itemLines),
    ...details.map(({ label, value }) => `  ${label}: ${value}`),
    ...notes.map((note) => `  ${note}`),
    '',
  ];
}

function keyFigureLine({ label, value, note }: KeyFigure): string {
  return `${label}: ${value}${note === undefined ? '' : ` (${note})`}`;
}

/** The page as the text part of a mail. Lines end with `\n`. */
export function toPlainText(page: MailPage): string {
  const {
    marks,
    heading,
    subheading = '',
    lead = '',
    leadNote = '',
    keyFigures = [],
    stamp,
    sections,
  } = page;
  const { footer, reference, brand } = page;
  const text = [
    ...marks.map((mark) => mark.text),
    heading,
    ...[subheading, lead, leadNote].filter((line) => line !== ''),
    ...keyFigures.map(keyFigureLine),
    ...(stamp === undefined ? [] : [stamp.text]),
    '',
    ...sections.flatMap(sectionLines),
    ...footer,
    ...(brand?.help === undefined ? [] : [`${brand.help.text}: ${brand.help.shown}`]),
    ...(reference === undefined ? [] : [reference]),
    '',
  ].join('\n');
  // A text part has no elements. A blank keeps programs from finding a link.
  const unlinked = withoutLinkBreaks(text.replaceAll(ADDRESS_BREAK, ' '));
  // From left to right the marks are not needed, and programs that read byte by byte show them.
  return page.texts.direction === 'rtl' ? unlinked : withoutIsolates(unlinked);
}

export interface Limits {
  list: number;
  /** The most rows of a table that is made for many. */
  rows: number;
  text: number;
}

/** From the usual limits to those with which every mail fits. */
const LIMITS = [
  { list: 50, rows: 200, text: 500 },
  { list: 15, rows: 200, text: 200 },
  { list: 6, rows: 120, text: 80 },
  { list: 3, rows: 40, text: 40 },
  { list: 2, rows: 10, text: 20 },
] as const satisfies readonly Limits[];

/** Bytes. Gmail hides what comes after 102 kB behind a link. */
const MOST_HTML = 100_000;

/** A page as text within the usual limits, and as HTML with as much as mail programs show in full. */
export function fittingMail(pageWithin: (limits: Limits) => MailPage): Pick<RenderedMail, 'text' | 'html'> {
  const [usual, ...tighter] = LIMITS;
  const page = pageWithin(usual);
  let html = toHtml(page);
  for (const limits of tighter) {
    if (Buffer.byteLength(html) <= MOST_HTML) break;
    html = toHtml(pageWithin(limits));
  }
  return { text: toPlainText(page), html };
}
