import { featuresOf } from './font-face.ts';
import type { Direction, FontFace } from './font-face.ts';
import { Paragraph } from './paragraph.ts';
import type { Line } from './paragraph.ts';
import { printableText } from './printable-text.ts';
import { BASELINE, LINE_HEIGHT } from './text-style.ts';
import type { TextStyle } from './text-style.ts';

/** Points, of A4. */
const PAGE = { width: 595.28, height: 841.89 } as const;
/** Points. The bottom has the page number. */
const MARGIN = { side: 48, top: 50, bottom: 60 } as const;

/** What dividing and multiplying again may change of a width, in the size 1. */
const ROUNDING = 1e-6;

/** An element of the structure that programs read to people who do not see. */
export type Element = PDFKit.PDFStructureElement;
/** Names of elements in PDF. */
export type Tag = 'H1' | 'H2' | 'P' | 'Sect' | 'Table' | 'THead' | 'TBody' | 'TFoot' | 'TR' | 'TH' | 'TD';

/** Points. `x` is from the side where lines begin, `y` from the top of the page. */
export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** A text that is ready to be printed. */
export interface Printed {
  lines: readonly Line[];
  style: TextStyle;
  /** In the order of speech, where that is not the order in which it is printed. */
  spoken?: string;
  /** Points. */
  height: number;
}

/** Pages of A4 that are filled from the top. Right to left, everything is mirrored. All lengths are points. */
export class Sheet {
  readonly direction: Direction;
  /** Of what is printed, between the margins. */
  readonly width = PAGE.width - 2 * MARGIN.side;
  /** The top of what is printed next. */
  y = 0;
  readonly #pdf: PDFKit.PDFDocument;
  readonly #faces: Readonly<Record<TextStyle['weight'], FontFace>>;
  readonly #root: Element;

  /** @param pdf without a page, and with buffered pages */
  constructor(
    pdf: PDFKit.PDFDocument,
    direction: Direction,
    faces: Readonly<Record<TextStyle['weight'], FontFace>>,
  ) {
    this.#pdf = pdf;
    this.direction = direction;
    this.#faces = faces;
    for (const { name, font } of Object.values(faces)) pdf.registerFont(name, font);
    this.#root = pdf.struct('Document');
    pdf.addStructure(this.#root);
    this.#addPage();
  }

  /** @param limit the most UTF-16 units of the text that are printed */
  paragraph(text: string, { weight }: TextStyle, limit: number): Paragraph {
    return new Paragraph(printableText(text, limit), this.#faces[weight], this.direction);
  }

  /** A text in lines of this width. */
  printed(text: string, style: TextStyle, limit: number, width: number): Printed {
    return inLines(this.paragraph(text, style, limit), style, width);
  }

  /** Begins a page when this height is not free on the page. @returns whether a page began */
  makeRoom(height: number): boolean {
    if (this.y + height <= PAGE.height - MARGIN.bottom) return false;
    this.#addPage();
    return true;
  }

  /** An element that has others in it, at the end of its parent or of the document. */
  element(tag: Tag, parent = this.#root): Element {
    const element = this.#pdf.struct(tag);
    parent.add(element);
    return element;
  }

  /** Prints a text at a place, as an element of its own. */
  text(text: Printed, tag: Tag, box: Omit<Box, 'height'>, options: TextOptions = {}): void {
    const { parent = this.#root, align = 'start', scope } = options;
    const content = this.#pdf.markStructureContent(tag);
    this.#lines(text, box, align);
    this.#pdf.endMarkedContent();
    const actual = text.spoken;
    parent.add(this.#pdf.struct(tag, { ...(scope && { scope }), ...(actual && { actual }) }, content));
  }

  /** Prints a text that repeats another, such as a head on a further page. Programs do not read it. */
  repeatedText(text: Printed, box: Omit<Box, 'height'>, align: 'start' | 'end'): void {
    this.#pdf.markContent('Artifact', { type: 'Pagination' });
    this.#lines(text, box, align);
    this.#pdf.endMarkedContent();
  }

  /** Fills an area. A line is a low one. */
  fill(box: Box, colour: string): void {
    this.#pdf.markContent('Artifact', { type: 'Layout' });
    this.#pdf.rect(this.#left(box), box.y, box.width, box.height).fill(colour);
    this.#pdf.endMarkedContent();
  }

  /**
   * Prints below each page, and ends the document. The function gets the number of the page, the count of pages and the top of
   * the place.
   */
  finish(footer: (page: number, pages: number, y: number) => void): void {
    const { start, count } = this.#pdf.bufferedPageRange();
    for (let index = 0; index < count; index += 1) {
      this.#pdf.switchToPage(start + index);
      footer(index + 1, count, PAGE.height - MARGIN.bottom + 18);
    }
    this.#root.end();
    this.#pdf.end();
  }

  #addPage(): void {
    this.#pdf.addPage({ size: [PAGE.width, PAGE.height], margin: 0 });
    this.y = MARGIN.top;
  }

  #left({ x, width }: Pick<Box, 'x' | 'width'>): number {
    return this.direction === 'ltr' ? MARGIN.side + x : PAGE.width - MARGIN.side - x - width;
  }

  #lines({ lines, style }: Printed, box: Omit<Box, 'height'>, align: 'start' | 'end'): void {
    const { size, colour } = style;
    const toTheLeft = (align === 'start') === (this.direction === 'ltr');
    this.#pdf.fillColor(colour).font(this.#faces[style.weight].name, size);
    for (const [index, line] of lines.entries()) {
      const left = this.#left(box) + (toTheLeft ? 0 : box.width - line.width * size);
      this.#line(line, left, box.y + (index * LINE_HEIGHT + BASELINE) * size, size);
    }
  }

  #line({ runs }: Line, left: number, baseline: number, size: number): void {
    let x = left;
    for (const { text, direction, width } of runs) {
      const options = { lineBreak: false, features: featuresOf(direction) };
      this.#pdf.text(text, x, baseline, { ...options, baseline: 'alphabetic' });
      x += width * size;
    }
  }
}

/** How a text is an element of the structure. */
export interface TextOptions {
  /** Default: the document. */
  parent?: Element;
  align?: 'start' | 'end';
  /** Of a table's head: what it is the head of. */
  scope?: 'Row' | 'Column';
}

/** A paragraph in lines of this width. */
export function inLines(paragraph: Paragraph, style: TextStyle, width: number): Printed {
  const lines = paragraph.lines(width / style.size + ROUNDING);
  const height = lines.length * LINE_HEIGHT * style.size;
  return { lines, style, height, ...(paragraph.isReordered && { spoken: paragraph.text }) };
}
