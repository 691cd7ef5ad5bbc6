import { createHash } from 'node:crypto';
import { netOfPage, redactedPage } from './figures/compose-statement.ts';
import type { Adjustment, Statement, StatementDay } from './figures/statement.ts';
import { CONTENT_TYPES, NO_ATTACHMENTS, pageFileName, roomBeside } from './compose-page-mail.ts';
import type { BuiltAttachments } from './compose-page-mail.ts';
import { unlessSpoilt } from './page-store.ts';
import type { ClosedStatement } from '#records/revision/closed-statement.ts';
import { pageSettings } from './page-settings.ts';
import { bookFiles, type BookEntry, type BookedAccount } from './rendering/books/book-layouts.ts';
import type { DayStore } from './day-store.ts';
import type { Day } from '#records/day/business-day.ts';
import { parseSum } from '#records/money/money.ts';
import type { Manifest } from '#records/revision/manifest.ts';
import { closesAt } from '#records/period/due.ts';
import { monthOf, periodDays, weekOf } from '#records/period/period.ts';
import { merchantDay, pageKey, type PageId, type PagePlace } from '#records/storage/keys.ts';
import type { MerchantSettings } from '#registry/registry-schema.ts';

/*
 * An entry says what one revision of a day changed of one figure since the revision before. So entries never change, each has an
 * id for good, and whoever books each id once has what the newest page of the day says (docs/books.md).
 */

const KINDS = ['received', 'refunded', 'charges'] as const satisfies BookEntry['kind'][];

/** A page with its own currency and charges, or the registry's where it is of an earlier version. */
export type BookedPage = Manifest & Pick<MerchantSettings, 'currency' | 'charges'>;

/** What is known of a page; what is unknown changes nothing. */
function* knownOf(page: BookedPage): Generator<Pick<BookEntry, 'kind' | 'method' | 'amount'>> {
  const { received } = page;
  const { refunded, charges } = netOfPage(page, page.charges);
  if (received !== null) {
    let rest = parseSum(received.sum);
    for (const { method, amount } of received.byMethod) {
      yield { kind: 'received', method, amount: parseSum(amount) };
      rest -= parseSum(amount);
    }
    // What no method says is of none.
    yield { kind: 'received', method: null, amount: rest };
  }
  if (refunded !== null) yield { kind: 'refunded', method: null, amount: -parseSum(refunded) };
  if (charges !== null) yield { kind: 'charges', method: null, amount: -parseSum(charges) };
}

/** All entries of a day. @param pages all its revisions in their order, redacted as the registry says now */
export function bookEntries(pages: readonly BookedPage[]): BookEntry[] {
  const booked = new Map<string, Pick<BookEntry, 'kind' | 'method' | 'currency' | 'amount'>>();
  return pages.flatMap((page) => {
    const { merchantCode, day, revision, currency } = page;
    return [...Map.groupBy(knownOf(page), ({ kind }) => kind)].flatMap(([kind, known]) => {
      const before = [...booked].filter(([, of]) => of.kind === kind);
      const now = new Map(before.map(([key, of]) => [key, { ...of, amount: 0n }]));
      for (const { method, amount } of known) {
        const key = JSON.stringify([kind, method, currency]);
        now.set(key, { kind, method, currency, amount: (now.get(key)?.amount ?? 0n) + amount });
      }
      return [...now].flatMap(([key, is]): BookEntry[] => {
        const amount = is.amount - (booked.get(key)?.amount ?? 0n);
        booked.set(key, is);
        const named = JSON.stringify([merchantCode, day, revision, kind, is.method, is.currency]);
        const id = createHash('sha256').update(named).digest('hex').slice(0, 32);
        return amount === 0n ? [] : [{ ...is, id, day, date: day, revision, amount }];
      });
    });
  });
}

type Told = Pick<Adjustment, 'currency' | 'was'>;

/**
 * The revision up to which a day was told when an adjustment was made: the first page that says what was told. A later one that
 * says the same may have other methods.
 * @param was of the day's adjustments, one a currency
 * @param closed the day's revision in the closed statement, and the answer where no page says what was told; 0: it has none
 */
export function toldRevision(pages: readonly BookedPage[], was: readonly Told[], closed: number): number {
  const told = pages.find((page) => {
    const is = netOfPage(page, page.charges);
    const says = ({ currency, was: told }: Told) =>
      KINDS.every((kind) => told[kind] === (currency === page.currency ? is[kind] : '0.000'));
    return page.revision >= closed && was.every(says);
  });
  return told?.revision ?? closed;
}

/** What a mail tells the books of a day: its entries from one revision (without it) to another. */
interface ToldDay {
  day: Day;
  /** The revision that was told before; 0: none. */
  from: number;
  to: number;
  /** Of a closed statement with this revision of the day (0: none), and perhaps earlier adjustments. */
  adjusted?: { closed: number; adjustments: readonly Adjustment[] };
}

