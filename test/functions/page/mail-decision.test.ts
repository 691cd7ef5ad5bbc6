import { assert, describe, expect, it } from 'vitest';
import type { Counts, Figures } from '#records/figures/figure-schemas.ts';
import { decideChangedDay, decideMail, sameFigures, TOLD_NEXT, type DayChange } from '#page/mail-decision.ts';
import { NO_CHANGES, type Move } from '#records/revision/changed-rows.ts';
import type { Manifest } from '#records/revision/manifest.ts';
import { EMPTY_FIGURES, FIGURES, sealedManifest } from '#support/domain/sealed-manifest.ts';
import type { SealedFigures } from '#support/domain/sealed-manifest.ts';

const WISH = { skipEmpty: false, soFar: false, corrections: 'each' } as const;

function anEmptyDay(): Manifest {
  return { ...sealedManifest(EMPTY_FIGURES), received: null };
}

const OTHERS: Figures = { ...FIGURES, counts: { ...FIGURES.counts, paid: 7 } };

function mailed(figures: Figures, soFar = false) {
  return { figures, soFar };
}

describe('decideMail', () => {
  it('sends a report if no recipient has a mail of the day', () => {
    expect(decideMail(sealedManifest(), null, WISH)).toEqual({ kind: 'first' });
  });

  it('sends a correction when a figure has changed', () => {
    expect(decideMail(sealedManifest(), mailed(OTHERS), WISH)).toEqual({ kind: 'correction' });
    const unbalanced = mailed({ ...FIGURES, balanced: false });
    expect(decideMail(sealedManifest(), unbalanced, WISH).kind).toBe('correction');
  });

  it('after a mail of the day so far reports an empty day to recipients whose last mail was not about an empty day', () => {
    const wish = { ...WISH, skipEmpty: true };
    const empty = anEmptyDay();
    const skipped = { kind: 'skipped', reason: 'the day is empty' };
    expect(decideMail(empty, mailed(FIGURES, true), wish)).toEqual({ kind: 'first' });
    expect(decideMail(empty, mailed(EMPTY_FIGURES, true), wish)).toEqual(skipped);
  });

  it('sends nothing if only what no mail shows has changed', () => {
    const saleBasis = { ...FIGURES.refunds.saleBasis, count: 2 };
    const before = mailed({ ...FIGURES, refunds: { ...FIGURES.refunds, saleBasis } });
    const skipped = { kind: 'skipped', reason: 'no figure has changed since the last mail' };
    expect(decideMail(sealedManifest(), before, WISH)).toEqual(skipped);
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
    expect(decideMail(anEmptyDay(), null, { ...WISH, skipEmpty: true })).toEqual(skipped);
    expect(decideMail(anEmptyDay(), null, WISH).kind).toBe('first');
  });

  it.each<[string, Partial<Manifest>]>([
    ['something came in', { received: sealedManifest().received }],
    ['it tells of older days', { told: [{ day: '2026-11-18', from: 1, to: 2 }] }],
  ])('does not leave out a day without invoices if %s', (_what, change) => {
    const wish = { ...WISH, skipEmpty: true };
    expect(decideMail({ ...anEmptyDay(), ...change }, null, wish).kind).toBe('first');
  });

  it('never corrects where the registry says so', () => {
    const wish = { ...WISH, corrections: 'none' } as const;
    const skipped = { kind: 'skipped', reason: 'the registry turns corrections off' };
    expect(decideMail(sealedManifest(), mailed(OTHERS), wish)).toEqual(skipped);
    expect(decideMail(sealedManifest(), null, wish)).toEqual({ kind: 'first' });
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
    const day = { ...sealedManifest({ ...EMPTY_FIGURES, ...change }), received: null };
    expect(decideMail(day, null, wish).kind).toBe('first');
  });
});

const RECEIVED = sealedManifest().received;
const UNBALANCED = { ...FIGURES, balanced: false };
const PAID = { was: 'notPaid', is: 'paid' } as const;
const TAKEN_BACK = { was: 'paid', is: 'notPaid' } as const;

interface Changed extends Partial<Pick<DayChange, 'was' | 'is'>> {
  invoices?: Partial<Move>[];
  refunds?: Partial<Move>[];
}

/** Figures differ where rows do, as they do in nearly every day. */
function change({ invoices, refunds, ...sides }: Changed): DayChange {
  const rowsOf = (moves: Partial<Move>[] = []) => ({
    ...NO_CHANGES,
    count: moves.length,
    moves: moves.map((move) => ({ count: 1, amount: '1.000', otherAmount: 0, ...move })),
  });
  return {
    told: 3,
    was: { figures: FIGURES, received: RECEIVED },
    is: { figures: OTHERS, received: RECEIVED },
    rows: { invoices: rowsOf(invoices), refunds: rowsOf(refunds) },
    ...sides,
  };
}

