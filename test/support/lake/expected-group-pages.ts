import type { GroupPage } from '#page/figures/group-page.ts';
import type { TrinoRow } from '#sandbox/trino/index.ts';
import {
  expectedInvoices,
  expectedNet,
  expectedPeriod,
  expectedRefunds,
  moment,
} from './expected-statements.ts';

const UNKNOWN = {
  counts: { total: null, paid: null, notPaid: null, cancelled: null, other: null },
  amounts: null,
};

/** In the row of a page without a currency. */
const NO_SUMS: TrinoRow = {
  currency: null,
  merchants: null,
  ...expectedInvoices(UNKNOWN),
  refunds: null,
  refund_amount: null,
  received: null,
  refunded: null,
  pending_refunds: null,
  pending_refund_amount: null,
  charge_columns: null,
  charges: null,
  net: null,
  net_unknown: null,
};

/** A group's page as `latest_group_pages` has it. */
export function expectedGroupPages(page: GroupPage): TrinoRow[] {
  const sums = Object.entries(page.byCurrency).map(([currency, sum]): TrinoRow => ({
    currency,
    merchants: String(sum.merchants),
    ...expectedInvoices(sum),
    ...expectedRefunds(sum.refunds),
    ...expectedNet(sum.net),
  }));
  return (sums.length === 0 ? [NO_SUMS] : sums).map((sum) => ({
    ...expectedPeriod(page.period),
    group_name: page.group,
    revision: String(page.revision),
    from_date: page.from,
    to_date: page.to,
    sealed_at: moment(page.sealedAt),
    scheduled_time: moment(page.scheduledTime),
    final: page.final,
    missing_merchants: String(page.missing.length),
    missing: JSON.stringify(page.missing),
    ...sum,
    digest: page.digest,
    previous: page.previous,
  }));
}

/** A group's page as `latest_group_merchants` has it. */
export function expectedGroupMerchants({ period, group, revision, merchants }: GroupPage): TrinoRow[] {
  return merchants.map((member) => ({
    ...expectedPeriod(period),
    group_name: group,
    revision: String(revision),
    merchant_code: member.merchantCode,
    merchant_name: member.name,
    currency: member.currency,
    merchant_revision: String(member.revision),
    from_date: member.from,
    to_date: member.to,
    balanced: member.balanced,
    final: member.final,
    ...expectedInvoices(member),
    refunds: String(member.refunds.count),
    refund_amount: member.refunds.total,
    received: member.received,
    net: member.net,
    usual_received: member.usual?.received ?? null,
    usual_invoices: member.usual?.total ?? null,
  }));
}
