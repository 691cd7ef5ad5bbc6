import { isDay } from './calendar.ts';
import type { Behaviour } from '../http/behaviour.ts';
import type { Service } from '../service.ts';

/**
 * Moves the pages while a client reads them. It counts the invoice list requests and, as the behaviour says, adds new
 * invoices at the top of the last requested day. A new `shift` object starts counting again.
 */
export function createShift({
  behaviour,
  data,
}: Service): (merchantCode: string, query: Record<string, string>) => void {
  let counting: Behaviour['shift'] = null;
  let requests = 0;
  let shifts = 0;

  return (merchantCode, query) => {
    const { shift } = behaviour;
    if (shift !== counting) {
      counting = shift;
      requests = 0;
      shifts = 0;
    }
    const day = query['toDate'];
    if (shift === null || day === undefined || !isDay(day)) return;
    requests += 1;
    if (requests % shift.every !== 0 || shifts >= shift.times) return;
    shifts += 1;
    for (let more = shift.invoices ?? 1; more > 0; more--) {
      data.insertInvoice(merchantCode, day, { invoice_type: Number(query['invoiceType'] ?? '1') });
    }
  };
}
