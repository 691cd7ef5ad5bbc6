import type { Counts, Figures } from '#records/figures/figure-schemas.ts';
import { decideChangedDay, decideMail, sameFigures, TOLD_NEXT, type DayChange } from '#page/mail-decision.ts';
import { NO_CHANGES, type Move } from '#records/revision/changed-rows.ts';
import type { Manifest } from '#records/revision/manifest.ts';
import { EMPTY_FIGURES, FIGURES, sealedManifest, type SealedFigures } from '#support/records/manifests.ts';

const UNCHANGED = 'no figure has changed since the last mail';
const WISH = { skipEmpty: false, soFar: false, corrections: 'each' } as const;

const OTHERS: Figures = { ...FIGURES, counts: { ...FIGURES.counts, paid: 7 } };

const mailed = (figures: Figures, soFar = false) => ({ figures, soFar });

const SKIPS_EMPTY = { ...WISH, skipEmpty: true };
const NEVER_CORRECTS = { ...WISH, corrections: 'none' } as const;
const NOT_SHOWN = {
  ...FIGURES,
  refunds: { ...FIGURES.refunds, saleBasis: { ...FIGURES.refunds.saleBasis, count: 2 } },
};
const { received: RECEIVED } = sealedManifest();
const emptyBut = (change: Partial<SealedFigures>): Manifest => ({
  ...sealedManifest({ ...EMPTY_FIGURES, ...change }),
  received: null,
});
const EMPTY = emptyBut({});

describe('decideMail', () => {
  it.each<[string, string, ...Parameters<typeof decideMail>]>([
    ['first', 'no recipient has a mail of the day', sealedManifest(), null, WISH],
    ['first', 'corrections are off, and no recipient has one', sealedManifest(), null, NEVER_CORRECTS],
    ['correction', 'a figure has changed', sealedManifest(), mailed(OTHERS), WISH],
    ['correction', 'the day balances now', sealedManifest(), mailed({ ...FIGURES, balanced: false }), WISH],
    ['correction', 'a mailed day became empty', sealedManifest(EMPTY_FIGURES), mailed(FIGURES), SKIPS_EMPTY],
    ['the registry turns corrections off', 'it says so', sealedManifest(), mailed(OTHERS), NEVER_CORRECTS],
    [UNCHANGED, 'only what no mail shows has changed', sealedManifest(), mailed(NOT_SHOWN), WISH],
    [UNCHANGED, 'the last mail did not know what came in', sealedManifest(), mailed(FIGURES), WISH],
    ['first', 'empty days are mailed, and the day is empty', EMPTY, null, WISH],
    ['the day is empty', 'empty days are not mailed', EMPTY, null, SKIPS_EMPTY],
    // After a mail about the day so far.
    ['first', 'the day became empty', EMPTY, mailed(FIGURES, true), SKIPS_EMPTY],
    ['the day is empty', 'the day stayed empty', EMPTY, mailed(EMPTY_FIGURES, true), SKIPS_EMPTY],
  ])('decides %s when %s', (wanted, _when, manifest, before, wish) => {
    const isMailed = ['first', 'correction'].includes(wanted);
    const decided = isMailed ? { kind: wanted } : { kind: 'skipped', reason: wanted };
    expect(decideMail(manifest, before, wish)).toEqual(decided);
  });

  it.each<[string, Manifest]>([
    ['something came in', { ...EMPTY, received: RECEIVED }],
    ['it tells of older days', { ...EMPTY, told: [{ day: '2026-11-18', from: 1, to: 2 }] }],
    ['it is unbalanced', emptyBut({ balanced: false })],
    ['its count is unknown', emptyBut({ counts: { ...EMPTY_FIGURES.counts, total: null } })],
    ['it has one refund', emptyBut({ refunds: { ...EMPTY_FIGURES.refunds, count: 1 } })],
  ])('does not treat a day as empty if %s', (_what, manifest) => {
    expect(decideMail(manifest, null, SKIPS_EMPTY)).toEqual({ kind: 'first' });
  });
});

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
    const same = change({ is: { figures: FIGURES, received: RECEIVED } });
    const skipped = { kind: 'skipped', reason: UNCHANGED };
    expect(decideChangedDay(same)).toEqual(skipped);
    expect(decideChangedDay({ ...same, rows: null })).toEqual(skipped);
  });

  const PAID_LATER: Figures = {
    ...FIGURES,
    counts: { ...FIGURES.counts, paid: 7, notPaid: 2 },
    amounts: { paid: '70.000', notPaid: '20.500', cancelled: '1.000', other: '0.000' },
  };

  const paidLaterWith = (counts: Partial<Counts>) => {
    return { ...PAID_LATER, counts: { ...PAID_LATER.counts, ...counts } };
  };
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
  const byStatus = Object.fromEntries(Object.entries(FIGURES.refunds.byStatus).toReversed());
  const reordered = { ...FIGURES, refunds: { ...FIGURES.refunds, byStatus } };
  expect(JSON.stringify(reordered)).not.toBe(JSON.stringify(FIGURES));
  expect(sameFigures(FIGURES, reordered)).toBe(true);
});
