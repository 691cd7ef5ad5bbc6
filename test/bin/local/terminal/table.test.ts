import { describe, expect, it } from 'vitest';
import { tableLines } from '#bin/local/terminal/table.ts';

interface Row {
  code: string;
  count: number;
  name: string;
}

describe('a table', () => {
  it('keeps its columns aligned, whatever the names in the last one', () => {
    const rows: Row[] = [
      { code: '700001', count: 7, name: 'Al Noor Trading' },
      { code: '1', count: 12_345, name: 'شركة الأفق للتجارة' },
    ];
    const lines = tableLines<Row>(
      [
        { title: 'Code', side: 'left', cell: ({ code }) => code },
        { title: 'Count', side: 'right', cell: ({ count }) => count.toString() },
        { title: 'Name', side: 'left', cell: ({ name }) => name },
      ],
      rows,
    );
    expect(lines).toEqual([
      'Code    Count  Name',
      '700001      7  Al Noor Trading',
      '1       12345  شركة الأفق للتجارة',
    ]);
  });
});
