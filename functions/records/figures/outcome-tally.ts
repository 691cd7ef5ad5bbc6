import * as Instant from 'temporal-polyfill/fns/Instant';
import type * as z from 'zod';
import { addDays, dayAt, dayIn } from '../day/business-day.ts';
import type { Day } from '../day/business-day.ts';
import { integerText, isMembers, textOrDigits } from '../json/exact-json.ts';
import type { Members } from '../json/exact-json.ts';
import { addSummed, CountedSum, parseAmount, sumNames, sumOfParts, SumsByKey } from '../money/money.ts';
import type { Invoice } from '../rows/contract-records.ts';
import { addBreakdowns, redactedBreakdown } from './breakdown.ts';
import type { CountAndAmount } from './breakdown.ts';
import { BreakdownTally } from './breakdown-tally.ts';
import type { Followed, issuedSchema, Outcomes, Received } from './invoice-outcomes.ts';
import { invoiceState } from './invoice-state-totals.ts';
import type { TypeSettings } from './invoice-state-totals.ts';

/** No payment time that a service writes is longer. */
const LONGEST_TIME = 40;
const YEAR_FIRST = /^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})(?:[T ].*)?$/;
const YEAR_LAST = /^(\d{1,2})([-/.])(\d{1,2})\2(\d{4})(?:[T ].*)?$/;
const WITH_OFFSET = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})$/;
/** Seconds or milliseconds since 1970, of the years 2001 to 2286. */
const EPOCH = /^[1-9]\d{9}(?:\d{3})?$/;

function dateOf(year = '', month = '', date = ''): Day[] {
  return [dayIn(`${year}-${month.padStart(2, '0')}-${date.padStart(2, '0')}`) ?? []].flat();
}

/** Milliseconds UTC. `undefined`: the text says a time of some clock. `null`: it says none. */
export function momentIn(text: string): number | null | undefined {
  if (EPOCH.test(text)) return Number(text.padEnd(13, '0'));
  if (!WITH_OFFSET.test(text)) return undefined;
  try {
    return Instant.fromString(text.replace(' ', 'T')).epochMilliseconds;
  } catch {
    return null;
  }
}

/** What dates a text may mean. One of digits with the year last may be read in two ways. */
function datesOf(text: string, timeZone: string): Day[] {
  const moment = momentIn(text);
  if (moment !== undefined) return moment === null ? [] : [dayAt(moment, timeZone)];
  const [, year, , month, date] = YEAR_FIRST.exec(text) ?? [];
  if (year !== undefined) return dateOf(year, month, date);
  const [, one, , other, last] = YEAR_LAST.exec(text) ?? [];
  return last === undefined ? [] : [...dateOf(last, other, one), ...dateOf(last, one, other)];
}

/** Within which an invoice was paid: from the day it was made to the day it was read. */
export interface PaymentBounds {
  timeZone: string;
  from: Day;
  until: Day;
}

/** As the service says it. Empty without one, and when it can be no time. */
export function paidOn({ transaction }: Members): string {
  const said = isMembers(transaction) ? textOrDigits(transaction['paid_on']) : null;
  return said === null || said.length > LONGEST_TIME ? '' : said.trim();
}

/**
 * The day of `transaction.paid_on` in the merchant's zone. The contract leaves its type open (docs/contract.md, 2.3
 * Invoice record), so the form is known by evidence: `null` unless it is one date within the bounds.
 * @param row of a pull or a sealed file, redacted
 */
export function paymentDay(row: Members, { timeZone, from, until }: PaymentBounds): Day | null {
  const days = new Set(datesOf(paidOn(row), timeZone).filter((day) => day >= from && day <= until));
  const [day = null] = days;
  return days.size === 1 ? day : null;
}

/** Of the days on which the links of open invoices end, and of ids that a later reading first saw settled. */
const [MOST_LAST_DAYS, MOST_SEEN_IDS] = [400, 20_000];

/** What an earlier revision of the day knew. */
export interface EarlierOutcomes {
  seen: Outcomes['seen'];
  wasOpen: (id: Invoice['id']) => boolean;
}

interface OutcomeSettings extends TypeSettings {
  timeZone: string;
}

/**
 * Adds up what became of a day's invoices, and when. An invoice is paid on the day that its payment time says.
 * Without one, what the first reading saw counts on the invoice's own day, and what a later reading saw on the last
 * day that was over by then. Rows of a pull and of its sealed file give the same.
 */
