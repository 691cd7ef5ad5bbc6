import { expect, it } from 'vitest';
import { printTable } from '#bin/daybook/terminal/table.ts';

const plain = (_style: string, text: string) => text;

it('has the same columns in all of ten thousand rows, whatever their width', () => {
  const rows = Array.from({ length: 10_000 }, (_, index) => [
    String(index),
    index === 7_777 ? 'a name that is much longer than all others' : index % 2 === 0 ? '杏林' : 'name',
    index,
  ]);
  const lines = printTable(['Code', 'Name', 'Count'], rows, plain);
  expect(lines).toHaveLength(10_001);
  expect(printTable(['A'], [], plain)).toEqual([]);
  // A wide character takes two cells.
  const ends = lines.map((line) => line.replace(/[杏林]/g, 'xx').length);
  expect(new Set(ends).size).toBe(1);
  expect(lines[7_778]).toMatch(/^7777 {2}a name that is much longer than all others {2} *7,777$/);
});

it('keeps its columns aligned, whatever the names in the last one', () => {
  const rows = [
    ['700001', 7, 'Al Noor Trading'],
    ['1', 12_345, 'شركة الأفق للتجارة'],
  ];
  expect(printTable(['Code', 'Count', 'Name'], rows, plain)).toEqual([
    'Code     Count  Name',
    '700001       7  Al Noor Trading',
    '1       12,345  شركة الأفق للتجارة',
  ]);
});

it('counts a style as no cell', () => {
  const red = (style: string, text: string) => (style === 'red' ? `\u001b[31m${text}\u001b[39m` : text);
  expect(
    printTable(
      ['Name', 'Mark'],
      [
        [
          { text: 'a', style: 'red' },
          { text: 'x', side: 'right' },
        ],
      ],
      red,
    ),
  ).toEqual(['Name  Mark', '\u001b[31ma\u001b[39m        x']);
});
