import { dayNet } from '#records/figures/day-net.ts';
import type { Breakdown } from '#records/figures/breakdown.ts';
import type { ChargeColumn, DayCharges } from '#records/figures/charges.ts';
import type { Manifest } from '#records/revision/manifest.ts';
import { addAmounts } from './add-figures.ts';
import type { Net } from './period-figures.ts';
import type { StatementDay } from './statement.ts';

/** `columns`: the registry's `charges`. */
export function chargesOf(breakdown: Breakdown | null, columns: readonly ChargeColumn[]): DayCharges {
  if (columns.length === 0) return { kind: 'none' };
  if (breakdown === null) return { kind: 'unknown', why: 'not-read' };
  const sealed = breakdown.charges;
  if (sealed === null) return { kind: 'unknown', why: 'states' };
  const totals: string[] = [];
  for (const column of columns) {
    const total = sealed.find((one) => one.column === column)?.total ?? null;
    if (total === null) return { kind: 'unknown', why: 'column' };
    totals.push(total);
  }
  return { kind: 'known', columns, total: addAmounts(totals) };
}

export function netOfPage(manifest: Manifest, columns: readonly ChargeColumn[]): Net {
  const charges = chargesOf(manifest.breakdown, columns);
  const { received, refunded, pending, net, unknown } = dayNet(manifest, charges);
  return {
    received,
    refunded,
    pending,
    chargeColumns: [...columns],
    charges: charges.kind === 'known' ? charges.total : charges.kind === 'none' ? addAmounts([]) : null,
    net,
    unknown: [...unknown],
  };
}

export function statementDay(manifest: Manifest, columns: readonly ChargeColumn[]): StatementDay {
  const { day, revision, balanced, counts, amounts, refunds } = manifest;
  return { day, revision, balanced, counts, amounts, refunds, net: netOfPage(manifest, columns) };
}
