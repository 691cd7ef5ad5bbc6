import { addDays, WEEKDAYS, weekdayOf } from '#records/day/business-day.ts';
import type { Day } from '#records/day/business-day.ts';
import type { SoakMerchant } from '../merchants.ts';

/** A statement that was due during a run. */
export interface DueStatement {
  merchantCode: string;
  /** The first and the last day. */
  from: Day;
  to: Day;
}

/** Statements whose time came at one of the ticks, by the calendar. @param last the last day that was reported */
export function dueStatements(merchants: readonly SoakMerchant[], last: Day): DueStatement[] {
  return merchants.flatMap(({ account: { merchantCode }, reportFrom, statements }) => {
    const due: DueStatement[] = [];
    if (statements === undefined) return due;
    for (let to = reportFrom; to <= last; to = addDays(to, 1)) {
      const next = addDays(to, 1);
      // A week is mailed on the day on which the next one begins, a month on the first.
      if (WEEKDAYS[weekdayOf(next)] === statements.weekly.on)
        due.push({ merchantCode, from: addDays(to, -6), to });
      if (next.endsWith('-01')) due.push({ merchantCode, from: `${to.slice(0, 7)}-01`, to });
    }
    return due;
  });
}
