import type {
  MailPage,
  PageColumn,
  PageFigures,
  PageLine,
  PageSection,
  PageTile,
  Segments,
  Shade,
} from './mail-page.ts';
import { withoutIsolates } from '../formatters/outside-text.ts';

/** Visible on the white and on the dark sheet: contrast of at least three to one on both. */
const COLOURS: Record<Shade, string> = {
  paid: '#15803d',
  notPaid: '#d97706',
  cancelled: '#64748b',
  other: '#8b5cf6',
};

/** Pixels. */
const HIGHEST_COLUMN = 56;

/** Characters. Longer figures beside many others may break anywhere. */
const LONGEST_NARROW = 12;
/** Characters. Three tiles with longer figures have smaller letters. */
const LONGEST_IN_THREE = 10;

/** With more columns, amounts need not stay on one line. */
const MOST_WIDE_COLUMNS = 3;
/** Of such a table: enough for usual amounts on a phone. */
const LAST_COLUMN = '39%';

// A column must not shrink to single letters. So only words that are too long for a narrow screen may break
// anywhere.
function wrapping(text: string): 'anywhere' | 'normal' {
  return /\S{18,}/.test(withoutIsolates(text)) ? 'anywhere' : 'normal';
}

/** A figure stays on one line when it fits on a narrow screen beside another. */
function whiteSpace(text: string): string {
  return text.length > 18 ? 'normal' : 'nowrap';
}

/** A longer figure breaks at a blank. An amount breaks before its currency. */
function figure(text: string) {
  const space = whiteSpace(text);
  const breaks = space === 'normal' && !text.includes(' ');
  return { text: breaks ? text.replaceAll('\u00A0', ' ') : text, space, wrap: wrapping(text) };
}

function longestWord(text: string): number {
  return Math.max(
    ...withoutIsolates(text)
      .split(/\s+/)
      .map(({ length }) => length),
  );
}

/** A figure beside many others: an amount breaks before its currency when there is no room. */
function narrowFigure(text: string) {
  const narrow = text.replaceAll('\u00A0', ' ');
  const isMany = longestWord(narrow) > LONGEST_NARROW;
  return { text: narrow, space: 'normal', wrap: isMany ? 'anywhere' : 'normal' };
}

function weight(strong: boolean): number {
  return strong ? 700 : 400;
}

function line({ text, tone }: PageLine) {
  return { good: tone === 'good', bad: tone === 'bad', plain: tone === 'plain', text };
}

function segmentsView(segments: Segments) {
  return segments.map(({ shade, percent }) => ({ colour: COLOURS[shade], percent }));
}

function figuresView({ columns, rows }: PageFigures) {
  const isWide = columns.length > MOST_WIDE_COLUMNS;
  return {
    columns: columns.map((text, index) => ({
      text,
      first: index === 0,
      wrap: wrapping(text),
      width: isWide && index === columns.length - 1 ? LAST_COLUMN : null,
    })),
    rows: rows.map(({ label, values, strong = false, under = false, shade }) => ({
      label,
      values: values.map(isWide ? narrowFigure : figure),
      main: !under,
      weight: weight(strong),
      colour: shade === undefined ? null : COLOURS[shade],
      wrap: wrapping(label),
      space: whiteSpace(label),
    })),
  };
}

/** Pixels. */
function tileSize(tiles: readonly PageTile[]): number {
  const longest = Math.max(...tiles.map(({ value }) => longestWord(value)));
  return tiles.length > 2 && longest > LONGEST_IN_THREE ? 14 : 16;
}

/** From top to bottom. */
function columnView({ label, segments, today }: PageColumn) {
  return {
    label,
    weight: weight(today),
    parts: segments.toReversed().map(({ shade, percent }) => ({
      colour: COLOURS[shade],
      height: Math.max(1, Math.round((percent * HIGHEST_COLUMN) / 100)),
    })),
  };
}

/** A part that is left out is `null`, and the template skips it. */
function sectionView(section: PageSection) {
  const {
    heading,
    lines = [],
    proportions,
    figures,
    chart = [],
    items = [],
    details = [],
    notes = [],
  } = section;
  return {
    heading: heading ?? null,
    lines: lines.map(line),
    proportions: proportions === undefined ? null : { segments: segmentsView(proportions) },
    figures: figures === undefined ? null : figuresView(figures),
    chart:
      chart.length === 0
        ? null
        : { width: `${Math.floor(100 / chart.length)}%`, columns: chart.map(columnView) },
    items:
      items.length === 0
        ? null
        : {
            rows: items.map(({ title, note, value, link }) => ({
              title,
              note,
              value: figure(value),
              // An attribute cannot contain elements.
              link: link === undefined ? null : { ...link, label: withoutIsolates(link.label) },
            })),
          },
    details: details.length === 0 ? null : { rows: details },
    notes,
  };
}

/** The name stands in the place of a logo that is not set. Without both there is nothing. */
function brandView(brand: MailPage['brand']) {
  if (brand === undefined || (brand.name === undefined && brand.logo === undefined)) return null;
  const { name, logo, colour } = brand;
  return {
    ...colour,
    // An attribute cannot contain elements.
    logo: logo === undefined ? null : { src: logo.src, alt: withoutIsolates(logo.alt) },
    name: logo === undefined ? (name ?? null) : null,
  };
}

/** The page in the form that the template needs. */
export function mailView(page: MailPage) {
  const { texts, marks, heading, subheading, lead, tiles = [], stamp, preheader, sections } = page;
  const { footer, reference, brand } = page;
  return {
    brand: brandView(brand),
    help: brand?.help ?? null,
    language: texts.language,
    title: withoutIsolates([heading, ...(subheading === undefined ? [] : [subheading])].join(' · ')),
    preheader: withoutIsolates(preheader),
    marks: marks.map(line),
    heading,
    subheading: subheading ?? null,
    lead: lead ?? null,
    tiles:
      tiles.length === 0
        ? null
        : {
            width: `${Math.floor(100 / tiles.length)}%`,
            size: tileSize(tiles),
            cells: tiles.map(({ label, value, note }) => ({
              label,
              value: narrowFigure(value),
              note: note ?? null,
            })),
          },
    stamp: stamp === undefined ? null : line(stamp),
    sections: sections.map(sectionView),
    footer:
      footer.length === 0 && reference === undefined ? null : { lines: footer, reference: reference ?? null },
  };
}
