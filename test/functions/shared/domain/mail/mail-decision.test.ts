import { assert, describe, expect, it } from 'vitest';
import type { Figures } from '#domain/figures/figures.ts';
import { decideMail, sameFigures } from '#domain/mail/mail-decision.ts';
import { EMPTY_FIGURES, FIGURES, sealedManifest } from '#support/domain/sealed-manifest.ts';

const WISH = { send: true, skipEmpty: false, recipients: 1 };

/** Every single figure of a mail, changed. */
const CHANGES: [string, Figures][] = [
  ['a count', { ...FIGURES, counts: { ...FIGURES.counts, paid: 7 } }],
  ['a count that became unknown', { ...FIGURES, counts: { ...FIGURES.counts, cancelled: null } }],
  [
    'an amount',
    { ...FIGURES, amounts: { paid: '60.001', notPaid: '30.500', cancelled: '1.000', other: '0.000' } },
  ],
  ['amounts that are no longer told', { ...FIGURES, amounts: null }],
  ['the refunds', { ...FIGURES, refunds: { ...FIGURES.refunds, total: '7.501' } }],
  ['a status of refunds', { ...FIGURES, refunds: { ...FIGURES.refunds, byStatus: {} } }],
  [
    'the refunds of the day’s sales',
    { ...FIGURES, refunds: { ...FIGURES.refunds, saleBasis: { ...FIGURES.refunds.saleBasis, count: 2 } } },
  ],
  ['the balance', { ...FIGURES, balanced: false }],
];

describe('decideMail', () => {
  it('reports a day that nobody has a mail of', () => {
    expect(decideMail(sealedManifest(), null, WISH)).toEqual({ kind: 'report', before: null });
  });

  it.each(CHANGES)('corrects %s', (_what, mailed) => {
    expect(decideMail(sealedManifest(), mailed, WISH)).toEqual({ kind: 'correction', before: mailed });
  });

  describe('after a mail of the day so far', () => {
    const wasSoFar = { ...WISH, wasSoFar: true };

    it.each([['the same', FIGURES] as const, ...CHANGES])('reports the whole day, by %s', (_what, mailed) => {
      expect(decideMail(sealedManifest(), mailed, wasSoFar)).toEqual({ kind: 'report', before: null });
    });

    it('reports the day so far again where a figure has changed, and only there', () => {
      const wish = { ...wasSoFar, isSoFar: true };
      expect(decideMail(sealedManifest(), EMPTY_FIGURES, wish)).toEqual({ kind: 'report', before: null });
      expect(decideMail(sealedManifest(), FIGURES, wish).kind).toBe('skipped');
    });

    it('reports an empty day to those whose last mail was not of an empty one', () => {
      const wish = { ...wasSoFar, skipEmpty: true };
      const empty = sealedManifest(EMPTY_FIGURES);
      expect(decideMail(empty, FIGURES, wish)).toEqual({ kind: 'report', before: null });
      expect(decideMail(empty, EMPTY_FIGURES, wish)).toEqual({ kind: 'skipped', reason: 'the day is empty' });
      expect(decideMail(empty, null, wish)).toEqual({ kind: 'skipped', reason: 'the day is empty' });
    });
  });

  it('mails nothing when no figure has changed', () => {
    expect(decideMail(sealedManifest(), FIGURES, WISH)).toEqual({
      kind: 'skipped',
      reason: 'no figure has changed since the last mail',
    });
  });

  it('mails nothing that is not asked for', () => {
    expect(decideMail(sealedManifest(), null, { ...WISH, send: false })).toEqual({
      kind: 'skipped',
      reason: 'not asked for',
    });
    expect(decideMail(sealedManifest(), EMPTY_FIGURES, { ...WISH, send: false }).kind).toBe('skipped');
  });

  it('mails nothing where there are no recipients', () => {
    expect(decideMail(sealedManifest(), null, { ...WISH, recipients: 0 })).toEqual({
      kind: 'skipped',
      reason: 'the merchant has no recipients',
    });
  });

  it('leaves out an empty day where that is wanted', () => {
    const wish = { ...WISH, skipEmpty: true };
    expect(decideMail(sealedManifest(EMPTY_FIGURES), null, wish)).toEqual({
      kind: 'skipped',
      reason: 'the day is empty',
    });
    expect(decideMail(sealedManifest(EMPTY_FIGURES), null, WISH).kind).toBe('report');
  });

  it('corrects a day that became empty after it was mailed', () => {
    const wish = { ...WISH, skipEmpty: true };
    expect(decideMail(sealedManifest(EMPTY_FIGURES), FIGURES, wish)).toEqual({
      kind: 'correction',
      before: FIGURES,
    });
  });

  it.each<[string, Partial<Figures>]>([
    ['unbalanced', { balanced: false }],
    ['of unknown count', { counts: { ...EMPTY_FIGURES.counts, total: null } }],
    ['of one refund', { refunds: { ...EMPTY_FIGURES.refunds, count: 1 } }],
    [
      'of one refund of its sales',
      { refunds: { ...EMPTY_FIGURES.refunds, saleBasis: { count: 1, total: '1.000', byStatus: {} } } },
    ],
  ])('does not take a day that is %s for empty', (_what, change) => {
    const wish = { ...WISH, skipEmpty: true };
    expect(decideMail(sealedManifest({ ...EMPTY_FIGURES, ...change }), null, wish).kind).toBe('report');
  });
});

describe('sameFigures', () => {
  it('does not look at the order in which status names stand', () => {
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

  it.each(CHANGES)('sees %s', (_what, changed) => {
    expect(sameFigures(FIGURES, changed)).toBe(false);
  });
});
