import { printTable } from '#bin/daybook/terminal/table.ts';

const plain = (_style: string, text: string) => text;

it('keeps its columns aligned, whatever the names: a wide character takes two cells', () => {
  const rows = [
    ['700001', '杏林', 7, 'Al Noor Trading'],
    ['1', 'name', 12_345, 'شركة الأفق للتجارة'],
  ];
  expect(printTable(['Code', 'Short', 'Count', 'Name'], rows, plain)).toEqual([
    'Code    Short   Count  Name',
    '700001  杏林        7  Al Noor Trading',
    '1       name   12,345  شركة الأفق للتجارة',
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
