import type { AlertItem, AlertLine } from '#records/ledger/alert-line.ts';
import type { AlertInput } from '#alerts/rendering/alert-formatter.ts';
import type { OpsNotice } from '#mail/notices/ops-notice.ts';
import { MERCHANT, type Changes } from './reports.ts';

/** A line of a rule that has just fired. */
export function aLine(changes: Partial<AlertLine> = {}): AlertLine {
  return {
    rule: 'too-many-unpaid',
    says: 'firing',
    severity: 'warning',
    measure: 'unpaidCount',
    unit: 'count',
    value: '1057.000',
    bound: { side: 'above', at: '50.000' },
    since: '2026-11-20T10:30:00.000Z',
    until: null,
    day: null,
    days: null,
    course: null,
    title: null,
    note: null,
    items: [],
    ...changes,
  };
}

export function anItem(changes: Partial<AlertItem> = {}): AlertItem {
  return {
    id: '1096112',
    reference: 'INV-20481',
    amount: '145.000',
    expiresOn: '2026-11-22',
    ...changes,
  };
}

export const FIVE_UNPAID = [
  anItem(),
  anItem({ id: '1096140', reference: null, amount: '98.750' }),
  anItem({ id: '1096171', reference: 'طلب 4471', amount: '62.500', expiresOn: '2026-11-25' }),
  anItem({ id: '1096183', reference: 'INV-20490', amount: '40.000', expiresOn: null }),
  anItem({ id: '1096190', reference: 'INV-20493', amount: '12.250', expiresOn: '2026-12-01' }),
];

/** A rule with the merchant's own words and the invoices to look at. */
export const WORDED = aLine({
  value: '16.000',
  bound: { side: 'above', at: '10.000' },
  title: 'Call customers who have not paid',
  note: 'Fatima has the list of phone numbers.',
  course: { began: '16.000', worst: '16.000' },
  items: FIVE_UNPAID,
});

export const STILL_FIRING = aLine({
  rule: 'report-late',
  says: 'still firing',
  severity: 'critical',
  measure: 'reportAge',
  unit: 'hours',
  value: '51.250',
  bound: { side: 'above', at: '26.000' },
  since: '2026-11-18T07:25:00.000Z',
  course: { began: '26.250', worst: '51.250' },
});

export const RESOLVED = aLine({
  rule: 'refunds-high',
  says: 'resolved',
  severity: 'info',
  measure: 'refundShare',
  unit: 'percent',
  value: '3.250',
  bound: { side: 'above', at: '5.000' },
  since: '2026-11-20T07:30:00.000Z',
  until: '2026-11-20T10:30:00.000Z',
  course: { began: '5.125', worst: '8.750' },
});

export const LARGE_REFUND = aLine({
  rule: 'largest-refund',
  severity: 'critical',
  measure: 'largestRefund',
  unit: 'amount',
  value: '1234567.500',
  bound: { side: 'above', at: '5000.000' },
});

/** The mail of a check that such lines came of. */
export function anAlert(changes: Changes<AlertInput> = {}): AlertInput {
  return {
    day: '2026-11-20',
    checkedAt: '2026-11-20T10:30:00.000Z',
    replyTo: null,
    lines: [aLine()],
    ...changes,
    merchant: { ...MERCHANT, ...changes.merchant },
  };
}

export function aNotice(changes: Partial<OpsNotice> = {}): OpsNotice {
  return {
    about: 'mail held: mail/day=2026-11-20/merchant=700001/r0001.json, round 1',
    merchants: ['700001'],
    days: ['2026-11-20'],
    happened: 'mail of a report is held',
    meaning: ['It is not known whether the mail arrived.'],
    tried: ['Daybook does not send it again by itself.'],
    toDo: ['Read the ledger.', 'Ask the recipient.'],
    headings: ['mailHeld'],
    commands: [
      { shows: 'The ledger', does: 'show object', key: 'mail/day=2026-11-20/merchant=700001/r0001.json' },
    ],
    ...changes,
  };
}

/** A notice whose texts are all that value. */
export function noticeOf(value: string): OpsNotice {
  return aNotice({
    merchants: [value],
    days: [value],
    happened: value,
    meaning: [value],
    tried: [value],
    toDo: [value],
    errors: [value],
    commands: [
      { shows: value, does: 'show object', key: value },
      { shows: value, does: 'show log', functionName: 'plan', find: value },
      { shows: value, does: 'invoke', functionName: 'plan', event: { value } },
    ],
    list: { heading: 'They', lines: [value], total: 3 },
  });
}
