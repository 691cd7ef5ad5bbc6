import type { PaymentsData } from '#sandbox/payments/index.ts';
import { localMerchant } from '../merchants.ts';
import type { AlertRule, LocalMerchant } from '../merchants.ts';

/** The one rule of the demonstration. */
export const RULE: AlertRule = {
  name: 'too-many-unpaid',
  measure: 'unpaidCount',
  above: 10,
  clearAt: 8,
  severity: 'warning',
};

/** Far beyond those that `--merchants` can ask for, so that no other run reports it. */
const INDEX = 903;

/** The merchant of the demonstration: it has an alert rule, and its service is down when its report is due. */
export const WATCHED: LocalMerchant = { ...localMerchant(INDEX), alerts: [RULE] };

/** Invoices of the day before the evening, of which about every fifth is unpaid, and unpaid ones that come then. */
const SIZE = { before: 24, incoming: 12 } as const;
/** Each time about a third of what is unpaid is paid. */
const MOST_PAYMENTS = 50;

const { merchantCode } = WATCHED.account;

function unpaid(data: PaymentsData, day: string): number {
  return data.truth(merchantCode, day).invoices.byStatus['0']?.count ?? 0;
}

/** Lets more unpaid invoices come in than the rule allows, unless they are there. @returns how many came */
export function letInvoicesCome(data: PaymentsData, day: string): number {
  if (data.truth(merchantCode, day).invoices.count === 0) {
    data.seedDay(merchantCode, day, { invoices: SIZE.before, refunds: 0 });
  }
  const missing = SIZE.before + SIZE.incoming - data.truth(merchantCode, day).invoices.count;
  for (let come = 0; come < missing; come += 1) data.insertInvoice(merchantCode, day);
  return Math.max(0, missing);
}

/** Lets invoices be paid until the rule is content again. @returns how many were */
export function letInvoicesBePaid(data: PaymentsData, day: string): number {
  const before = unpaid(data, day);
  for (let time = 1; time <= MOST_PAYMENTS && unpaid(data, day) > RULE.clearAt; time += 1) {
    data.evolve(merchantCode, day, time);
  }
  return before - unpaid(data, day);
}
