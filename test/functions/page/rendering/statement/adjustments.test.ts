import type { Adjustment, Moved } from '#page/figures/statement.ts';
import { FigureFormatter } from '#mail/formatters/figure-formatter.ts';
import { inCell } from '#mail/formatters/outside-text.ts';
import { textsIn } from '#mail/texts/texts.ts';
import {
  adjustmentsOfDocument,
  adjustmentsSections,
  adjustmentsSheets,
} from '#page/rendering/statement/adjustments.ts';
import { defined } from '#support/assertions/index.ts';

const moved = (received: string | null, net = received): Moved => ({
  payments: received === null ? null : 6,
  received,
  refunded: '0.000',
  charges: '0.000',
  net,
});
const OF = { period: '2026-10', revision: 2, currency: 'KWD', reasons: ['payments' as const] };
const NET = {
  basis: 'cameIn' as const,
  ...moved('0.000'),
  pending: { count: 0, total: '0.000' },
  chargeColumns: [],
  unknown: [],
};
const statement = {
  currency: 'KWD',
  net: NET,
  adjustments: [
    { ...OF, day: '2026-10-05', was: moved('60.000'), is: { ...moved('61.500'), payments: 7 } },
    { ...OF, day: '2026-10-06', was: moved('60.000'), is: moved('59.000') },
  ] satisfies Adjustment[],
};
const formatter = new FigureFormatter(textsIn('en'), 'KWD', { list: 10, rows: 1, text: 200 });
const plain = (texts: readonly (string | undefined)[]) => texts.map((text) => inCell(text ?? ''));

describe('the adjustments of a statement', () => {
  it('are in its mail by day, with the sum of all of them, however many are shown', () => {
    const [section] = adjustmentsSections(statement, formatter);
    const cells = section?.table?.rows.map(({ cells: of }) =>
      plain(of.flatMap(({ text, under }) => [text, under])),
    );
    expect(cells).toEqual([
      ['5 Oct 2026', 'payments', '60.000 → 61.500', '60.000 → 61.500'],
      ['Difference', '', '+0.500', '+0.500'],
    ]);
    expect(plain(section?.notes ?? [])).toEqual([
      'and 1 more',
      'The statements of these days are closed and stay as they are. What changed since is told here. It is in no sum above.',
    ]);
  });

  it('are in its PDF and workbook, figure by figure', () => {
    const [section] = adjustmentsOfDocument(statement, formatter);
    const cameIn = ['5 Oct 2026', 'payments', 'Came in', '60.000', '61.500', '+1.500'];
    expect(section?.rows.map(plain)).toContainEqual(cameIn);
    expect(plain(section?.total ?? []).at(-1)).toBe('+0.500');
    const sheets = (of: typeof statement) => adjustmentsSheets({ language: 'en', timeZone: 'UTC' }, of);
    const [sheet] = sheets(statement);
    expect(sheet?.rows).toHaveLength(2);
    expect(sheet?.sums.at(-1)).not.toBeNull();
    expect(sheets({ ...statement, adjustments: [] })).toEqual([]);
  });

  it('of several currencies are never added', () => {
    const [first, second] = statement.adjustments;
    const mixed = { ...statement, adjustments: [defined(first), { ...defined(second), currency: 'USD' }] };
    const sums = adjustmentsSections(mixed, formatter).map(({ table }) =>
      inCell(table?.rows.at(-1)?.cells[1]?.text ?? ''),
    );
    expect(sums).toEqual(['+1.500', '-1.00']);
  });
});
