import type { Amounts, Counts, RefundFigures } from '#records/figures/figure-schemas.ts';
import { formatAmount, parseSum } from '#records/money/money.ts';
import type { Statement } from '#page/figures/statement.ts';
import type { Net } from '#records/figures/day-net.ts';
import type { TrinoRow } from '#sandbox/trino/index.ts';

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

export function expectedRefunds({ count, total }: RefundFigures): TrinoRow {
  return {
    refunds: String(count),
    refund_amount: total,
  };
}

export function expectedNet({
  received,
  refunded,
  pending,
  chargeColumns,
  charges,
  net,
  unknown,
}: Net): TrinoRow {
  return {
    received,
    refunded,
    pending_refunds: String(pending.count),
    pending_refund_amount: pending.total,
    charge_columns: chargeColumns,
    charges,
    net,
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
  const { merchantCode, currency, revision, final, asOf, days, missing, unbalanced, digest, previous } =
    statement;
  return {
    ...expectedPeriod(statement.period),
    merchant_code: merchantCode,
    revision: String(revision),
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
export function expectedAdjustments({
  period,
  merchantCode,
  revision,
  timeZone,
  adjustments = [],
}: Statement): TrinoRow[] {
  return adjustments.map(({ was, is, ...one }) => ({
    ...expectedPeriod(period),
    merchant_code: merchantCode,
    revision: String(revision),
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
    ...expectedNames({ timeZone }),
  }));
}

/** A statement's days as `statement_days` has them. */
export function expectedStatementDays({
  period,
  merchantCode,
  revision,
  currency,
  timeZone,
  days,
}: Statement): TrinoRow[] {
  return days.map((day) => ({
    ...expectedPeriod(period),
    merchant_code: merchantCode,
    revision: String(revision),
    currency,
    day: day.day,
    business_date: day.day,
    day_revision: String(day.revision),
    balanced: day.balanced,
    ...expectedInvoices(day),
    ...expectedRefunds(day.refunds),
    ...expectedNet(day.net),
    payments: integer(day.received?.count),
    ...expectedNames({ timeZone }),
  }));
}
