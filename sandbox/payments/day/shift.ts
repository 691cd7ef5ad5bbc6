import { isDay } from './calendar.ts';
import type { Behaviour } from '../http/behaviour.ts';
import type { Service } from '../service.ts';

/**
 * What moves the pages while a client reads them: counts the invoice list requests and, as the behaviour says, puts
 * new invoices on top of the last day asked for. A new `shift` object starts counting anew.
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
