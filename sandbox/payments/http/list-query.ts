import { isDay } from '../day/calendar.ts';
import { Refusal } from './envelopes.ts';

/** The parameters of a list request. The contract does not say which are required, so none is. */
interface ListQuery {
  fromDay?: string;
  toDay?: string;
  page: number;
}

/** Throws a Refusal (506) for a wrong date, or a page that is not a number from 1. */
export function listQuery(query: Record<string, string>): ListQuery {
  const { fromDate, toDate, search = '', page = '1' } = query;
  // A search that changed nothing would prove nothing.
  if (search !== '') throw new Refusal('invalidData', 'this sandbox does not search');
  for (const [name, day] of Object.entries({ fromDate, toDate })) {
    if (day !== undefined && !isDay(day))
      throw new Refusal('invalidData', `${name} is not a date YYYY-MM-DD`);
  }
  if (!/^[1-9]\d{0,8}$/.test(page)) throw new Refusal('invalidData', 'page is not a number from 1');
  return {
    page: Number(page),
    ...(fromDate !== undefined && { fromDay: fromDate }),
    ...(toDate !== undefined && { toDay: toDate }),
  };
}
