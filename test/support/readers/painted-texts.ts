import { OPS } from 'pdfjs-dist/legacy/build/pdf.mjs';
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
