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

  it('are also those of entries without a usable code', () => {
    const merchants = ['x', { merchantCode: 'a b', lookbackDays: [0] }];
    expect(problemsIn({ service: { baseUrl: 'pay', loginPath: 'login' }, merchants })).toEqual([
      'service.baseUrl: must be a valid url',
      'service.loginPath: must begin with one "/" and have no "\\", "?" or "#"',
      'merchants[0]: must be object',
      'merchants[1].merchantCode: must be letters, digits and "-", 64 at most',
      'merchants[1].lookbackDays[0]: is out of bounds (at least 1)',
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
    const frame = { service, defaults: { currency: 'kd' } };
    const problem = 'defaults.currency: must be a currency code of three capitals';
    expect(problemsIn({ ...frame, merchants })).toEqual([`${problem}; 3 entries inherit it`]);
    expect(problemsIn({ ...frame, merchants: [] })).toEqual([problem]);
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
        'refunds.statuses.approved (700001): must be the number of a status',
        'refunds.statuses (700001): names no status "approved": the net of a report is unknown',
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
    const weeklyOne = { ...group, name: 'a', merchants: { prefix: '70' }, weekly };
    const monthlyOne = { ...group, name: 'b', daily: false, monthly, merchants: ['700001'] };
    for (const groups of [[], [group, weeklyOne, monthlyOne]]) expect(problemsOf(groups)).toEqual([]);
  });

  it('are also addresses and codes that appear twice', () => {
    const twice = { merchants: ['700001', '700001', 'x y'], recipients: ['a@b.co', 'A@b.co'] };
    expect(problemsOf([{ ...group, ...twice }, 7])).toEqual([
      'groups[0].merchants[2]: must be letters, digits and "-", 64 at most',
      'groups[1]: must be object',
      'groups[0].recipients[1]: is the address of recipients[0], too',
      'groups[0].merchants[1]: is the code of merchants[0], too',
    ]);
  });

  it('are also those of the frame, and of a default that groups inherit', () => {
    for (const groups of [{}, 'all']) expect(problemsOf(groups)).toEqual(['groups: must be array']);
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
