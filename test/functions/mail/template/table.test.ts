import { describe, expect, it } from 'vitest';
import { chartView, tableView, toHtml } from '#mail/template/mail-view.ts';
import type { MailPage, PageTable } from '#mail/template/mail-layout.ts';
import { toPlainText } from '#mail/template/fitting-mail.ts';
import { textsIn } from '#mail/texts/texts.ts';

const TABLE: PageTable = {
  columns: [{ text: 'Merchant', under: 'Code' }, { text: 'Received', under: 'Refunds' }, { text: 'Usual' }],
  rows: [
    { cells: [{ text: 'A & B', under: '700001' }, { text: '1.000', under: '0.500' }, { text: '+2.000' }] },
    { cells: [{ text: 'Total' }, { text: '1.000' }, { text: '' }], strong: true },
  ],
};

function pageWith(table: PageTable): MailPage {
  return {
    texts: textsIn('en'),
    marks: [],
    heading: 'x',
    preheader: 'x',
    sections: [{ heading: 'Table', table }],
    footer: [],
  };
}

describe('a table of many rows', () => {
  it('in a text part has what is below a name in brackets, and below a figure after a stroke', () => {
    expect(toPlainText(pageWith(TABLE))).toContain(
      [
        '  Merchant (Code): Received / Refunds · Usual',
        '  A & B (700001): 1.000 / 0.500 · +2.000',
        '  Total: 1.000 · ',
      ].join('\n'),
    );
  });

  it('has heads of columns and rows, and escapes what it holds', () => {
    const html = toHtml(pageWith(TABLE));
    expect(html).toMatch(/<th scope="col"[^>]*>Merchant<br><small>Code<\/small><\/th>/);
    expect(html).toMatch(/<th scope="row"[^>]*>A &amp; B<br><small>700001<\/small><\/th>/);
    expect(html).toMatch(/<td>1\.000<br><small>0\.500<\/small><\/td>/);
  });

  it('costs few bytes a row', () => {
    const rows = Array.from({ length: 200 }, () => TABLE.rows[0] ?? { cells: [] });
    const size = (table: PageTable) => Buffer.byteLength(toHtml(pageWith(table)));
    expect((size({ ...TABLE, rows }) - size(TABLE)) / 198).toBeLessThan(300);
  });

  it('lets only long words and figures break anywhere', () => {
    const { rows } = tableView({
      columns: [],
      rows: [
        { cells: [{ text: 'a'.repeat(18) }, { text: '1,234,567.500' }] },
        { cells: [{ text: 'a name of words' }, { text: '-12,345,678.500' }] },
        { cells: [{ text: 'Total' }, { text: '-1,234,567.500' }], strong: true },
      ],
    });
    expect(rows.map(({ first, values }) => [first.breaks, values[0]?.breaks])).toEqual([
      [true, false],
      [false, true],
      [false, false],
    ]);
  });
});

describe('the labels of a chart', () => {
  const columns = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ label: String(index + 1), segments: [], today: false }));

  it('stand below each column of a fortnight', () => {
    const { labels, ticks } = chartView(columns(14));
    expect(labels).toHaveLength(14);
    expect(ticks).toEqual([]);
  });

  it.each([28, 29, 30, 31])('of %i columns are one a week, and together as wide as the chart', (count) => {
    const { labels, ticks } = chartView(columns(count));
    expect(labels).toEqual([]);
    expect(ticks.map(({ label }) => label)).toEqual(['1', '8', '15', '22', ...(count > 28 ? ['29'] : [])]);
    expect(ticks.reduce((sum, { span }) => sum + span, 0)).toBe(count);
  });
});
