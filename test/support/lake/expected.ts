import * as z from 'zod';
import type { Amounts, Counts, RefundFigures } from '#records/figures/figure-schemas.ts';
import { formatAmount, parseSum } from '#records/money/money.ts';
import type { Statement } from '#page/figures/statement.ts';
import { type Net, dayNet } from '#records/figures/day-net.ts';
import type { TrinoRow } from '#sandbox/trino/index.ts';
import { madeOn, type MadeState } from '#page/rendering/invoices-section.ts';
import type { Manifest } from '#records/revision/manifest.ts';
import { defined, membersOf } from '#support/assertions/index.ts';
import { Digits, type StoredRecord } from './lake-world.ts';

const OF_ISSUED = ['paid', 'open', 'expired', 'cancelled', 'other'] as const;
const OF_SETTLED = ['paid', 'cancelled', 'other'] as const;

/** A number as Trino writes a `bigint`. */
export function integer(value: number | null = null): string | null {
  return value === null ? null : String(value);
}

/** A moment in ISO 8601 as Trino writes a `timestamp(3)` of UTC. */
export function moment(text: string | null): string | null {
  return text === null ? null : text.replace('T', ' ').replace('Z', '');
}

export function expectedPeriod(period: string): TrinoRow {
  const part = period.slice('2026-'.length);
  const kind = part.startsWith('W') ? 'week' : part.length === 2 ? 'month' : 'day';
  return { period, period_kind: kind, year: period.slice(0, 'YYYY'.length), part };
}

/** What every row of a statement begins with. */
function expectedRevision(statement: Pick<Statement, 'period' | 'merchantCode' | 'revision'>): TrinoRow {
  const { period, merchantCode, revision } = statement;
  return { ...expectedPeriod(period), merchant_code: merchantCode, revision: String(revision) };
}

export function expectedInvoices({ counts, amounts }: { counts: Counts; amounts: Amounts | null }): TrinoRow {
  return {
    invoices: integer(counts.total),
    paid: integer(counts.paid),
    not_paid: integer(counts.notPaid),
    cancelled: integer(counts.cancelled),
    other: integer(counts.other),
    paid_amount: amounts?.paid ?? null,
    not_paid_amount: amounts?.notPaid ?? null,
    cancelled_amount: amounts?.cancelled ?? null,
    other_amount: amounts?.other ?? null,
  };
}

export function expectedRefunds({ count, total }: Pick<RefundFigures, 'count' | 'total'>): TrinoRow {
  return { refunds: String(count), refund_amount: total };
}

export function expectedNet({ pending, chargeColumns, unknown, ...net }: Net): TrinoRow {
  return {
    received: net.received,
    refunded: net.refunded,
    pending_refunds: String(pending.count),
    pending_refund_amount: pending.total,
    charge_columns: chargeColumns,
    charges: net.charges,
    net: net.net,
    net_unknown: unknown,
  };
}

function expectedOpen({ issued, openBefore, settled, expired, openAfter, ageing }: Statement): TrinoRow {
  const all = {
    issued,
    ...Object.fromEntries(OF_ISSUED.map((state) => [`issued_${state}`, issued?.[state]])),
    open_before: openBefore,
    ...Object.fromEntries(OF_SETTLED.map((state) => [`settled_${state}`, settled?.[state]])),
    expired,
    open_after: openAfter,
  };
  const columns = Object.entries(all).flatMap(([name, part]): [string, string | null][] => [
    [name, integer(part?.count)],
    [`${name}_amount`, part?.sum ?? null],
  ]);
  return { ...Object.fromEntries(columns), ageing: ageing === null ? null : JSON.stringify(ageing) };
}

/** Of merchants that the lake knows nothing of. */
function expectedNames({ timeZone }: Pick<Statement, 'timeZone'>): TrinoRow {
  return { merchant_name: null, time_zone: timeZone ?? null };
}

/** A statement as `latest_statements` has it. */
export function expectedStatement(statement: Statement): TrinoRow {
  const { currency, final, asOf, days, missing, unbalanced, digest, previous } = statement;
  return {
    ...expectedRevision(statement),
    currency,
    from_date: statement.from,
    to_date: statement.to,
    sealed_at: moment(statement.sealedAt),
    scheduled_time: moment(statement.scheduledTime),
    oldest_page_at: moment(asOf?.oldest ?? null),
    newest_page_at: moment(asOf?.newest ?? null),
    final,
    sealed_days: String(days.length),
    missing_days: missing,
    unbalanced_days: unbalanced,
    ...expectedInvoices(statement),
    ...expectedRefunds(statement.refunds),
    ...expectedNet(statement.net),
    payments: integer(statement.received?.count),
    ...expectedOpen(statement),
    breakdown: statement.breakdown === null ? null : JSON.stringify(statement.breakdown),
    digest,
    previous,
    closed_at: moment(statement.closedAt ?? null),
    reopened_at: moment(statement.reopenedAt ?? null),
    ...expectedNames(statement),
  };
}

