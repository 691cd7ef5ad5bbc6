import { describe, expect, it } from 'vitest';
import { LineBuffer } from '#domain/transcoding/line-buffer.ts';
import { LineMemory } from '#domain/transcoding/page-lines.ts';
import type { PageLines } from '#domain/transcoding/page-lines.ts';

const KIBIBYTE = 1024;
const MEBIBYTE = 1024 * KIBIBYTE;
const FORMATS = ['json', 'csv'] as const;

function textOf(page: PageLines, format: 'json' | 'csv'): string {
  const { bytes, used } = page.of(format);
  return bytes.toString('latin1', 0, used);
}

describe('the lines of a page', () => {
  it('cannot be read after they were given back', () => {
    const page = new LineMemory().newPage();
    page.of('json').write('a', 0);
    expect(textOf(page, 'json')).toBe('a');
    page.giveBack();
    for (const format of FORMATS) expect(() => page.of(format)).toThrow('were given back');
  });

  it('begin empty, also in memory that another page gave back', () => {
    const memory = new LineMemory();
    const first = memory.newPage();
    for (const format of FORMATS) first.of(format).write('secret of the first page', 0);
    const buffers = FORMATS.map((format) => first.of(format).bytes);
    first.giveBack();
    const second = memory.newPage();
    expect(FORMATS.map((format) => second.of(format).bytes)).toEqual(buffers);
    expect(FORMATS.map((format) => second.of(format).bytes === buffers[FORMATS.indexOf(format)])).toEqual([
      true,
      true,
    ]);
    expect(FORMATS.map((format) => textOf(second, format))).toEqual(['', '']);
    second.of('csv').write('b', 0);
    expect(textOf(second, 'csv')).toBe('b');
  });

  it('of two pages at once have memory of their own', () => {
    const memory = new LineMemory();
    const [first, second] = [memory.newPage(), memory.newPage()];
    first.of('json').write('first', 0);
    second.of('json').write('second', 0);
    expect([textOf(first, 'json'), textOf(second, 'json')]).toEqual(['first', 'second']);
    expect(first.of('json')).not.toBe(first.of('csv'));
  });

  it('are given back once: two later pages never share them', () => {
    const memory = new LineMemory();
    const page = memory.newPage();
    page.giveBack();
    page.giveBack();
    const [first, second] = [memory.newPage(), memory.newPage()];
    expect(first.of('json')).not.toBe(second.of('json'));
    page.giveBack();
    expect(memory.newPage().of('json')).not.toBe(first.of('json'));
  });

  it.each([
    ['a mebibyte is kept', MEBIBYTE, true],
    ['more than a mebibyte is not kept', MEBIBYTE + 1, false],
  ])('of %s', (_what, bytes, isKept) => {
    for (const format of FORMATS) {
      const memory = new LineMemory();
      const page = memory.newPage();
      const buffer = page.of(format);
      buffer.reserve(bytes);
      expect(buffer.bytes).toHaveLength(bytes);
      page.giveBack();
      expect(memory.newPage().of(format) === buffer).toBe(isKept);
    }
  });
});

describe('a buffer of lines', () => {
  it('keeps its bytes when it grows', () => {
    const buffer = new LineBuffer();
    let expected = '';
    for (let index = 0; index < 3_000; index += 1) {
      const text = `${index}é,"\u2028🧾`;
      buffer.write(text, 1);
      buffer.put(0x0a);
      expected += `${text}\n`;
    }
    expect(buffer.bytes.toString('utf8', 0, buffer.used)).toBe(expected);
  });

  it('has room for what is reserved, and grows at least to twice its size', () => {
    const buffer = new LineBuffer();
    const smallest = 64 * KIBIBYTE;
    buffer.reserve(smallest);
    expect(buffer.bytes).toHaveLength(smallest);
    buffer.reserve(smallest + 1);
    expect(buffer.bytes).toHaveLength(2 * smallest);
    buffer.reserve(10 * smallest);
    expect(buffer.bytes).toHaveLength(10 * smallest);
    buffer.write('', 10 * smallest + 1);
    expect(buffer.bytes).toHaveLength(20 * smallest);
  });

  it('has room for the widest characters, and for what follows a text', () => {
    const text = 'ق€'.repeat(30_000);
    const buffer = new LineBuffer();
    buffer.write(text, 100);
    expect(buffer.used).toBe(Buffer.byteLength(text));
    expect(buffer.bytes.length - buffer.used).toBeGreaterThanOrEqual(100);
    const widest = new LineBuffer();
    widest.write('€'.repeat(30_000), 7);
    expect(widest.used).toBe(90_000);
    expect(widest.bytes.length - widest.used).toBeGreaterThanOrEqual(7);
  });

  it('takes a part of other bytes', () => {
    const buffer = new LineBuffer();
    buffer.reserve(4);
    buffer.copy(Buffer.from('abcdef'), 1, 3);
    buffer.copy(Buffer.from('gh'));
    expect(buffer.bytes.toString('latin1', 0, buffer.used)).toBe('bcgh');
  });
});
