import { describe, expect, it } from 'vitest';
import { FORMATS, TABLES, dataFile, figuresOf, manifestSchema } from '#records/revision/manifest.ts';
import { FIGURES, sealedManifest } from '#support/domain/sealed-manifest.ts';

const NOTHING_KNOWN = { total: null, paid: null, notPaid: null, cancelled: null, other: null };

describe('manifestSchema', () => {
  it.each([
    ['', FIGURES],
    [', unknown values too', { ...FIGURES, counts: NOTHING_KNOWN, amounts: null }],
  ])('reads back what was written%s, differences of any kind too', (_what, figures) => {
    const differences = [
      { what: 'stats.invoice_paid', service: 6, rows: 5 },
      { what: 'refund list, amount', service: '7.500', rows: null },
      { name: 'of another version', what: 'day of the invoices', service: 7, rows: 6, ids: ['12'] },
    ];
    const manifest = { ...sealedManifest(figures), differences, notCompared: differences };
    expect(manifestSchema.parse(JSON.parse(JSON.stringify(manifest)))).toEqual(manifest);
  });

  it('reads a manifest of an earlier version: it has no history, ignored comparisons and other days', () => {
    const { notCompared: _left, history: _history, drift, ...manifest } = sealedManifest();
    const { otherDays: _days, ...earlierDrift } = drift;
    const parsed = manifestSchema.parse({ ...manifest, drift: earlierDrift });
    expect(parsed).toMatchObject({
      history: [],
      notCompared: [],
      drift: { otherDays: { count: 0, ids: [] } },
    });
  });

  it.each([
    ['a revision 0', { revision: 0 }],
    ['three files', { files: sealedManifest().files.slice(1) }],
    ['no digest', { digest: undefined }],
    ['a count that is a text', { counts: { ...FIGURES.counts, paid: '6' } }],
    ['a count that is missing', { counts: { total: 10, paid: 6, notPaid: 3, cancelled: 1 } }],
    ['drift of no table', { drift: { ...sealedManifest().drift, unknownFields: { payments: [] } } }],
  ])('does not accept %s', (_what, change) => {
    expect(manifestSchema.safeParse({ ...sealedManifest(), ...change }).success).toBe(false);
  });
});

it('figuresOf a page have one order, and say what came in where the page does', () => {
  const received = { count: 6, sum: '60.000' };
  expect(figuresOf(sealedManifest())).toEqual({ ...FIGURES, received });
  expect(figuresOf({ ...sealedManifest(), received: null })).toEqual(FIGURES);
  const { balanced, refunds, amounts, counts, ...others } = sealedManifest();
  const { other, ...states } = counts;
  const reversed = figuresOf({ ...others, balanced, refunds, amounts, counts: { other, ...states } });
  expect(JSON.stringify(reversed)).toBe(JSON.stringify(figuresOf(sealedManifest())));
});

describe('dataFile', () => {
  it('finds each of the four files', () => {
    const found = TABLES.flatMap((table) =>
      FORMATS.map((format) => dataFile(sealedManifest(), table, format)),
    );
    expect(found).toEqual(sealedManifest().files);
  });

  it('names the missing file', () => {
    const manifest = { ...sealedManifest(), files: [] };
    expect(() => dataFile(manifest, 'refunds', 'csv')).toThrow('names no refunds file in csv');
  });
});