interface BookedMail extends Pick<BookedAccount, 'from' | 'to' | 'sealedAt'> {
  place: PagePlace;
  days: readonly ToldDay[];
}

/**
 * What a day's mail tells. Days of closed statements are left out: the next statement books them on another date.
 * @param before the revision of the mail that it corrects; 0: none
 */
export function bookedDay(
  { merchantCode, day, revision, pulledAt, told }: Manifest,
  { timeZone, weekStart, statements }: Pick<MerchantSettings, 'timeZone' | 'weekStart' | 'statements'>,
  before = 0,
): BookedMail {
  const { weekly, monthly, closeAfter } = statements ?? {};
  /** Whether a statement with the day was to be closed when the page was read. */
  const isClosing = (of: Day) =>
    [weekly && weekOf(of, weekStart), monthly && monthOf(of)].some((period) => {
      const days = period === undefined ? undefined : periodDays(period, weekStart);
      return days && (closesAt(days, { timeZone, closeAfter }) ?? Infinity) <= Date.parse(pulledAt);
    });
  // A correction tells its own day alone.
  const days = [{ day, from: before, to: revision }, ...(before === 0 ? told : [])];
  return {
    place: { ...merchantDay(merchantCode, day), revision },
    days: days.filter((each) => !isClosing(each.day)),
    from: day,
    to: day,
    sealedAt: pulledAt,
  };
}

/**
 * What a statement's mail tells: its days, and the adjustments of closed statements, booked on its first day.
 * @param before the statement that its mail corrects
 */
export async function bookedStatement(
  closings: { closed: (page: PageId) => Promise<{ value: ClosedStatement } | undefined> },
  statement: Statement,
  before: Statement | null,
): Promise<BookedMail> {
  const { merchantCode, period, revision, sealedAt, from, to, days, adjustments = [] } = statement;
  const owner = { merchantCode };
  // What a reopened statement says itself is told already.
  const adjusted = adjustments.filter(({ reasons }) => !reasons.includes('reopened'));
  const periods = [...new Set(adjusted.map((each) => each.period))];
  const closed = await Promise.all(
    periods.map((one) => unlessSpoilt(() => closings.closed({ owner, period: one }))),
  );
  const ofClosed = closed.flatMap((one) => one?.value.days ?? []);
  const ofAdjusted = [...Map.groupBy(adjusted, ({ day }) => day)].map(([day, all]) => ({
    day,
    from: revisionIn(before?.adjustments, day),
    to: Math.max(...all.map((each) => each.revision)),
    adjusted: { closed: revisionIn(ofClosed, day), adjustments: all },
  }));
  const ofDays = days.map(({ day, revision: to }) => ({ day, from: revisionIn(before?.days, day), to }));
  return { place: { owner, period, revision }, days: [...ofDays, ...ofAdjusted], from, to, sealedAt };
}

function revisionIn(named: readonly Pick<StatementDay, 'day' | 'revision'>[] = [], day: Day): number {
  return named.findLast((each) => each.day === day)?.revision ?? 0;
}

/**
 * The import files of a mail; none where it tells nothing new.
 * @throws {StoredObjectError} when a page cannot be read: without it the entries would be others
 */
export async function bookAttachments(
  snapshots: Pick<DayStore, 'revision'>,
  settings: MerchantSettings,
  { place, days, from: first, to: last, sealedAt }: BookedMail,
): Promise<BuiltAttachments> {
  const { merchantCode, name, books, attachments } = settings;
  const entries: BookEntry[] = [];
  for (const { day, from, to, adjusted } of days) {
    const revisions = Array.from({ length: to }, (_, index) => index + 1);
    const of = merchantDay(merchantCode, day);
    const pages = await Promise.all(revisions.map((revision) => snapshots.revision({ ...of, revision })));
    const booked = pages.flatMap((page): BookedPage[] => {
      if (page === undefined) return [];
      const { currency, charges } = pageSettings(page, settings);
      return [{ ...redactedPage(page, settings.redact), currency, charges }];
    });
    const told = adjusted === undefined ? 0 : toldRevision(booked, adjusted.adjustments, adjusted.closed);
    const date = adjusted === undefined ? day : first;
    for (const entry of bookEntries(booked))
      if (entry.revision > Math.max(from, told)) entries.push({ ...entry, date });
  }
  if (entries.length === 0 || books === undefined) return NO_ATTACHMENTS;
  const account = { merchantCode, page: pageKey(place), from: first, to: last, sealedAt };
  const format = books.layout === 'camt.053' ? 'xml' : 'csv';
  const made = bookFiles(books.layout, entries, attachments.paymentMethods, account);
  const files = made.map(({ part, text }) => ({
    filename: pageFileName(`books-${part}`, name, place)(format),
    contentType: CONTENT_TYPES[format],
    content: Buffer.from(text),
  }));
  if (roomBeside(files) >= 0) return { files, described: [{ kind: 'books', layout: books.layout }] };
  return { files: [], described: [{ kind: 'too-big', format, rows: entries.length }] };
}
