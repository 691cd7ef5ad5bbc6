import { describe, expect, it } from 'vitest';
import { reportEvent } from '#bin/daybook/report/report-event.ts';
import type { ReportOptions } from '#bin/daybook/report/report-event.ts';

const CODE = '700001';

describe('reportEvent', () => {
  it.each<[Omit<ReportOptions, 'day'>, Record<string, unknown>]>([
    [{}, {}],
    [{ dryRun: true }, { dryRun: true }],
    [{ to: ['me@example.com'] }, { to: ['me@example.com'] }],
    [{ resend: true }, { resend: true }],
    [{ resend: true, failed: true }, { resend: 'failed' }],
    [{ resend: true, only: ['a@example.com'] }, { resend: ['a@example.com'] }],
  ])('of %j is %j', (options, event) => {
    expect(reportEvent(CODE, { day: 'yesterday', ...options })).toEqual({
      merchantCode: CODE,
      day: 'yesterday',
      ...event,
    });
  });

  it.each<[Omit<ReportOptions, 'day'>, string]>([
    [{ failed: true }, '--failed goes with --resend'],
    [{ only: ['a@example.com'] }, '--only goes with --resend'],
    [{ resend: true, failed: true, only: ['a@example.com'] }, 'give either --failed or --only'],
    [{ resend: true, dryRun: true }, '--dry-run and --resend cannot be given together'],
    [{ to: ['a@example.com'], resend: true }, '--to and --resend cannot be given together'],
  ])('of %j is a usage error', (options, message) => {
    expect(() => reportEvent(CODE, { day: 'yesterday', ...options })).toThrow(message);
  });
});
