import type { PaymentsData } from '#sandbox/payments/index.ts';
import { localMerchant } from './merchants.ts';
import type { AlertRule, LocalMerchant } from './merchants.ts';

export const RULE: AlertRule = {
  name: 'too-many-unpaid',
  measure: 'unpaidCount',
  above: 10,
  clearAt: 8,
  severity: 'warning',
};

/** Far above the numbers that `--merchants` allows, so that no other run reports this merchant. */
const INDEX = 903;

/** The merchant of the demonstration: it has an alert rule, and its service is down when its report is due. */
export const WATCHED: LocalMerchant = { ...localMerchant(INDEX), alerts: [RULE] };

/** Invoices of the day before the evening (about one in five is unpaid), and unpaid invoices that arrive in the evening. */
const SIZE = { before: 24, incoming: 12 } as const;
/** Each change pays about a third of the unpaid invoices. */
const MOST_PAYMENTS = 50;

const { merchantCode } = WATCHED.account;

function unpaid(data: PaymentsData, day: string): number {
  return data.truth(merchantCode, day).invoices.byStatus['0']?.count ?? 0;
}

/** Adds unpaid invoices until the rule fires, unless they exist already. @returns how many were added */
export function letInvoicesCome(data: PaymentsData, day: string): number {
  if (data.truth(merchantCode, day).invoices.count === 0) {
    data.seedDay(merchantCode, day, { invoices: SIZE.before, refunds: 0 });
  }
  const missing = SIZE.before + SIZE.incoming - data.truth(merchantCode, day).invoices.count;
  for (let come = 0; come < missing; come += 1) data.insertInvoice(merchantCode, day);
  return Math.max(0, missing);
}

/** Pays invoices until the rule resolves. @returns how many were paid */
export function letInvoicesBePaid(data: PaymentsData, day: string): number {
  const before = unpaid(data, day);
  for (let time = 1; time <= MOST_PAYMENTS && unpaid(data, day) > RULE.clearAt; time += 1) {
    data.evolve(merchantCode, day, time);
  }
  return before - unpaid(data, day);
}
