import { createHash } from 'node:crypto';
import type { Day } from '#records/day/business-day.ts';
import type { ChargeColumn } from '#records/figures/charges.ts';
import type { Received } from '#records/figures/invoice-outcomes.ts';
import { parseSum } from '#records/money/money.ts';
import type { Thousandths } from '#records/money/money.ts';
import type { Manifest } from '#records/revision/manifest.ts';
import { netOfPage } from './compose-statement.ts';
import type { Moved } from './adjustments.ts';

/*
 * An entry says what one revision of a day changed of one figure since the revision before. So entries never change, each has an
 * id for good, and whoever books each id once has what the newest page of the day says (docs/books.md).
 */

const KINDS = ['received', 'refunded', 'charges'] as const;
type BookKind = (typeof KINDS)[number];

export interface BookEntry {
  /** 32 characters: of merchant, day, revision, kind, method and currency. */
  id: string;
  day: Day;
  /** On which it is booked: of an adjustment in the period that tells it, else the day itself. */
  date: Day;
  revision: number;
  kind: BookKind;
  /** The service's own text of what came in; `null`: it says none, or one beyond the named. */
  method: string | null;
  currency: string;
  /** Never zero. Above zero: money came in. */
  amount: Thousandths;
}

/** A page with its own currency and charges, or the registry's where it is of an earlier version. */
export interface BookedPage extends Manifest {
  currency: string;
  charges: ChargeColumn[];
}

type Amounts = [method: string | null, amount: Thousandths][];

/** What came in by method; what no method says is of none. */
function receivedOf({ sum, byMethod }: Received): Amounts {
  const named = byMethod.map(({ method, amount }): Amounts[number] => [method, parseSum(amount)]);
  return [...named, [null, named.reduce((rest, [, amount]) => rest - amount, parseSum(sum))]];
}

/** What is known of a page; what is unknown changes nothing. */
function knownOf(page: BookedPage): [BookKind, Amounts][] {
  const { refunded, charges } = netOfPage(page, page.charges);
  const known: [BookKind, Amounts][] =
    page.received === null ? [] : [['received', receivedOf(page.received)]];
  if (refunded !== null) known.push(['refunded', [[null, -parseSum(refunded)]]]);
  if (charges !== null) known.push(['charges', [[null, -parseSum(charges)]]]);
  return known;
}

/**
 * All entries of a day, in the order of its revisions.
 * @param pages all revisions of the day in their order, redacted as the registry says now
 */
export function bookEntries(pages: readonly BookedPage[]): BookEntry[] {
  const booked = new Map<string, Pick<BookEntry, 'kind' | 'method' | 'currency' | 'amount'>>();
  return pages.flatMap((page) => {
    const { merchantCode, day, revision, currency } = page;
    return knownOf(page).flatMap(([kind, amounts]) => {
      const now = new Map(
        [...booked].filter(([, of]) => of.kind === kind).map(([key, of]) => [key, { ...of, amount: 0n }]),
      );
      for (const [method, amount] of amounts) {
        const key = JSON.stringify([kind, method, currency]);
        now.set(key, { kind, method, currency, amount: (now.get(key)?.amount ?? 0n) + amount });
      }
      return [...now].flatMap(([key, is]): BookEntry[] => {
        const amount = is.amount - (booked.get(key)?.amount ?? 0n);
        booked.set(key, is);
        if (amount === 0n) return [];
        const named = JSON.stringify([merchantCode, day, revision, kind, is.method, is.currency]);
        const id = createHash('sha256').update(named).digest('hex').slice(0, 32);
        return [{ ...is, id, day, date: day, revision, amount }];
      });
    });
  });
}

/**
 * The revision up to which a day was told when an adjustment was made: the first page that says what was told. A later one that
 * says the same may have other methods.
 * @param was of the day's adjustments, one a currency
 * @param closed the day's revision in the closed statement, and the answer where no page says what was told; 0: it has none
 */
export function toldRevision(
  pages: readonly BookedPage[],
  was: readonly { currency: string; was: Moved }[],
  closed: number,
): number {
  const told = pages.find((page) => {
    const is = netOfPage(page, page.charges);
    const says = (figure: BookKind, { currency, was: told }: (typeof was)[number]) =>
      told[figure] === (currency === page.currency ? is[figure] : '0.000');
    return page.revision >= closed && was.every((one) => KINDS.every((kind) => says(kind, one)));
  });
  return told?.revision ?? closed;
}
