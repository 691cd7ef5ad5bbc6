import { assert, describe, expect, it } from 'vitest';
import type { Figures } from '#records/figures/figure-schemas.ts';
import { decideMail, sameFigures } from '#page/mail-decision.ts';
import { EMPTY_FIGURES, FIGURES, sealedManifest } from '#support/domain/sealed-manifest.ts';
import type { SealedFigures } from '#support/domain/sealed-manifest.ts';

const WISH = { skipEmpty: false, soFar: false };

function mailed(figures: Figures, soFar = false) {
  return { figures, soFar };
}

describe('decideMail', () => {
  it('sends a report if no recipient has a mail of the day', () => {
    expect(decideMail(sealedManifest(), null, WISH)).toEqual({ kind: 'first' });
  });

  it('sends a correction when a figure has changed', () => {
    const before = { ...FIGURES, counts: { ...FIGURES.counts, paid: 7 } };
    expect(decideMail(sealedManifest(), mailed(before), WISH)).toEqual({ kind: 'correction' });
    expect(decideMail(sealedManifest(), mailed({ ...FIGURES, balanced: false }), WISH).kind).toBe(
      'correction',
    );
  });

  describe('after a mail of the day so far', () => {
    it('reports an empty day to recipients whose last mail was not about an empty day', () => {
      const wish = { ...WISH, skipEmpty: true };
      const empty = sealedManifest(EMPTY_FIGURES);
      const skipped = { kind: 'skipped', reason: 'the day is empty' };
      expect(decideMail(empty, mailed(FIGURES, true), wish)).toEqual({ kind: 'first' });
      expect(decideMail(empty, mailed(EMPTY_FIGURES, true), wish)).toEqual(skipped);
    });
  });

  it('sends nothing if only what no mail shows has changed', () => {
    const saleBasis = { ...FIGURES.refunds.saleBasis, count: 2 };
    const before = mailed({ ...FIGURES, refunds: { ...FIGURES.refunds, saleBasis } });
    expect(decideMail(sealedManifest(), before, WISH)).toEqual({
      kind: 'skipped',
      reason: 'no figure has changed since the last mail',
    });
  });

  it('sends nothing if only the version of the last mail did not know what came in', () => {
    expect(decideMail(sealedManifest(), mailed(FIGURES), WISH).kind).toBe('skipped');
  });

  it('does not treat a day as empty on which an older invoice was paid', () => {
    const { received } = sealedManifest();
    const paid = { ...sealedManifest(EMPTY_FIGURES), received };
    expect(decideMail(paid, null, { ...WISH, skipEmpty: true }).kind).toBe('first');
  });

  it('leaves out an empty day if the merchant wants that', () => {
    const skipped = { kind: 'skipped', reason: 'the day is empty' };
    expect(decideMail(sealedManifest(EMPTY_FIGURES), null, { ...WISH, skipEmpty: true })).toEqual(skipped);
    expect(decideMail(sealedManifest(EMPTY_FIGURES), null, WISH).kind).toBe('first');
  });

  it('sends a correction for a day that became empty after it was mailed', () => {
    const wish = { ...WISH, skipEmpty: true };
    expect(decideMail(sealedManifest(EMPTY_FIGURES), mailed(FIGURES), wish).kind).toBe('correction');
  });

  it.each<[string, Partial<SealedFigures>]>([
    ['it is unbalanced', { balanced: false }],
    ['its count is unknown', { counts: { ...EMPTY_FIGURES.counts, total: null } }],
    ['it has one refund', { refunds: { ...EMPTY_FIGURES.refunds, count: 1 } }],
  ])('does not treat a day as empty if %s', (_what, change) => {
    const wish = { ...WISH, skipEmpty: true };
    expect(decideMail(sealedManifest({ ...EMPTY_FIGURES, ...change }), null, wish).kind).toBe('first');
  });
});

describe('sameFigures', () => {
  it('ignores the order of status names', () => {
    const { approved, pending } = FIGURES.refunds.byStatus;
    assert.exists(pending);
    assert.exists(approved);
    const reordered = {
      ...FIGURES,
      refunds: { ...FIGURES.refunds, byStatus: { pending, approved } },
    };
    expect(JSON.stringify(reordered)).not.toBe(JSON.stringify(FIGURES));
    expect(sameFigures(FIGURES, reordered)).toBe(true);
  });
});