export class OutcomeTally {
  readonly #settings: OutcomeSettings;
  readonly #bounds: PaymentBounds;
  readonly #lastWholeDay: Day;
  readonly #wasOpen: EarlierOutcomes['wasOpen'];
  readonly #seenBefore = new Map<string, Day>();
  readonly #seen = new Map<Day, string[]>();
  #seenIds = 0;
  readonly #paid = new Map<Day, { seen: number; tally: BreakdownTally }>();
  readonly #cancelled = new SumsByKey<Day>();
  readonly #open = new SumsByKey<Day | null>();
  readonly #other = new CountedSum();

  /** @param readAt milliseconds UTC @param before `undefined` for the first reading */
  constructor(day: Day, readAt: number, settings: OutcomeSettings, before?: EarlierOutcomes) {
    const { timeZone } = settings;
    const until = dayAt(readAt, timeZone);
    const yesterday = addDays(until, -1);
    this.#settings = settings;
    this.#bounds = { timeZone, from: day, until: until > day ? until : day };
    this.#lastWholeDay = yesterday > day ? yesterday : day;
    this.#wasOpen = before?.wasOpen ?? (() => false);
    for (const { day: seenOn, ids } of before?.seen ?? []) {
      for (const id of ids) this.#seenBefore.set(id, seenOn);
    }
  }