describe('decideChangedDay', () => {
  it.each<[string, Changed]>([
    ['an unpaid invoice was paid', { invoices: [PAID] }],
    ['an unpaid invoice was cancelled', { invoices: [{ was: 'notPaid', is: 'cancelled' }] }],
    ['a cancelled invoice was paid after all', { invoices: [{ was: 'cancelled', is: 'paid' }] }],
    ['an invoice got a state that nobody names', { invoices: [{ was: 'notPaid', is: 'other' }] }],
    ['an unpaid invoice is new', { invoices: [{ is: 'notPaid' }] }],
    ['an unpaid invoice is gone', { invoices: [{ was: 'notPaid' }] }],
    ['an invoice is new that was paid on a later day', { invoices: [{ is: 'paid' }] }],
    ['a refund was approved', { refunds: [{ was: 'pending', is: 'approved' }] }],
    ['a refund was rejected', { refunds: [{ was: 'pending', is: 'rejected' }] }],
    ['a pending refund is new', { refunds: [{ is: 'pending' }] }],
    ['a pending refund is gone', { refunds: [{ was: 'pending' }] }],
  ])('leaves it to the next report that %s', (_what, changed) => {
    expect(decideChangedDay(change(changed))).toEqual({ kind: 'skipped', reason: TOLD_NEXT });
  });

  const received = (count: number, sum: string): DayChange['was'] => ({
    figures: FIGURES,
    received: RECEIVED && { ...RECEIVED, count, sum },
  });

  it.each<[string, Changed]>([
    ['the day did not balance', { was: { figures: UNBALANCED, received: RECEIVED } }],
    ['the day does not balance now', { is: { figures: UNBALANCED, received: RECEIVED } }],
    ['more came in on the day', { is: received(7, '61.000') }],
    ['as much came in, of more invoices', { is: received(7, '60.000') }],
    ['an amount is another', { invoices: [{ was: 'notPaid', is: 'notPaid', otherAmount: 1 }] }],
    ['an amount is another, and it was paid', { invoices: [{ was: 'notPaid', is: 'paid', otherAmount: 1 }] }],
    ['a payment was taken back', { invoices: [TAKEN_BACK] }],
    ['a paid invoice was cancelled', { invoices: [{ was: 'paid', is: 'cancelled' }] }],
    ['a paid invoice is gone', { invoices: [{ was: 'paid' }] }],
    ['an invoice is gone whose state nobody names', { invoices: [{ was: null }] }],
    ['an approved refund was withdrawn', { refunds: [{ was: 'approved', is: 'rejected' }] }],
    ['an approved refund is gone', { refunds: [{ was: 'approved' }] }],
    ['an approved refund was missing', { refunds: [{ is: 'approved' }] }],
    ['the amount of a refund is another', { refunds: [{ was: 'pending', is: 'approved', otherAmount: 1 }] }],
    ['the same rows mean something else', {}],
    ['something was wrong among what is ordinary', { invoices: [{ ...PAID, count: 8 }, TAKEN_BACK] }],
  ])('corrects what was told last when %s', (_what, changed) => {
    expect(decideChangedDay(change(changed))).toEqual({ kind: 'correction', corrects: 3 });
  });

  it('corrects a new paid invoice of which nobody knows when it was paid', () => {
    const unknown = { figures: FIGURES, received: null };
    const changed = change({ invoices: [{ is: 'paid' }], was: unknown });
    expect(decideChangedDay(changed).kind).toBe('correction');
  });

  it('tells nothing when a mail would show the same', () => {
    const same = { figures: FIGURES, received: RECEIVED };
    const reason = 'no figure has changed since the last mail';
    expect(decideChangedDay(change({ is: same }))).toMatchObject({ reason });
    expect(decideChangedDay({ ...change({ is: same }), rows: null })).toMatchObject({ kind: 'skipped' });
  });

  const PAID_LATER: Figures = {
    ...FIGURES,
    counts: { ...FIGURES.counts, paid: 7, notPaid: 2 },
    amounts: { paid: '70.000', notPaid: '20.500', cancelled: '1.000', other: '0.000' },
  };

  const paidLaterWith = (counts: Partial<Counts>) => ({
    ...PAID_LATER,
    counts: { ...PAID_LATER.counts, ...counts },
  });
  const otherSum = FIGURES.amounts && { ...FIGURES.amounts, paid: '71.000' };

  it.each<[string, string, Figures, Figures]>([
    [TOLD_NEXT, 'invoices were paid', FIGURES, PAID_LATER],
    ['correction', 'payments were taken back', PAID_LATER, FIGURES],
    ['correction', 'invoices are new', FIGURES, paidLaterWith({ total: 11 })],
    ['correction', 'amounts add up to another sum', FIGURES, { ...PAID_LATER, amounts: otherSum }],
    ['correction', 'a count is unknown', FIGURES, paidLaterWith({ paid: null })],
    ['correction', 'refunds are new', FIGURES, { ...FIGURES, refunds: { ...FIGURES.refunds, count: 9 } }],
  ])('decides by figures where rows cannot be compared: %s when %s', (wanted, _what, was, is) => {
    const sides = { was: { figures: was, received: null }, is: { figures: is, received: null } };
    const decision = decideChangedDay({ told: 1, rows: null, ...sides });
    expect(decision.reason ?? decision.kind).toBe(wanted);
  });
});

it('sameFigures ignores the order of status names', () => {
  const { approved, pending } = FIGURES.refunds.byStatus;
  assert.exists(pending);
  assert.exists(approved);
  const reordered = { ...FIGURES, refunds: { ...FIGURES.refunds, byStatus: { pending, approved } } };
  expect(JSON.stringify(reordered)).not.toBe(JSON.stringify(FIGURES));
  expect(sameFigures(FIGURES, reordered)).toBe(true);
});
