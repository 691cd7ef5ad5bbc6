import type { AlertLine } from '#domain/alerts/alert-state.ts';
import type { AlertInput } from '#rendering/alert/render-alert.ts';

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
    ...changes,
  };
}

export const STILL_FIRING = aLine({
  rule: 'report-late',
  says: 'still firing',
  severity: 'critical',
  measure: 'reportAge',
  unit: 'hours',
  value: '51.250',
  bound: { side: 'above', at: '26.000' },
  since: '2026-11-18T07:25:00.000Z',
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
export function anAlert(
  changes: Partial<Omit<AlertInput, 'merchant'>> & { merchant?: Partial<AlertInput['merchant']> } = {},
): AlertInput {
  return {
    day: '2026-11-20',
    check: '20261120T103000Z-9f2c61aa',
    checkedAt: '2026-11-20T10:30:00.000Z',
    lines: [aLine()],
    ...changes,
    merchant: {
      merchantCode: '700001',
      name: 'Kuwait Coffee',
      timeZone: 'Asia/Kuwait',
      currency: 'KWD',
      language: 'en',
      ...changes.merchant,
    },
  };
}
