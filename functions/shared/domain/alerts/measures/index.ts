import type { Measure } from '../measure.ts';
import { cancelledCount } from './cancelled-count.ts';
import { cancelledShare } from './cancelled-share.ts';
import { expiringUnpaid } from './expiring-unpaid.ts';
import { invoiceCount } from './invoice-count.ts';
import { largestRefund } from './largest-refund.ts';
import { refundCount } from './refund-count.ts';
import { refundShare } from './refund-share.ts';
import { refundTotal } from './refund-total.ts';
import { reportAge } from './report-age.ts';
import { unpaidAmount } from './unpaid-amount.ts';
import { unpaidCount } from './unpaid-count.ts';
import { unpaidShare } from './unpaid-share.ts';

/** Every figure that a rule can watch. */
export const MEASURES: readonly Measure[] = [
  invoiceCount,
  unpaidCount,
  unpaidShare,
  unpaidAmount,
  cancelledCount,
  cancelledShare,
  refundCount,
  refundTotal,
  refundShare,
  largestRefund,
  expiringUnpaid,
  reportAge,
];
