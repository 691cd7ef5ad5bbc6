import { describe, expect, it } from 'vitest';
import { fieldPath } from '#records/json/schema-issue.ts';
import { registryProblems } from '#bin/daybook/check/registry-problems.ts';

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

const weekly = { on: 'sunday', at: '08:00' };
const monthly = { onDay: 1, at: '09:00' };
const never = 'merchants[0].statements (700001): has neither "weekly" nor "monthly": no statement comes';

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

  it.each<[object, object, string[]]>([
    [{ weekly }, {}, []],
    [{ waitFor: '1d' }, { monthly }, []],
    [{ weekly: null }, { weekly }, []],
    [{}, {}, [never]],
    [{ waitFor: '1d' }, {}, [never]],
    [{ waitFor: '1d' }, { correctFor: '2d' }, [never]],
    // The entry has another problem, which comes first.
    [{ waitFor: '8d' }, {}, ['merchants[0].statements.waitFor (700001): must be at most 7d']],
  ])('are also statements that never come: %j over %j', (statements, inherited, problems) => {
    expect(problemsOfEntry({ statements }, { statements: inherited })).toEqual(problems);
    expect(problemsOfEntry({}, { statements: inherited })).toEqual([]);
  });
});

describe('the problems of groups', () => {
  const group = { name: 'shops', merchants: 'all', recipients: ['a@example.com'], daily: true };
  const problemsOf = (groups: unknown, defaults: object = {}) =>
    problemsIn({ service, defaults, merchants: [{ merchantCode: '700001' }], groups });

  it('are none where nothing is wrong', () => {
    expect(problemsOf([])).toEqual([]);
    expect(problemsOf([group, { ...group, name: 'a', merchants: { prefix: '70' }, weekly }])).toEqual([]);
    expect(problemsOf([{ ...group, daily: false, monthly, merchants: ['700001'] }])).toEqual([]);
  });

  it('are all of them at once, each by its path', () => {
    const groups = [
      group,
      { ...group, daily: 'yes', recipients: undefined },
      { ...group, name: 'b', weekly: { on: 'monday', at: '8', day: 1 }, branding: { color: 'red' } },
      { ...group, name: 'c', daily: false, recipients: [], reciepients: [] },
      { ...group, name: 'd', merchants: ['700001', '9', '700001', 'x y'], recipients: ['a@b.co', 'A@b.co'] },
      { ...group, name: 'e', merchants: { prefix: '9', suffix: '1' } },
      7,
    ];
    expect(problemsOf(groups)).toEqual([
      'groups[1].recipients: is missing, must be array',
      'groups[1].daily: must be boolean',
      'groups[1].name: is the name of groups[0], too',
      'groups[2].weekly.at: must be HH:MM',
      'groups[4].merchants[3]: must be letters, digits and "-", 64 at most',
      'groups[6]: must be object',
      'groups[2].branding.color: is not known here and has no effect',
      'groups[2].weekly.day: is not known here and has no effect',
      'groups[3].reciepients: is not known here and has no effect',
      'groups[4].merchants[1]: is the code of no merchant in the registry',
      'groups[5].merchants.suffix: is not known here and has no effect',
      'groups[5].merchants.prefix: finds no merchant in the registry',
      'groups[3]: has neither "daily": true nor "weekly" or "monthly": no page of it comes by itself',
      'groups[3].recipients: is empty: nobody gets its pages',
      'groups[4].recipients[1]: is the address of recipients[0], too',
      'groups[4].merchants[2]: is the code of merchants[0], too',
    ]);
  });

  it('are also those of the frame, and of a default that groups inherit', () => {
    expect(problemsOf({})).toEqual(['groups: must be array']);
    expect(problemsOf('all')).toEqual(['groups: must be array']);
    const many = Array.from({ length: 1_001 }, (_, index) => ({ ...group, name: `${index}` }));
    expect(problemsOf([...many.slice(0, 1_000), {}])).toEqual([
      'groups: has more than 1000 groups: the ones after these are not used',
    ]);
    expect(problemsOf([group], { language: 'fr' })).toEqual([
      'defaults.language: must be one of ar, en; 1 entry and 1 group inherit it',
    ]);
    expect(problemsOf([group, { ...group, name: 'b' }], { statements: { waitFor: '9d', weekly } })).toEqual([
      'defaults.statements.waitFor: must be at most 7d; 1 entry and 2 groups inherit it',
    ]);
    const own = { ...group, waitFor: '1d', correctFor: '1d' };
    expect(problemsOf([own], { statements: { waitFor: '9d' } })).toEqual([
      'defaults.statements.waitFor: must be at most 7d; 1 entry inherits it',
    ]);
  });
});
