import { madeOn, type MadeState } from '#page/rendering/invoices-section.ts';
import { dayNet } from '#records/figures/day-net.ts';
import type { Manifest } from '#records/revision/manifest.ts';
import type { TrinoRow } from '#sandbox/trino/index.ts';
import { defined } from '#support/assertions/defined.ts';

function integer(count: number | null = null): string | null {
  return count === null ? null : String(count);
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
