import { describe, expect, it } from 'vitest';
import { fieldPath } from '#domain/json/schema-issue.ts';
import { registryProblems } from '#domain/registry/registry-problems.ts';

const service = { baseUrl: 'https://pay.example.com' };

/** Each problem as `path (merchant): reason`. */
function problemsIn(json: unknown): string[] {
  return registryProblems(json).map(({ at, merchantCode, reason, consequence }) => {
    return `${fieldPath(at)}${merchantCode === null ? '' : ` (${merchantCode})`}: ${reason}${consequence === undefined ? '' : `; ${consequence}`}`;
  });
}

function problemsOfEntry(entry: Record<string, unknown>, defaults: Record<string, unknown> = {}): string[] {
  return problemsIn({ service, defaults, merchants: [{ merchantCode: '700001', ...entry }] });
}

describe('the problems of a registry', () => {
  it('are none where nothing is wrong', () => {
    const entry = {
      recipients: ['a@example.com', 'b@example.com'],
      invoiceStatuses: { 0: 'not_paid', 1: 'paid', 3: 'cancelled', 7: 'other' },
      refunds: { statuses: { 1: 'approved' } },
      alerts: [{ name: 'r', measure: 'unpaidCount', above: 1 }],
    };
    expect(problemsOfEntry(entry, { language: 'ar' })).toEqual([]);
    expect(problemsIn({ $schema: 'x', service, merchants: [] })).toEqual([]);
  });

  it('are those of all parts at once, whatever else is wrong', () => {
    const json = {
      service: { baseUrl: 'pay.example.com', loginPath: 'login', port: 1 },
      default: {},
      defaults: { reportAt: '6:30', name: 'all', alerts: [{ name: 'r', measure: 'x', above: 1 }] },
      merchants: [
        { merchantCode: '700001', reciepients: [], language: 'fr', lookbackDays: [0] },
        { merchantCode: '700001', reportAt: '06:30' },
        'x',
        { merchantCode: 'a b', alerts: [{ name: 'r', measure: 'unpaidCount', abov: 1 }] },
      ],
    };
    expect(problemsIn(json)).toEqual([
      'service.baseUrl: must be a valid url',
      'service.loginPath: must begin with one "/" and have no "\\", "?" or "#"',
      'defaults.reportAt: must be HH:MM; 2 entries inherit it',
      'merchants[0].language (700001): must be one of ar, en',
      'merchants[0].lookbackDays[0] (700001): is out of bounds (at least 1)',
      'merchants[1].merchantCode (700001): is the code of merchants[0], too',
      'merchants[2]: must be object',
      'merchants[3].merchantCode: must be letters, digits and "-", 64 at most',
      'default: is not known here and has no effect',
      'service.port: is not known here and has no effect',
      'defaults.name: is for one merchant and has no effect in the defaults',
      'merchants[0].reciepients (700001): is not known here and has no effect',
      expect.stringMatching(/^defaults[.]alerts\[0\][.]measure: must be one of /),
      'merchants[3].alerts[0].above: "above" or "below" must be given',
      'merchants[3].alerts[0].abov: is not known here and has no effect',
    ]);
  });

  it.each([
    [7, ['(root): must be object']],
    [[], ['(root): must be object']],
    [{}, ['service: is missing, must be object', 'merchants: is missing, must be array']],
    [{ service, defaults: [], merchants: {} }, ['defaults: must be object', 'merchants: must be array']],
  ])('are those of the frame: %j', (json, problems) => {
    expect(problemsIn(json).map((line) => line.replace(/^: /, '(root): '))).toEqual(problems);
  });

  it('have a bad default once, and also if no entry inherits it', () => {
    const merchants = ['1', '2', '3'].map((merchantCode) => ({ merchantCode }));
    expect(problemsIn({ service, defaults: { currency: 'kd' }, merchants })).toEqual([
      'defaults.currency: must be a currency code of three capitals; 3 entries inherit it',
    ]);
    expect(problemsIn({ service, defaults: { currency: 'kd' }, merchants: [] })).toEqual([
      'defaults.currency: must be a currency code of three capitals',
    ]);
  });

  it.each([
    [
      { recipients: ['A@example.com', 'b@example.com', 'a@example.com'] },
      ['recipients[2] (700001): is the address of recipients[0], too'],
    ],
    [
      { invoiceStatuses: { 1: 'paid', paid: 'paid' } },
      [
        'invoiceStatuses (700001): has no word for 0, 3: such invoices count as other',
        'invoiceStatuses.paid (700001): must be the number of a status',
      ],
    ],
    [
      { refunds: { statuses: { 0: 'pending', approved: '1' } } },
      [
        'refunds.statuses (700001): has no word for 1: such refunds count as other',
        'refunds.statuses (700001): names no status "approved": the net of a report is unknown',
        'refunds.statuses.approved (700001): must be the number of a status',
      ],
    ],
    [{ refunds: { statuses: {} } }, []],
    [
      { recipients: 'a@example.com', invoiceStatuses: [] },
      ['recipients (700001): must be array', 'invoiceStatuses (700001): must be record'],
    ],
  ])('are also settings that do less than they seem to: %j', (entry, problems) => {
    expect(problemsOfEntry(entry)).toEqual(problems.map((line) => `merchants[0].${line}`));
  });

  it('are found in linear time when everything is wrong', () => {
    const rule = { name: 'a b', measure: 'unpaid', severity: 'x', forChecks: 0, color: 1 };
    const wrong = { reportAt: 1, lookbackDays: [0, 0], recipients: ['x', 'x'], alerts: [rule], a: 1, b: 2 };
    const merchants = Array.from({ length: 10_000 }, (_, index) => ({
      merchantCode: `${index % 5_000}`,
      ...wrong,
    }));
    const defaults = {
      refunds: { statuses: Object.fromEntries(merchants.map((_, index) => [`x${index}`, 'A'])) },
    };
    // Quadratic work would exceed the time of a test.
    expect(registryProblems({ service, defaults, merchants }).length).toBeGreaterThan(100_000);
  });
});
