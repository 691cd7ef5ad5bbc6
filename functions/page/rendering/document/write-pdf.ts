import PDFDocument from 'pdfkit';
import type { DocumentFact, DocumentFonts, DocumentSection, SummaryDocument } from './document.ts';
import { isolated } from '#mail/formatters/outside-text.ts';
import { FontFace } from './font-face.ts';
import { printableText, withoutDirections } from './paragraph.ts';
import { Sheet, COLOURS, STYLES } from './sheet.ts';
import type { Tag, TextStyle } from './sheet.ts';
import { Table } from './table.ts';

/** The most UTF-16 units of a text. The longest one is shorter than a page. */
const LIMITS = { line: 300, value: 1_000, text: 1_500 } as const;
/** Points. */
const GAP = { small: 4, medium: 10, large: 20 } as const;
/** Points. */
const NOTICE = { bar: 3, padding: 8 } as const;
const LABEL_SHARE = 0.28;
const PAGE_NUMBER_WIDTH = 60;

/** pdfkit copies title and author into the file's XML as they are. */
const IN_XML: Readonly<Record<string, string>> = { '&': '＆', '<': '‹', '>': '›' };

/**
 * A summary as a PDF: A4, tagged, PDF/A-2a. The same document has the same bytes. Time and memory grow with
 * its rows; 512 MB are enough for 4,000.
 * @throws {Error} when a font file is not one font
 * @throws {RangeError} when `metadata.createdAt` is no time
 */
export async function writePdf(document: SummaryDocument, fonts: DocumentFonts): Promise<Uint8Array> {
  const pdf = newPdf(document);
  const sheet = new Sheet(pdf, document.direction, facesOf(fonts));
  printText(sheet, document.title, STYLES.title, 'H1');
  printText(sheet, document.subtitle, STYLES.subtitle, 'P');
  sheet.y += GAP.medium;
  for (const notice of document.notices) printNotice(sheet, notice);
  if (document.facts.length > 0) printFacts(sheet, document.facts);
  for (const section of document.sections) printSection(sheet, section);
  sheet.finish((page, pages, y) => {
    printFooter(sheet, document, page, pages, y);
  });
  return bytesOf(pdf);
}

type Faces = Readonly<Record<keyof DocumentFonts, FontFace>>;

/** To read a font takes as long as to write a page, and the next document has the same fonts. */
const knownFaces = new WeakMap<DocumentFonts, Faces>();

function facesOf(fonts: DocumentFonts): Faces {
  const known = knownFaces.get(fonts);
  if (known !== undefined) return known;
  const faces = {
    regular: new FontFace('regular', fonts.regular),
    bold: new FontFace('bold', fonts.bold),
  };
  knownFaces.set(fonts, faces);
  return faces;
}

async function bytesOf(pdf: PDFKit.PDFDocument): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  await new Promise<void>((resolve, reject) => {
    pdf.once('end', resolve).once('error', reject);
    pdf.on('data', (chunk: Uint8Array) => chunks.push(chunk));
  });
  return Buffer.concat(chunks);
}

function newPdf({ language, metadata }: SummaryDocument): PDFKit.PDFDocument {
  return new PDFDocument({
    // No font of pdfkit's own: it would look for a file.
    font: '',
    autoFirstPage: false,
    bufferPages: true,
    fontLayoutCache: false,
    pdfVersion: '1.7',
    subset: 'PDF/A-2a',
    tagged: true,
    displayTitle: true,
    lang: language,
    info: {
      Title: metadataText(metadata.title),
      Author: metadataText(metadata.author),
      Creator: 'Daybook',
      // It throws where there is no such time.
      CreationDate: new Date(new Date(metadata.createdAt).toISOString()),
    },
  });
}

function metadataText(text: string): string {
  return withoutDirections(printableText(text, LIMITS.line)).replace(/[&<>]/g, (sign) => IN_XML[sign] ?? '');
}

function printText(sheet: Sheet, text: string, style: TextStyle, tag: Tag): void {
  const printed = sheet.printed(text, style, LIMITS.line, sheet.width);
  if (printed.height === 0) return;
  sheet.makeRoom(printed.height);
  sheet.text(printed, tag, { x: 0, y: sheet.y, width: sheet.width });
  sheet.y += printed.height + GAP.small;
}

function printNotice(sheet: Sheet, text: string): void {
  const x = NOTICE.bar + NOTICE.padding;
  const printed = sheet.printed(text, STYLES.notice, LIMITS.text, sheet.width - x - NOTICE.padding);
  if (printed.height === 0) return;
  const height = printed.height + 2 * GAP.small;
  sheet.makeRoom(height);
  sheet.fill({ x: 0, y: sheet.y, width: sheet.width, height }, COLOURS.box);
  sheet.fill({ x: 0, y: sheet.y, width: NOTICE.bar, height }, COLOURS.accent);
  sheet.text(printed, 'P', { x, y: sheet.y + GAP.small, width: sheet.width - x - NOTICE.padding });
  sheet.y += height + GAP.small;
}

function printFacts(sheet: Sheet, facts: readonly DocumentFact[]): void {
  const table = sheet.element('Table');
  const width = sheet.width * LABEL_SHARE;
  sheet.y += GAP.small;
  for (const fact of facts) {
    const label = sheet.printed(fact.label, STYLES.factLabel, LIMITS.line, width - GAP.medium);
    const value = sheet.printed(fact.value, STYLES.factValue, LIMITS.value, sheet.width - width);
    const height = Math.max(label.height, value.height);
    sheet.makeRoom(height);
    const row = sheet.element('TR', table);
    const at = { y: sheet.y };
    sheet.text(label, 'TH', { ...at, x: 0, width: width - GAP.medium }, { parent: row, scope: 'Row' });
    sheet.text(value, 'TD', { ...at, x: width, width: sheet.width - width }, { parent: row });
    row.end();
    sheet.y += height + 2;
  }
  table.end();
}

/** The title stays with the beginning of its table. */
function printSection(sheet: Sheet, section: DocumentSection): void {
  const { width } = sheet;
  const title = sheet.printed(section.title, STYLES.heading, LIMITS.line, width);
  const note = sheet.printed(section.note ?? '', STYLES.note, LIMITS.text, width);
  const table = section.columns.length > 0 ? new Table(sheet, section) : null;
  const element = sheet.element('Sect');
  sheet.y += GAP.large;
  sheet.makeRoom(title.height + note.height + 2 * GAP.small + (table?.beginning ?? 0));
  for (const { text, tag } of [{ text: title, tag: 'H2' } as const, { text: note, tag: 'P' } as const]) {
    if (text.height === 0) continue;
    sheet.text(text, tag, { x: 0, y: sheet.y, width }, { parent: element });
    sheet.y += text.height + GAP.small;
  }
  table?.print(element);
  element.end();
}

function printFooter(sheet: Sheet, document: SummaryDocument, page: number, pages: number, y: number): void {
  const width = sheet.width - PAGE_NUMBER_WIDTH;
  const text = sheet.printed(document.footer, STYLES.footer, LIMITS.line, width);
  // Isolated, so that it is not turned round between Arabic words.
  const number = isolated(`${page} / ${pages}`);
  const pageNumber = sheet.printed(number, STYLES.footer, LIMITS.line, PAGE_NUMBER_WIDTH);
  sheet.repeatedText({ ...text, lines: text.lines.slice(0, 1) }, { x: 0, y, width }, 'start');
  sheet.repeatedText(pageNumber, { x: width, y, width: PAGE_NUMBER_WIDTH }, 'end');
}
