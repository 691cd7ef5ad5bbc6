import { memberChanges } from '#bin/daybook/merchant/set.ts';

const ENTRY = { merchantCode: '700001', refunds: { source: 'list' } };
const files = (name: string) => (name === 'rules.json' ? '[{"name":"a"}]' : '{');

function changes(...assignments: string[]) {
  return memberChanges(assignments, ENTRY, files);
}

it.each([
  ['reportAt=07:30', { reportAt: '07:30' }],
  ['recipients=a@example.com, b@example.com', { recipients: ['a@example.com', 'b@example.com'] }],
  ['recipients=a@example.com', { recipients: ['a@example.com'] }],
  ['recipients=[]', { recipients: [] }],
  ['invoiceTypes=1,0', { invoiceTypes: ['1', '0'] }],
  ['lookbackDays=1,3', { lookbackDays: [1, 3] }],
  ['lookbackDays=1', { lookbackDays: [1] }],
  ['maxConcurrency=4', { maxConcurrency: 4 }],
  ['attachCsv=true', { attachCsv: true }],
  ['merchantId=1084', { merchantId: '1084' }],
  ['name=Al = Noor', { name: 'Al = Noor' }],
  ['language=', { language: undefined }],
  ['alerts=@rules.json', { alerts: [{ name: 'a' }] }],
  ['invoiceStatuses={"0":"paid"}', { invoiceStatuses: { 0: 'paid' } }],
  ['refunds.statuses={"0":"pending"}', { refunds: { source: 'list', statuses: { 0: 'pending' } } }],
  ['refunds.source=', { refunds: {} }],
  ['branding.colour=#0b5c4a', { branding: { colour: '#0b5c4a' } }],
  ['weekStart=monday', { weekStart: 'monday' }],
  ['statements.waitFor=2d', { statements: { waitFor: '2d' } }],
  [
    'statements.weekly={"on":"friday","at":"08:00"}',
    { statements: { weekly: { on: 'friday', at: '08:00' } } },
  ],
  ['statements.monthly=null', { statements: { monthly: null } }],
  ['statements=null', { statements: null }],
])('takes %s', (assignment, expected) => {
  expect(changes(assignment)).toEqual(expected);
});

it('takes several, also of one object', () => {
  expect(changes('refunds.source=both', 'refunds.statuses={}', 'reportAt=05:00')).toEqual({
    refunds: { source: 'both', statuses: {} },
    reportAt: '05:00',
  });
});

it.each([
  ['reportAt', 'member=value'],
  ['reciepients=a@example.com', 'did you mean recipients?'],
  ['refunds.sources=list', 'did you mean refunds.source?'],
  ['merchantCode=1', 'cannot be changed'],
  ['reportAt=25:00', 'HH:MM'],
  ['attachCsv=perhaps', 'attachCsv'],
  ['invoiceStatuses.0=paid', 'cannot be set alone: set all of invoiceStatuses. For example: '],
  ['recipients=owner', 'recipients: must be a valid email, given "owner"'],
  ['alerts=unpaid', 'alerts: must be a list, given "unpaid"'],
  ['weekStart=Sunday', 'given "Sunday" - did you mean "sunday"?'],
  ['statements.weekly=sunday', 'statements.weekly: must be an object, given "sunday"'],
  ['statements.weekly={"on":"sunday"', 'statements.weekly: is not valid JSON'],
  ['statements.weekly={"on":"sunday"}', 'statements.weekly.at: is missing, must be a text'],
  ['statements.weekly={"on":"Sunday","at":"08:00"}', 'given "Sunday" - did you mean "sunday"?'],
  ['statements.weekly={"on":"friday","at":"8"}', 'statements.weekly.at: must be HH:MM'],
  [
    'statements={"monthly":{"onDay":31,"at":"08:00"}}',
    'statements.monthly.onDay: is out of bounds (at most 28)',
  ],
  ['statements.weekly.on=friday', 'set all of statements.weekly. For example: '],
  ['name.first=Al', 'set all of name'],
  ['statements.daily=true', 'a merchant has no member statements.daily'],
  ['statements.waitFor=9d', 'must be at most 7d'],
  ['alerts=@none.json', 'none.json is not JSON'],
])('does not take %s', (assignment, says) => {
  expect(() => changes(assignment)).toThrow(says);
});

it.each([
  ...['alerts', 'attachments', 'attachments.paymentMethods', 'balance', 'branding', 'invoiceStatuses'],
  ...['refunds', 'refunds.statuses', 'statements', 'statements.monthly', 'statements.weekly'],
])('shows an example of the object that it takes, which it does take: %s', (name) => {
  for (const wrong of [`${name}=wrong`, `${name}={"wrong"`]) {
    expect(() => changes(wrong)).toThrow(/\. For example: /);
    try {
      changes(wrong);
    } catch (error) {
      const [, example = ''] = /For example: (.*)$/.exec(String(error)) ?? [];
      expect(example).toMatch(new RegExp(`^${name}='[{[]`));
      expect(changes(example.replaceAll("'", ''))).not.toEqual({});
    }
  }
});
