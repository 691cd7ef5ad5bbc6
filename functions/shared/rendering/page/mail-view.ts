import { chartView } from './chart-view.ts';
import { COLOURS } from './colours.ts';
import type { MailPage, PageFigures, PageLine, PageSection, PageTile, Segments } from './mail-page.ts';
import { tableView } from './table-view.ts';
import { longestWord, wrapping } from './wrapping.ts';
import { withoutIsolates } from '../formatters/outside-text.ts';

/** Characters. Longer figures beside many others may break anywhere. */
const LONGEST_NARROW = 12;
/** Characters. Three tiles with longer figures have smaller letters. */
const LONGEST_IN_THREE = 10;

/** With more columns, amounts need not stay on one line. */
const MOST_WIDE_COLUMNS = 3;
/** Of such a table: enough for usual amounts on a phone. */
const LAST_COLUMN = '39%';

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

/** The size of figures in pixels, and whether they are too long for three beside each other on a narrow screen. */
function tileLook(tiles: readonly PageTile[]): { size: number; long: boolean } {
  const longest = Math.max(...tiles.map(({ value }) => longestWord(value)));
  const isLong = tiles.length > 2 && longest > LONGEST_IN_THREE;
  return { size: isLong ? 14 : 16, long: isLong };
}

/** A part that is left out is `null`, and the template skips it. */
function sectionView(section: PageSection) {
  const {
    heading,
    lines = [],
    proportions,
    figures,
    table,
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
    table: table === undefined ? null : tableView(table),
    chart: chart.length === 0 ? null : chartView(chart),
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
  const { texts, marks, heading, subheading, lead, leadNote, tiles = [] } = page;
  const { stamp, preheader, sections } = page;
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
    leadNote: leadNote ?? null,
    tiles:
      tiles.length === 0
        ? null
        : {
            width: `${Math.floor(100 / tiles.length)}%`,
            ...tileLook(tiles),
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
