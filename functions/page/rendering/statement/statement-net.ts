import type { DayNet } from '#records/figures/day-net.ts';
import type { Net } from '#page/figures/period-figures.ts';

/** A net of a longer period in the form of a day's, so that both mails say it in the same words. */
export function asDayNet({ chargeColumns, charges, ...net }: Net): DayNet {
  if (chargeColumns.length === 0) return { ...net, charges: { kind: 'none' } };
  return {
    ...net,
    charges:
      charges === null
        ? { kind: 'unknown', why: 'column' }
        : { kind: 'known', columns: chargeColumns, total: charges },
  };
}