const sumOf = (was: string | null, is: string | null): string | null =>
  was === null || is === null ? null : formatAmount(parseSum(is) - parseSum(was));

/** A statement's adjustments as `adjustments` has them. */
export function expectedAdjustments(statement: Statement): TrinoRow[] {
  const { adjustments = [] } = statement;
  return adjustments.map(({ was, is, ...one }) => ({
    ...expectedRevision(statement),
    closed_period: one.period,
    day: one.day,
    business_date: one.day,
    day_revision: String(one.revision),
    currency: one.currency,
    reasons: one.reasons,
    payments_was: integer(was.payments),
    payments_is: integer(is.payments),
    ...Object.fromEntries(
      (['received', 'refunded', 'charges', 'net'] as const).flatMap((figure) => [
        [`${figure}_was`, was[figure]],
        [`${figure}_is`, is[figure]],
        [`${figure}_added`, sumOf(was[figure], is[figure])],
      ]),
    ),
    ...expectedNames(statement),
  }));
}

/** A statement's days as `statement_days` has them. */
export function expectedStatementDays(statement: Statement): TrinoRow[] {
  return statement.days.map((day) => ({
    ...expectedRevision(statement),
    currency: statement.currency,
    day: day.day,
    business_date: day.day,
    day_revision: String(day.revision),
    balanced: day.balanced,
    ...expectedInvoices(day),
    ...expectedRefunds(day.refunds),
    ...expectedNet(day.net),
    payments: integer(day.received?.count),
    ...expectedNames(statement),
  }));
}

/** The figures of a day as its mail has them, by the columns of `latest_days`. */
export function expectedFigures(page: Manifest): TrinoRow {
  const { received, refunds, charges = [], timeZone = '' } = page;
  const net = dayNet(page, charges);
  const made = (state: MadeState) => madeOn(page, timeZone).find((part) => part.state === state);
  const [open, expired, issued] = [defined(made('notPaid')), made('expired'), defined(made('total'))];
  const isKnown = received !== null;
  const approved = refunds.count === 0 ? 0 : refunds.byStatus['approved']?.count;
  return {
    came_in_count: integer(received?.count),
    came_in: received?.sum ?? null,
    came_in_of_earlier: received?.ofEarlier.sum ?? null,
    issued_count: integer(issued.count),
    issued: issued.amount,
    open_count: integer(open.count),
    open: open.amount,
    expired_count: integer(expired?.count),
    expired: expired?.amount ?? null,
    approved_refund_count: net.refunded === null ? null : integer(approved),
    approved_refunds: net.refunded,
    charges: isKnown ? net.charges : null,
    net: isKnown ? net.net : null,
  };
}

/** A JSON text with the members of objects in the order of their names, as the snapshots hold what is open. */
function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered);
  if (typeof value !== 'object' || value === null || value instanceof Digits) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, member]) => [name, ordered(member)]),
  );
}

function text(value: unknown): string | null {
  if (value === null) return null;
  if (typeof value === 'string') return value;
  return value instanceof Digits ? value.text : JSON.stringify(ordered(value));
}

/** `YYYY-MM-DD` or a timestamp with its milliseconds, if that day exists. */
function realDay(value: string): string | null {
  const moment = new Date(`${value.slice(0, 10)}T00:00:00Z`);
  const exists = !Number.isNaN(moment.getTime()) && moment.toISOString().startsWith(value.slice(0, 10));
  if (!exists) return null;
  return value.length > 10 ? `${value}.000` : value;
}

const DATES = [
  'expires_at',
  'refund_at',
  'created_at',
  'updated_at',
  'transaction_date',
  'transaction_created_at',
  'transaction_paid_on',
];
/** JSON numbers of the contract, doubles in the lake. */
const NUMBERS: Record<StoredRecord['kind'], readonly string[]> = {
  invoice: [],
  refund: ['transaction_amount', 'transaction_admin_charge'],
};
const OBJECTS = ['transaction', 'customer', 'created_by_merchant'];

/** What a view must show of a record, apart from the views: numbers and times as the text that the service sent. */
export function expectedRow({ kind, record }: StoredRecord): TrinoRow {
  const flat = Object.entries(record).flatMap(([name, value]) =>
    OBJECTS.includes(name)
      ? Object.entries(membersOf(value)).map(
          ([member, inner]) => [`${name}_${member}`.toLowerCase(), inner] as const,
        )
      : [[name, value] as const],
  );
  const row: TrinoRow = {};
  for (const [name, value] of flat) {
    if (name === 'payment_method') row[name] = z.array(z.string()).parse(value);
    else if (NUMBERS[kind].includes(name)) row[name] = Number(text(value));
    else if (DATES.includes(name)) row[name] = realDay(String(value));
    else row[name] = text(value);
  }
  return row;
}
