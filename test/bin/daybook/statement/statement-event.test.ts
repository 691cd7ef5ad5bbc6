import { describe, expect, it } from 'vitest';
import { statementEvent } from '#bin/daybook/statement/statement.ts';
import type { StatementOptions } from '#bin/daybook/statement/statement.ts';

const CODE = '700001';
const DEFAULTS = { period: 'last-month', send: true };
type Given = Partial<StatementOptions>;

describe('statementEvent', () => {
  it.each<[string | undefined, Given, Record<string, unknown>]>([
    [CODE, {}, { merchantCode: CODE }],
    [undefined, { group: 'shops', period: '2026-11-20' }, { group: 'shops', period: '2026-11-20' }],
    [CODE, { dryRun: true }, { merchantCode: CODE, dryRun: true }],
    [CODE, { send: false }, { merchantCode: CODE, send: false }],
    [CODE, { to: ['me@example.com'] }, { merchantCode: CODE, to: ['me@example.com'] }],
    [CODE, { resend: true }, { merchantCode: CODE, resend: true }],
    [CODE, { resend: true, failed: true }, { merchantCode: CODE, resend: 'failed' }],
    [CODE, { resend: true, only: ['a@example.com'] }, { merchantCode: CODE, resend: ['a@example.com'] }],
  ])('of %s with %j is %j', (code, options, event) => {
    expect(statementEvent(code, { ...DEFAULTS, ...options })).toEqual({ period: 'last-month', ...event });
  });

  it.each<[string | undefined, Given, string]>([
    [undefined, {}, "give a merchant's code, or a group with --group"],
    [CODE, { group: 'shops' }, 'give either a merchant or --group, not both'],
    [CODE, { failed: true }, '--failed goes with --resend'],
    [CODE, { only: ['a@example.com'] }, '--only goes with --resend'],
    [CODE, { resend: true, failed: true, only: ['a@example.com'] }, 'give either --failed or --only'],
    [CODE, { resend: true, send: false }, '--resend and --no-send cannot be given together'],
    [CODE, { to: ['a@example.com'], dryRun: true }, '--dry-run and --to cannot be given together'],
  ])('of %s with %j is a usage error', (code, options, message) => {
    expect(() => statementEvent(code, { ...DEFAULTS, ...options })).toThrow(message);
  });
});
