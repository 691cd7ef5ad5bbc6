import { describe, expect, it } from 'vitest';
import { sameFigures } from '#page/mail-decision.ts';
import { figuresOf } from '#records/revision/manifest.ts';
import { changedFigures } from '#page/rendering/correction/changed-figures.ts';
import { aManifest, earlierFigures } from '#support/rendering/reports.ts';
import { fc, forAll } from '#support/assertions/for-all.ts';

const now = figuresOf(aManifest());

describe('changedFigures', () => {
  it('tells each figure that differs, with what it was and is', () => {
    expect(changedFigures(earlierFigures(), now)).toEqual([
      { figure: { of: 'cameIn', measure: 'count' }, was: 1300, is: 1301 },
      { figure: { of: 'cameIn', measure: 'total' }, was: '1234000.000', is: '1234567.500' },
      { figure: { of: 'count', state: 'paid' }, was: 1300, is: 1301 },
      { figure: { of: 'count', state: 'notPaid' }, was: null, is: 96 },
      { figure: { of: 'amount', state: 'paid' }, was: '1234000.000', is: '1234567.500' },
      { figure: { of: 'refunds', status: null, measure: 'count' }, was: 11, is: 12 },
      {
        figure: { of: 'refunds', status: null, measure: 'total' },
        was: '140.500',
        is: '143.500',
      },
      { figure: { of: 'refunds', status: 'pending', measure: 'count' }, was: 0, is: 1 },
      {
        figure: { of: 'refunds', status: 'pending', measure: 'total' },
        was: '0.000',
        is: '3.000',
      },
      { figure: { of: 'balance' }, was: false, is: true },
    ]);
  });

  it('sees amounts that were not known before', () => {
    const changes = changedFigures({ ...now, amounts: null }, now);
    expect(changes).toHaveLength(4);
    expect(changes[0]).toEqual({ figure: { of: 'amount', state: 'paid' }, was: null, is: '1234567.500' });
  });

  it('sees a status that is gone', () => {
    const { pending: _, ...byStatus } = now.refunds.byStatus;
    expect(changedFigures(now, { ...now, refunds: { ...now.refunds, byStatus } })).toEqual([
      { figure: { of: 'refunds', status: 'pending', measure: 'count' }, was: 1, is: 0 },
      { figure: { of: 'refunds', status: 'pending', measure: 'total' }, was: '3.000', is: '0.000' },
    ]);
  });

  it('takes no status for a member that every object has', () => {
    const withStatus = (status: string) => ({
      ...now,
      refunds: { ...now.refunds, byStatus: Object.fromEntries([[status, { count: 1, total: '1.000' }]]) },
    });
    for (const status of ['__proto__', 'constructor', 'toString']) {
      expect(
        changedFigures({ ...now, refunds: { ...now.refunds, byStatus: {} } }, withStatus(status)),
      ).toHaveLength(2);
    }
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
