import { featuresOf } from './font-face.ts';
import type { Direction, FontFace } from './font-face.ts';
import { Paragraph, printableText } from './paragraph.ts';
import type { Line } from './paragraph.ts';

/** Sizes are points. */
export interface TextStyle {
  weight: 'regular' | 'bold';
  size: number;
  colour: string;
}

const INK = '#1c2330';
const GREY = '#5b6472';

export const STYLES = {
  title: { weight: 'bold', size: 18, colour: INK },
  subtitle: { weight: 'regular', size: 11, colour: GREY },
  notice: { weight: 'bold', size: 10, colour: INK },
  factLabel: { weight: 'regular', size: 9.5, colour: GREY },
  factValue: { weight: 'regular', size: 9.5, colour: INK },
  heading: { weight: 'bold', size: 12.5, colour: INK },
  note: { weight: 'regular', size: 9, colour: GREY },
  tableHead: { weight: 'bold', size: 9, colour: INK },
  tableCell: { weight: 'regular', size: 9, colour: INK },
  tableTotal: { weight: 'bold', size: 9, colour: INK },
  footer: { weight: 'regular', size: 8, colour: GREY },
} as const satisfies Record<string, TextStyle>;

export const COLOURS = { line: '#d5d9e0', strongLine: '#1c2330', box: '#f3f5f8', accent: '#b45309' } as const;

/** From one line to the next, as a multiple of the size. Marks above and below Arabic letters need the room. */
const LINE_HEIGHT = 1.45;
/** From the top of a line to the foot of its letters, as a multiple of the size. */
const BASELINE = 1.05;

const PAGE = { width: 595.28, height: 841.89 } as const;
/** Points. The bottom has the page number. */
const MARGIN = { side: 48, top: 50, bottom: 60 } as const;

/** What dividing and multiplying again may change of a width, in the size 1. */
const ROUNDING = 1e-6;

/** An element of the structure that programs read to people who do not see. */
export type Element = PDFKit.PDFStructureElement;
export type Tag = 'H1' | 'H2' | 'P' | 'Sect' | 'Table' | 'THead' | 'TBody' | 'TFoot' | 'TR' | 'TH' | 'TD';

/** Points: `x` from the side where lines begin, `y` from the top of the page. */
interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface Printed {
  lines: readonly Line[];
  style: TextStyle;
  spoken?: string;
  height: number;
}

/** Pages of A4, filled from the top, mirrored right to left. All lengths are points. */
export class Sheet {
  readonly direction: Direction;
  readonly width = PAGE.width - 2 * MARGIN.side;
  /** The top of what is printed next. */
  y = 0;
  readonly #pdf: PDFKit.PDFDocument;
  readonly #faces: Readonly<Record<TextStyle['weight'], FontFace>>;
  readonly #root: Element;

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

  printed(text: string, style: TextStyle, limit: number, width: number): Printed {
    return inLines(this.paragraph(text, style, limit), style, width);
  }

  /** Begins a page when this height is not free, and says whether one began. */
  makeRoom(height: number): boolean {
    if (this.y + height <= PAGE.height - MARGIN.bottom) return false;
    this.#addPage();
    return true;
  }

  element(tag: Tag, parent = this.#root): Element {
    const element = this.#pdf.struct(tag);
    parent.add(element);
    return element;
  }

  text(text: Printed, tag: Tag, box: Omit<Box, 'height'>, options: TextOptions = {}): void {
    const { parent = this.#root, align = 'start', scope } = options;
    const content = this.#pdf.markStructureContent(tag);
    this.#lines(text, box, align);
    this.#pdf.endMarkedContent();
    const actual = text.spoken;
    parent.add(this.#pdf.struct(tag, { ...(scope && { scope }), ...(actual && { actual }) }, content));
  }

  /** A text that repeats another, such as a head on a further page. Programs do not read it. */
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

  /** Prints below each page, and ends the document. @param footer gets page number, count and top in points */
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

interface TextOptions {
  /** Default: the document. */
  parent?: Element;
  align?: 'start' | 'end';
  scope?: 'Row' | 'Column';
}

export function inLines(paragraph: Paragraph, style: TextStyle, width: number): Printed {
  const lines = paragraph.lines(width / style.size + ROUNDING);
  const height = lines.length * LINE_HEIGHT * style.size;
  return { lines, style, height, ...(paragraph.isReordered && { spoken: paragraph.text }) };
}
