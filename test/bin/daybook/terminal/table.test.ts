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
  const right = [['a', { text: 'x', side: 'right' as const, style: 'red' as const }]];
  const red = (_style: string, text: string) => `<red>${text}</red>`;
  expect(printTable(['Name', 'Mark'], right, red).at(-1)).toBe('a        <red>x</red>');
  expect(printTable(['A'], [], plain)).toEqual([]);
});
