import { getDocument, type PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import * as z from 'zod';
import { paintedTexts, type PaintedText } from './painted-texts.ts';

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
