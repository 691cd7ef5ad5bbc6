import { OPS, getDocument, type PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import * as z from 'zod';

/** A text as it is painted. Points, from the left and from the bottom of the page. */
export interface PaintedText {
  /** Letters from left to right, without marks on them. So Arabic is from its last letter to its first. */
  text: string;
  left: number;
  right: number;
  y: number;
}

const listSchema = z.object({ fnArray: z.array(z.number()), argsArray: z.array(z.unknown()) });
const matrixSchema = z.tuple([z.looseObject({ 4: z.number(), 5: z.number() })]);
const fontSchema = z.tuple([z.string(), z.number()]);
const glyphsSchema = z.tuple([
  z.array(z.union([z.number(), z.looseObject({ unicode: z.string(), width: z.number() })])),
]);
/** Points. What is closer than this is one text. */
const SAME = 1;

function joined(texts: readonly PaintedText[]): PaintedText[] {
  const sorted = [...texts].sort((one, other) => other.y - one.y || one.left - other.left);
  const all: PaintedText[] = [];
  for (const text of sorted) {
    const last = all.at(-1);
    if (last !== undefined && last.y === text.y && Math.abs(text.left - last.right) < SAME) {
      last.text += text.text;
      last.right = text.right;
    } else all.push({ ...text });
  }
  return all;
}

/** The texts by the operators that paint each glyph. `list`: `getOperatorList()` of pdf.js. */
export function paintedTexts(list: unknown): PaintedText[] {
  const { fnArray, argsArray } = listSchema.parse(list);
  const texts: PaintedText[] = [];
  let [x, y, size] = [0, 0, 0];
  for (const [index, operator] of fnArray.entries()) {
    const given = argsArray[index];
    if (operator === OPS.setTextMatrix) ({ 4: x, 5: y } = matrixSchema.parse(given)[0]);
    if (operator === OPS.setFont) [, size] = fontSchema.parse(given);
    if (operator !== OPS.showText) continue;
    const left = x;
    let text = '';
    for (const glyph of glyphsSchema.parse(given)[0]) {
      x += ((typeof glyph === 'number' ? -glyph : glyph.width) * size) / 1_000;
      if (typeof glyph !== 'number') text += glyph.unicode;
    }
    if (!/^\p{M}+$/u.test(text)) texts.push({ text, left, right: x, y });
  }
  return joined(texts);
}

export interface ReadPage {
  /** Points. */
  width: number;
  height: number;
  /** What is on it in the order of speech, in the letters that people type. */
  texts: string[];
  /** What a reader sees. */
  painted: PaintedText[];
  /** Its structure, the elements inside others in brackets: `Table(TR(TH TH))`. */
  structure: string;
}

/** A PDF file as pdf.js reads it, which is the reader of Firefox. */
export interface ReadPdf {
  pages: ReadPage[];
  title: string;
  author: string;
  createdAt: string;
  language: string;
  isTagged: boolean;
}

const infoSchema = z.object({
  Title: z.string(),
  Author: z.string(),
  CreationDate: z.string(),
  Language: z.string(),
});
const nodeSchema = z.object({
  role: z.string(),
  get children() {
    return z.array(z.union([nodeSchema, z.object({ type: z.string() }).transform(() => null)]));
  },
});

function outline({ role, children }: z.infer<typeof nodeSchema>): string {
  const inside = children.flatMap((child) => (child === null ? [] : [outline(child)]));
  return inside.length === 0 ? role : `${role}(${inside.join(' ')})`;
}

async function pageOf(file: PDFDocumentProxy, number: number): Promise<ReadPage> {
  const page = await file.getPage(number);
  const { items } = await page.getTextContent();
  const texts = items.map((item) => z.object({ str: z.string() }).parse(item).str.normalize('NFKC'));
  const [, , width = 0, height = 0] = z.array(z.number()).parse(page.view);
  return {
    width,
    height,
    texts: texts.filter((text) => text.trim() !== ''),
    painted: paintedTexts(await page.getOperatorList()),
    structure: outline(nodeSchema.parse(await page.getStructTree())),
  };
}

/** @throws {Error} when it is no PDF */
export async function readPdf(bytes: Uint8Array): Promise<ReadPdf> {
  // pdf.js takes the bytes away from whom they belong to.
  const task = getDocument({ data: new Uint8Array(bytes), verbosity: 0 });
  const file = await task.promise;
  const pages: ReadPage[] = [];
  for (let number = 1; number <= file.numPages; number += 1) pages.push(await pageOf(file, number));
  const info = infoSchema.parse((await file.getMetadata()).info);
  const marks = z.map(z.string(), z.boolean()).parse(await file.getMarkInfo());
  await task.destroy();
  return {
    pages,
    title: info.Title,
    author: info.Author,
    createdAt: info.CreationDate,
    language: info.Language,
    isTagged: marks.get('Marked') === true,
  };
}
