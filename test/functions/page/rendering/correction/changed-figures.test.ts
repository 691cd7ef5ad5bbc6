import { sameFigures } from '#page/mail-decision.ts';
import { figuresOf } from '#records/revision/manifest.ts';
import { changedFigures } from '#page/rendering/correction/changed-figures.ts';
import { aManifest, earlierFigures } from '#support/rendering/reports.ts';
import { fc, forAll } from '#support/assertions/index.ts';

const now = figuresOf(aManifest());

describe('changedFigures', () => {
  it('tells each figure that differs, with what it was and is, and amounts that changed alone last', () => {
    const named = (name: string) => ({ of: 'named', name: `correction.figures.${name}` });
    expect(changedFigures(earlierFigures(), now)).toEqual([
      { figure: named('cameIn'), value: [1300, 1301], amount: ['1234000.000', '1234567.500'] },
      { figure: named('paid'), value: [1300, 1301], amount: ['1234000.000', '1234567.500'] },
      { figure: named('notPaid'), value: [null, 96], amount: null },
      { figure: { of: 'refunds', status: null }, value: [11, 12], amount: ['140.500', '143.500'] },
      { figure: { of: 'refunds', status: 'pending' }, value: [0, 1], amount: ['0.000', '3.000'] },
      { figure: { of: 'balance' }, value: [false, true], amount: null },
    ]);
    const { pending: _, ...byStatus } = now.refunds.byStatus;
    const counts = { ...now.counts, total: 1_427 };
    const later = { ...now, counts, amounts: null, refunds: { ...now.refunds, byStatus } };
    expect(changedFigures(now, later)).toEqual([
      { figure: named('total'), value: [1428, 1427], amount: null },
      { figure: named('paid'), value: null, amount: ['1234567.500', null] },
      { figure: named('notPaid'), value: null, amount: ['4210.250', null] },
      { figure: named('cancelled'), value: null, amount: ['31.000', null] },
      { figure: named('other'), value: null, amount: ['0.000', null] },
      { figure: { of: 'refunds', status: 'pending' }, value: [1, 0], amount: ['3.000', '0.000'] },
    ]);
  });

  it('takes no status for a member that every object has', () => {
    const withStatuses = (...statuses: string[]) => {
      const of = statuses.map((status) => [status, { count: 1, total: '1.000' }] as const);
      return { ...now, refunds: { ...now.refunds, byStatus: Object.fromEntries(of) } };
    };
    for (const status of ['__proto__', 'constructor', 'toString'])
      expect(changedFigures(withStatuses(), withStatuses(status))).toHaveLength(1);
  });

  it('finds a change exactly when the figures that a mail shows differ', () => {
    const count = fc.option(fc.nat({ max: 2 }));
    const amount = fc.constantFrom('0.000', '1.000');
    const total = fc.record({ count: fc.nat({ max: 1 }), total: amount });
    const totals = fc
      .record({ all: total, approved: total, pending: total })
      .map(({ all, ...byStatus }) => ({ ...all, byStatus }));
    const figures = fc.record({
      counts: fc.record({ total: count, paid: count, notPaid: count, cancelled: count, other: count }),
      amounts: fc.option(fc.record({ paid: amount, notPaid: amount, cancelled: amount, other: amount })),
      refunds: fc
        .record({ basis: totals, saleBasis: totals })
        .map(({ basis, saleBasis }) => ({ ...basis, saleBasis })),
      balanced: fc.boolean(),
      received: fc.option(fc.record({ count: fc.nat({ max: 1 }), sum: amount }), { nil: undefined }),
    });
    forAll([figures, figures], (before, after) => {
      expect(changedFigures(before, after).length === 0).toBe(sameFigures(before, after));
      expect(changedFigures(before, structuredClone(before))).toEqual([]);
    });
  });
});
