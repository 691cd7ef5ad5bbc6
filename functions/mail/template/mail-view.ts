import type {
  MailPage,
  PageFigures,
  PageLine,
  PageSection,
  KeyFigure,
  Segments,
  PageColumn,
  Shade,
  PageCell,
  PageTable,
} from './mail-layout.ts';
import {
  withoutIsolates,
  ADDRESS_BREAK,
  NUMBER_BREAK,
  ISOLATE_END,
  ISOLATE_START,
  escapeHtml,
} from '../formatters/outside-text.ts';
import Mustache from 'mustache';
import { MAIL_TEMPLATE } from './mail-template.ts';

/** A column must not shrink to single letters, so only very long words may break anywhere. */
function wrapping(text: string): 'anywhere' | 'normal' {
  return /\S{18,}/.test(withoutIsolates(text)) ? 'anywhere' : 'normal';
}

function longestWord(text: string): number {
  return Math.max(
    ...withoutIsolates(text)
      .split(/\s+/)
      .map(({ length }) => length),
  );
}

/** Characters: `-1,234,567.890`. A longer figure may break anywhere, because a phone has no room for it beside others. */
const LONGEST_FIGURE = 14;

function cellView({ text, under }: PageCell) {
  const longest = Math.max(...[text, under ?? ''].map(longestWord));
  return { text, under: under ?? null, breaks: longest > LONGEST_FIGURE };
}

function nameView({ text, under }: PageCell) {
  return {
    text,
    under: under ?? null,
    breaks: [text, under ?? ''].some((line) => wrapping(line) === 'anywhere'),
  };
}

function rowView([first, ...values]: readonly PageCell[], strong = false) {
  return {
    first: nameView(first ?? { text: '' }),
    values: values.map(cellView),
    weight: strong ? 700 : 400,
  };
}

export function tableView({ columns, rows }: PageTable) {
  return { head: rowView(columns), rows: rows.map(({ cells, strong }) => rowView(cells, strong)) };
}

/** Visible on the white and on the dark sheet: contrast of at least three to one on both. */
const COLOURS: Record<Shade, string> = {
  paid: '#15803d',
  notPaid: '#d97706',
  cancelled: '#64748b',
  other: '#8b5cf6',
};

const HIGHEST_COLUMN = 36;
/** With more columns, there is no room for a label below each of them. */
const MOST_LABELS = 14;
const COLUMNS_OF_TICK = 7;

function columnView({ segments }: PageColumn) {
  return {
    parts: segments.toReversed().map(({ shade, percent }) => ({
      colour: COLOURS[shade],
      height: Math.max(1, Math.round((percent * HIGHEST_COLUMN) / 100)),
    })),
  };
}

function ticksOf(chart: readonly PageColumn[]) {
  return chart.flatMap(({ label }, index) =>
    index % COLUMNS_OF_TICK === 0 ? [{ label, span: Math.min(COLUMNS_OF_TICK, chart.length - index) }] : [],
  );
}

export function chartView(chart: readonly PageColumn[]) {
  const isLong = chart.length > MOST_LABELS;
  return {
    width: `${Math.floor(100 / chart.length)}%`,
    gap: isLong ? 1 : 2,
    columns: chart.map(columnView),
    labels: isLong ? [] : chart.map(({ label, today }) => ({ label, weight: today ? 700 : 400 })),
    ticks: isLong ? ticksOf(chart) : [],
  };
}

/** With more columns, there is less room for figures. */
const MOST_WIDE_COLUMNS = 3;

/** Characters: `-1,234,567.890 KWD`. What is longer has no line of its own on a narrow screen. */
const LONGEST_AMOUNT = 18;
/** Characters: `1,234,567.890 → 1,234,567.890`. It has the room of a label that wraps. */
const LONGEST_ALONE = 30;

function whiteSpace(text: string, longest = LONGEST_AMOUNT): string {
  return withoutIsolates(text).length > longest ? 'normal' : 'nowrap';
}

/** A longer figure breaks at a blank, and an amount without one before its currency. */
function figure(text: string, longest = LONGEST_AMOUNT) {
  const space = whiteSpace(text, longest);
  const breaks = space === 'normal' && !text.includes(' ');
  return { text: breaks ? text.replaceAll('\u00A0', ' ') : text, space, wrap: wrapping(text) };
}

function narrowFigure(text: string) {
  return longestWord(text) > LONGEST_FIGURE
    ? { ...figure(text), space: 'normal', wrap: 'anywhere' }
    : figure(text);
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
  const isAlone = columns.length === 2;
  return {
    head: columns.length > 0 && {
      columns: columns.map((text, index) => ({
        text,
        first: index === 0,
        wrap: wrapping(text),
      })),
    },
    rows: rows.map(({ label, values, strong = false, under = false, shade }) => ({
      label,
      values: values.map((text) =>
        isWide ? narrowFigure(text) : figure(text, isAlone ? LONGEST_ALONE : LONGEST_AMOUNT),
      ),
      main: !under,
      weight: weight(strong),
      colour: shade === undefined ? null : COLOURS[shade],
      wrap: wrapping(label),
      space: isAlone ? 'normal' : whiteSpace(label),
    })),
  };
}

function keyFiguresView(keyFigures: readonly KeyFigure[]) {
  return {
    rows: keyFigures.map(({ label, value, note }) => ({ label, value: figure(value), note: note ?? null })),
  };
}

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

function mailView(page: MailPage) {
  const { texts, marks, heading, subheading, lead, leadNote, keyFigures = [] } = page;
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
    keyFigures: keyFigures.length === 0 ? null : keyFiguresView(keyFigures),
    stamp: stamp === undefined ? null : line(stamp),
    sections: sections.map(sectionView),
    footer:
      footer.length === 0 && reference === undefined ? null : { lines: footer, reference: reference ?? null },
  };
}

const BREAKS = new RegExp(`[${ADDRESS_BREAK}${NUMBER_BREAK}]`, 'gu');
/** Marks of isolates have become elements, so a word ends there. */
const WORD = /[^\s<>]+/gu;
/**
 * Unseen and not copied, but a program that looks for links finds a new line. After a `br` alone, Chromium no
 * longer finds the whole word.
 */
const BREAK = '<span style="display:none"><br></span>';

/**
 * Escapes a value and turns its marks into elements. Programs make no link in an `a` without address (docs/mails.md).
 */
function inline(value: unknown): string {
  const text = escapeHtml(String(value)).replaceAll(ISOLATE_START, '<bdi>').replaceAll(ISOLATE_END, '</bdi>');
  // Nearly no value has a mark, and looking at each word takes longer than all the rest.
  if (text.search(BREAKS) < 0) return text;
  return text.replaceAll(WORD, (word) => {
    const broken = word.replaceAll(BREAKS, BREAK);
    return broken === word ? word : `<a>${broken}</a>`;
  });
}

/** The page as the HTML part of a mail: one column. Only a logo is loaded from elsewhere, where one is set. */
export function toHtml(page: MailPage): string {
  return Mustache.render(MAIL_TEMPLATE[page.texts.direction], mailView(page), undefined, { escape: inline });
}
