import { bookEntries, toldRevision, type BookedPage } from '#page/page-books.ts';
import type { BookEntry } from '#page/rendering/books/book-layouts.ts';
import { formatAmount, parseSum } from '#records/money/money.ts';
import { fc, forAll, defined } from '#support/assertions/index.ts';
import { placedManifest } from '#support/records/manifests.ts';

const amount = fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }).map(formatAmount);
const aRevision = fc.record({
  currency: fc.constantFrom('KWD', 'KWD', 'USD'),
  methods: fc.option(fc.dictionary(fc.constantFrom('KNET', 'Visa', '=1', ''), amount)),
  rest: amount,
  refunded: fc.option(amount),
  charge: fc.option(amount),
  isBorne: fc.boolean(),
});
type Revision = typeof aRevision extends fc.Arbitrary<infer Of> ? Of : never;

function pageOf(revision: Revision, index: number): BookedPage {
  const { currency, methods, rest, refunded, charge, isBorne } = revision;
  const manifest = placedManifest({ revision: index + 1 });
  const byMethod = Object.entries(methods ?? {}).map(([method, of]) => ({ method, count: 1, amount: of }));
  const sum = byMethod.reduce((all, of) => all + parseSum(of.amount), parseSum(rest));
  return {
    ...manifest,
    currency,
    charges: isBorne ? ['admin_charge'] : [],
    received: methods && {
      ...defined(manifest.received ?? undefined),
      sum: formatAmount(sum),
      byMethod,
      charges: [{ column: 'admin_charge', total: charge }],
    },
    refunds: {
      ...manifest.refunds,
      byStatus: refunded === null ? {} : { approved: { count: 1, total: refunded } },
    },
  };
}

/** What is known last of each kind, in the currency of the page that said it. */
function newestOf(pages: readonly BookedPage[]): Record<string, bigint> {
  const newest: Record<string, [key: string, amount: bigint]> = {};
  for (const { currency, charges, received, refunds } of pages) {
    const say = (kind: string, value: bigint) => (newest[kind] = [`${kind} ${currency}`, value]);
    if (received !== null) say('received', parseSum(received.sum));
    const refunded = refunds.byStatus['approved']?.total;
    if (typeof refunded === 'string') say('refunded', -parseSum(refunded));
    const charge = received?.charges[0]?.total;
    // Of a page that does not say what came in, nothing is known of charges.
    if (received !== null && charges.length === 0) say('charges', 0n);
    else if (charges.length > 0 && typeof charge === 'string') say('charges', -parseSum(charge));
  }
  return Object.fromEntries(Object.values(newest).filter(([, value]) => value !== 0n));
}

function sums(ledger: ReadonlyMap<string, BookEntry>): Record<string, bigint> {
  const all: Record<string, bigint> = {};
  for (const { kind, currency, amount: of } of ledger.values())
    all[`${kind} ${currency}`] = (all[`${kind} ${currency}`] ?? 0n) + of;
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== 0n));
}

describe('the entries of a day', () => {
  it('say together what its newest page says, whichever files brought them and however often', () => {
    const file = fc.record({ after: fc.nat(5), upTo: fc.nat(5) });
    forAll(
      [fc.array(aRevision, { minLength: 1, maxLength: 6 }), fc.array(file, { maxLength: 6 })],
      (revisions, files) => {
        const pages = revisions.map(pageOf);
        const ledger = new Map<string, BookEntry>();
        const book = (entries: readonly BookEntry[]) => {
          for (const entry of entries) {
            // Whoever has the entry has just this one.
            expect(ledger.get(entry.id) ?? entry).toEqual(entry);
            ledger.set(entry.id, entry);
          }
        };
        for (const { after, upTo } of files)
          book(bookEntries(pages.slice(0, upTo)).filter(({ revision }) => revision > after));
        book(bookEntries(pages).toReversed());
        book(bookEntries(pages));
        expect(sums(ledger)).toEqual(newestOf(pages));
        expect(new Set(bookEntries(pages).map(({ id }) => id)).size).toBe(bookEntries(pages).length);
        expect([...ledger.values()].some((entry) => entry.amount === 0n)).toBe(false);
      },
    );
  });

  it('are told again only after the revision that closed statements told', () => {
    const rest = { rest: '0.000', refunded: '0.000', charge: '0.000', isBorne: false };
    const said = (sum: string, index: number, currency: 'KWD' | 'USD' = 'KWD', method = 'KNET') =>
      pageOf({ currency, methods: { [method]: sum }, ...rest }, index);
    const was = { payments: 1, received: '1.000', refunded: '0.000', charges: '0.000', net: '1.000' };
    const nothing = { ...was, payments: 0, received: '0.000', net: '0.000' };
    const pages = ['1.000', '2.000', '1.000', '1.000', '3.000'].map((sum, index) =>
      said(sum, index, 'KWD', index === 3 ? 'Visa' : 'KNET'),
    );
    // What was told before stays told, and a change of method alone is still to be told.
    expect(toldRevision(pages, [{ currency: 'KWD', was }], 0)).toBe(1);
    expect(toldRevision(pages, [{ currency: 'KWD', was }], 2)).toBe(3);
    const inTwo = [said('1.000', 0), said('1.000', 1, 'USD')];
    const ofTwo = [
      { currency: 'KWD', was: nothing },
      { currency: 'USD', was },
    ];
    expect(toldRevision(inTwo, ofTwo, 0)).toBe(2);
    // No page says so: what the closed statement says is told.
    expect(toldRevision(pages, [{ currency: 'KWD', was: { ...was, received: '7.000' } }], 2)).toBe(2);
  });
});
