import { expect, it } from 'vitest';
import { printTable } from '#bin/daybook/terminal/table.ts';

const plain = (_style: string, text: string) => text;

it('keeps its columns aligned, whatever the names', () => {
  const rows = [
    ['700001', 'name', 7, 'Al Noor Trading'],
    ['1', '杏林', 12_345, 'شركة الأفق للتجارة'],
  ];
  // A wide character takes two cells.
  expect(printTable(['Code', 'Kind', 'Count', 'Name'], rows, plain)).toEqual([
    'Code    Kind   Count  Name',
    '700001  name       7  Al Noor Trading',
    '1       杏林  12,345  شركة الأفق للتجارة',
  ]);
  expect(printTable(['A'], [], plain)).toEqual([]);
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
