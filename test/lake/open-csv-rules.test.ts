import { csvFormatRows } from 'd3-dsv';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readOpenCsvLine } from '#support/lake/open-csv-rules.ts';

/** Known behaviour of the SerDe, so the rules here are the rules of the SerDe and not of our writer. */
describe('our reader with the rules of OpenCSVSerde', () => {
  const backslash = { separator: ',', quote: '"', escape: '\\' };
  const never = { ...backslash, escape: '\uE000' };

  it.each([
    ['a,b,c', ['a', 'b', 'c']],
    ['"a","b,c",d', ['a', 'b,c', 'd']],
    ['"a ""quoted"" word",b', ['a "quoted" word', 'b']],
    ['"""both""",""', ['"both"', '']],
    ['a,,', ['a', '', '']],
    // A quote inside a value stays.
    ['a,bc"d"ef,g', ['a', 'bc"d"ef', 'g']],
    // A value that ends inside quotes is lost.
    ['a,"b', ['a']],
  ])('reads %j as documented', (line, cells) => {
    expect(readOpenCsvLine(line, never)).toEqual(cells);
  });

  it('drops backslashes when the backslash is its escape character, which is the default', () => {
    expect(readOpenCsvLine('C:\\new\\,b', backslash)).toEqual(['C:new', 'b']);
    expect(readOpenCsvLine('C:\\new\\,b', never)).toEqual(['C:\\new\\', 'b']);
  });

  it('reads every text that the writer quotes, unless the text has the escape character', () => {
    const cell = fc.string({
      unit: fc.constantFrom('"', ',', '\\', ' ', '\t', 'n', "'", 'ش', '🙂'),
      maxLength: 6,
    });
    fc.assert(
      fc.property(fc.array(cell, { minLength: 2, maxLength: 5 }), (cells) => {
        expect(readOpenCsvLine(csvFormatRows([cells]), never)).toEqual(cells);
      }),
      { numRuns: 5_000 },
    );
  });
});