  /** @param type that was asked for @param invoice as it was sent @param row the same, redacted */
  add(type: string, invoice: Pick<Invoice, 'id' | 'invoice_status' | 'amount'>, row: Members): void {
    const { invoiceStatuses } = this.#settings;
    if (invoiceStatuses === undefined) return;
    const amount = parseAmount(invoice.amount);
    switch (invoiceState(invoiceStatuses, invoice.invoice_status)) {
      case 'paid': {
        const said = paymentDay(row, this.#bounds);
        const day = said ?? this.#daySeen(invoice.id);
        const paid = this.#paid.get(day) ?? { seen: 0, tally: new BreakdownTally(this.#settings) };
        this.#paid.set(day, paid);
        if (said === null) paid.seen += 1;
        paid.tally.add(type, invoice, row);
        return;
      }
      case 'cancelled':
        this.#cancelled.addTo(this.#daySeen(invoice.id), amount);
        return;
      case 'notPaid': {
        const lastDay = dayIn(row['expires_at']);
        const isNamed = this.#open.has(lastDay) || this.#open.size < MOST_LAST_DAYS;
        this.#open.addTo(isNamed ? lastDay : null, amount);
        return;
      }
      default:
        this.#other.add(amount);
    }
  }

  #daySeen(id: Invoice['id']): Day {
    const { from } = this.#bounds;
    const text = integerText(id);
    const day = this.#seenBefore.get(text) ?? (this.#wasOpen(id) ? this.#lastWholeDay : from);
    if (day === from || this.#seenIds === MOST_SEEN_IDS) return from;
    this.#seenIds += 1;
    const ids = this.#seen.get(day) ?? [];
    this.#seen.set(day, ids);
    ids.push(text);
    return day;
  }

  /** `null` when the registry does not name the statuses. Days are in order, and ids. */
  outcomes(): Outcomes | null {
    if (this.#settings.invoiceStatuses === undefined) return null;
    return {
      paid: inOrder(this.#paid).map(([day, { seen, tally }]) => {
        const { byMethod, charges } = tally.breakdown();
        const methods = byMethod ?? [];
        return { day, ...sumOfParts(methods), seen, byMethod: methods, charges: charges ?? [] };
      }),
      cancelled: inOrder(this.#cancelled).map(([day, sum]) => ({ day, ...sum.value() })),
      open: inOrder(this.#open).map(([lastDay, sum]) => ({ lastDay, ...sum.value() })),
      other: this.#other.value(),
      seen: inOrder(this.#seen).map(([day, ids]) => ({ day, ids: [...ids].sort() })),
    };
  }
}

function inOrder<Key extends Day | null, Value>(map: ReadonlyMap<Key, Value>): [Key, Value][] {
  return [...map].sort(([one], [other]) => ((one ?? '') < (other ?? '') ? -1 : 1));
}

/** A day's page, as far as what came in on some day depends on it. */
export interface PageOutcomes {
  day: Day;
  /** `undefined`: of an earlier version, in the currency asked for. */
  currency?: string | undefined;
  outcomes?: Pick<Outcomes, 'paid'> | null | undefined;
}

/** What came in on a day, from the newest known outcomes of each day up to it. */
function receivedOn(day: Day, pages: Iterable<PageOutcomes>, currency: string): Received {
  const parts: Received[] = [];
  let otherCurrency = 0;
  for (const { day: made, outcomes, ...page } of pages) {
    const paid = outcomes?.paid.find((one) => one.day === day);
    if (paid === undefined) continue;
    if ((page.currency ?? currency) !== currency) {
      otherCurrency += paid.count;
      continue;
    }
    const { seen, byMethod, charges } = paid;
    const sum = sumNames(paid);
    const ofEarlier = made < day ? sum : addSummed([]);
    const basis = { paidOn: paid.count - seen, seen, otherCurrency: 0 };
    parts.push({ ...sum, ofEarlier, byMethod, charges, basis });
  }
  const received = addReceived(parts);
  return { ...received, basis: { ...received.basis, otherCurrency } };
}

/** The exact sum of days of one currency. */
export function addReceived(days: readonly Received[]): Received {
  const { byMethod, charges } = addBreakdowns(days.map((day) => ({ ...day, byType: [] })));
  const basis = (name: keyof Received['basis']) => days.reduce((sum, day) => sum + day.basis[name], 0);
  return {
    ...addSummed(days),
    ofEarlier: addSummed(days.map(({ ofEarlier }) => ofEarlier)),
    byMethod: byMethod ?? [],
    charges: charges ?? [],
    basis: { paidOn: basis('paidOn'), seen: basis('seen'), otherCurrency: basis('otherCurrency') },
  };
}

/** Without what the registry redacts now, as if redacted before sealing. @param columns of `redactedColumns` */
export function redactedReceived(received: Received, columns: ReadonlySet<string>): Received {
  const { byMethod, charges } = redactedBreakdown({ ...received, byType: [] }, columns);
  return { ...received, byMethod: byMethod ?? [], charges: charges ?? [] };
}

/** The invoices of a day as they stood when a later day was over. What was in no named state is in none of these. */
export interface OutcomesAt {
  paid: CountAndAmount;
  cancelled: CountAndAmount;
  /** Unpaid, with a link that has ended. */
  expired: CountAndAmount;
  open: CountAndAmount;
}

/** @param until the last day that counts */
export function outcomesAt({ paid, cancelled, open }: Omit<Outcomes, 'seen'>, until: Day): OutcomesAt {
  const isSettled = ({ day }: { day: Day }) => day <= until;
  const hasEnded = ({ lastDay }: { lastDay: Day | null }) => lastDay !== null && lastDay <= until;
  // What is settled later was open then.
  const later = [...paid, ...cancelled].filter((part) => !isSettled(part));
  return {
    paid: sumOfParts(paid.filter(isSettled)),
    cancelled: sumOfParts(cancelled.filter(isSettled)),
    expired: sumOfParts(open.filter(hasEnded)),
    open: sumOfParts([...open.filter((part) => !hasEnded(part)), ...later]),
  };
}

/** What a day's page seals of its invoices' payments: nearly all `null` when the registry names no states. */
export function pagePayments(page: {
  day: Day;
  currency?: string;
  outcomes: Outcomes | null;
  followed?: Followed | null;
  /** The merchant's other days, with their newest outcomes. */
  others?: readonly PageOutcomes[];
}) {
  const { day, currency = '', outcomes, followed = null, others = [] } = page;
  if (outcomes === null) return { received: null, issued: null, open: null, outcomes, followed };
  const issued = issuedOf(outcomes);
  const pages = [...others.filter((other) => other.day < day), { day, currency, outcomes }];
  return { received: receivedOn(day, pages, currency), issued, open: issued.notPaid, outcomes, followed };
}

function issuedOf({ paid, cancelled, open, other }: Outcomes): z.infer<typeof issuedSchema> {
  const [ofPaid, ofCancelled, ofOpen] = [sumOfParts(paid), sumOfParts(cancelled), sumOfParts(open)];
  return {
    ...sumNames(sumOfParts([ofPaid, ofCancelled, ofOpen, other])),
    paid: sumNames(ofPaid),
    notPaid: sumNames(ofOpen),
    cancelled: sumNames(ofCancelled),
    other: sumNames(other),
  };
}
