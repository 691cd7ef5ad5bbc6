import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { SettingsError, parseSettings, readSettings } from '#lib/settings.ts';
import { membersOf } from '#support/assertions/index.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const PROD: unknown = JSON.parse(readFileSync(join(ROOT, 'lib/stages/prod.json'), 'utf8'));

/** The stage's file with another value at a path such as `mail.domain`. */
function prodWith(path: string, value: unknown, json = PROD): Record<string, unknown> {
  const [name = '', ...rest] = path.split('.');
  const members = membersOf(json);
  const member = rest.length === 0 ? value : prodWith(rest.join('.'), value, members[name] ?? {});
  return { ...members, [name]: member };
}

const group = (name: string, merchants: unknown = 'all') => ({ name, merchants });
const webhook = {
  name: 'shop',
  url: 'https://shop.example.org/daybook',
  of: 'all',
  signIn: { by: 'basic' },
  secret: 'daybook/prod/webhooks/shop',
};
const MANY = Array.from({ length: 21 }, (_, index) => `a${index}@example.com`);
const [NO_SCHEDULE, NOT_HOURLY] = ['must be a schedule', 'must run at least every hour'];

it.each(['dev', 'prod'])('are valid for %s as they are in the repository', (stage) => {
  expect(readSettings(stage)).toMatchObject({ stage });
});

it.each<[path: string, value: unknown, message: string, at?: string]>([
  ['schedules.timeZone', 'Asia/Kuwayt', 'is no known time zone'],
  ['schedules.timeZone', '+03:00', 'is no known time zone'],
  ['schedules.daily', 'every 15 minutes', NO_SCHEDULE],
  ['schedules.daily', 'cron(0/15 * * * *)', NO_SCHEDULE],
  ['schedules.daily', 'cron(99/15 * * * ? *)', NO_SCHEDULE],
  ...['0/60', '1E1', '0X1F', '007', '5,*/77'].map((minute): [string, string, string] => [
    'schedules.daily',
    `cron(${minute} * * * ? *)`,
    NO_SCHEDULE,
  ]),
  ['schedules.daily', 'cron(0 6 * * ? *)', NOT_HOURLY],
  ['schedules.daily', 'cron(0 * ? * MON *)', NOT_HOURLY],
  ['schedules.sweep', 'cron(0 25 * * ? *)', NOT_HOURLY],
  ['schedules.watch', 'rate(1 day)', NOT_HOURLY],
  ['schedules.alerts', 'cron(0 6 * * * *)', NO_SCHEDULE],
  ['mail.domain', undefined, 'is missing'],
  ['mail.domain', 'Daybook.example.com', 'must be a domain'],
  ['mail.from', 'reports', 'must be a mail address'],
  ['mail.from', 'reports@example.org', 'must be an address of mail.domain'],
  ['mail.from', 'Daybook\u0000 <reports@daybook.example.com>', 'must be'],
  ['mail.fromName', 'Daybook', 'is not a setting'],
  ['mail.replyTo', 'A <b@example.com>', 'must be a mail address'],
  ['mail.unsubscribe', 'nobody', 'must be a mail address'],
  ['mail.hostedZone', { id: 'Z1', name: 'ample.com' }, 'must be mail.domain', 'mail.hostedZone.name'],
  ['branding.colour', '#ffcc00', 'has a contrast of 1.51 to 1'],
  ['branding.logo', 'http://example.com/a.png', 'must be an https URL'],
  ['branding.name', 'Gulf Pay', 'is not a setting'],
  ['ops.recipients', ['operations'], 'must be a mail address', 'ops.recipients[0]'],
  ['ops.recipients', MANY, 'must be 20 at most'],
  ['ops.subscribers', ['a@example.com', 'a@example.com'], 'has an address twice'],
  ['ops.runbook', 'javascript:alert(1)', 'must be a URL'],
  ['ops.runbook', 'https://example.com/#a', 'must have no fragment'],
  ['ops.runbook', `https://example.com/${'a'.repeat(500)}`, 'must be 500'],
  ['service.origins', ['http://api.example.com'], 'must be an origin', 'service.origins[0]'],
  ['service.origins', ['https://api.example.com/v1'], 'must be an origin', 'service.origins[0]'],
  ['service.origins', ['https://api,b.example.com'], 'must be an origin', 'service.origins[0]'],
  ['retention.ledgerDays', 100, 'must not be less than manifestDays'],
  ['retention.manifestDays', 60, 'must not be less than dataDays'],
  ['retention.dataDays', 7, 'must be at least 14'],
  ['retention.logDays', 8, 'must be one of'],
  ['region', 'frankfurt', 'must be a region'],
  ['region', 'cn-north-1', 'has no SES'],
  ['lake.firstDay', '2026-02-30', 'must be a date'],
  ['lake.schedules.mergeAt', '24:00', 'must be a time of day'],
  ['lake.schedules.maintainOn', 'FRI', 'must be one of sunday'],
  ['lake.schedules.look', 'rate(2 hours)', NOT_HOURLY],
  ['lake.groups', [group('North')], 'must be a name', 'lake.groups[0].name'],
  ['lake.groups', [group('north_')], 'must be a name', 'lake.groups[0].name'],
  ['lake.groups', [group('north', [])], 'must be "all" or a list', 'lake.groups[0].merchants'],
  ['lake.groups', [group('north', ['1', '1'])], 'must be "all" or a list', 'lake.groups[0].merchants'],
  ['lake.groups', [group('north', ["7' OR 1=1"])], 'must be the code of', 'lake.groups[0].merchants[0]'],
  ['lake.groups', [group('a_b'), group('ab')], 'has a name twice'],
  ['concurrency.reports', 0, 'must be'],
  ['dedlines', {}, 'is not a setting'],
  ['events.webhooks', [webhook, webhook], 'has a name twice'],
])('are refused with a message: %s %j %s', (path, value, message, at = path) => {
  const refused = () => parseSettings('prod', prodWith(path, value));
  expect(refused).toThrow(SettingsError);
  expect(refused).toThrow(`prod.json: ${at}: ${message}`);
});

it('need somebody who is told about failures', () => {
  const nobody = prodWith('ops.recipients', [], prodWith('ops.subscribers', []));
  expect(() => parseSettings('prod', nobody)).toThrow('prod.json: ops: needs recipients or subscribers');
});

it.each<[member: string, value: unknown, message: string]>([
  ...[
    'http://shop.example.org',
    'https://name:word@shop.example.org/',
    'https://shop.example.org/a b',
    'https://shop.example.org/#events',
    'https://shop.example.org/*',
    'https:///events',
    `https://shop.example.org/${'x'.repeat(2_048)}`,
  ].map((url): [string, string, string] => ['url', url, 'url: must be a URL with https']),
  ['signIn', { by: 'key', header: 'x key' }, 'signIn.header: must be the name of a header'],
  ['signIn', { by: 'hmac' }, 'signIn'],
  ['types', [], 'types: names nothing'],
  ['types', ['Sold'], 'types[0]: must be of ReportSealed'],
  ['of', { merchants: [] }, 'of.merchants: names nobody'],
  ['colour', 'red', 'colour: is not a setting'],
])('refuse a webhook that EventBridge cannot take: %s %j', (member, value, message) => {
  const wrong = prodWith('events.webhooks', [{ ...webhook, [member]: value }]);
  expect(() => parseSettings('prod', wrong)).toThrow(`prod.json: events.webhooks[0].${message}`);
});

it.each(['rate(15 minutes)', 'rate(1 hour)', 'cron(0/15 * * * ? *)', 'cron(5,35 0-23 ? * * *)'])(
  'accept the schedule %s',
  (daily) => {
    const { schedules } = parseSettings('prod', prodWith('schedules.daily', daily));
    expect(schedules.daily).toBe(daily);
  },
);

it.each(['rate(1 day)', 'cron(0 6-22/2 ? * SUN-THU *)', 'cron(30 6 L * ? 2027)'])(
  'allow any interval for the alert checks: %s',
  (alerts) => {
    expect(parseSettings('prod', prodWith('schedules.alerts', alerts)).schedules.alerts).toBe(alerts);
  },
);

it('have no groups of analysts, and a group sees no customers’ data, unless they say so', () => {
  expect(readSettings('prod').lake.groups).toEqual([]);
  const { lake } = parseSettings('prod', prodWith('lake.groups', [group('north', ['700001'])]));
  expect(lake.groups).toEqual([{ name: 'north', merchants: ['700001'], personal: false }]);
});

it('are refused with all faults at once', () => {
  const wrong = prodWith('region', {}, prodWith('deadlines', undefined));
  expect(() => parseSettings('prod', wrong)).toThrow(
    /prod.json: region: .*\nprod.json: deadlines: is missing/,
  );
});

it('can be in a file elsewhere, whose name is the stage', () => {
  const file = join(mkdtempSync(join(tmpdir(), 'daybook-settings-')), 'kuwait.json');
  writeFileSync(file, JSON.stringify(PROD));
  expect(readSettings(file)).toMatchObject({ stage: 'kuwait', region: 'eu-central-1' });
});

it('name the file that cannot be read, and the known stages', () => {
  expect(() => readSettings('/nowhere/kuwait.json')).toThrow('/nowhere/kuwait.json cannot be read');
  expect(() => readSettings('staging')).toThrow(
    'stage "staging" is not known: use -c stage=dev, -c stage=prod, or the path of your own file',
  );
  expect(() => readSettings('../stages/dev')).toThrow('is not known');
  expect(() => readSettings(true)).toThrow('stage true is not known');
});

it.each([undefined, ''])('have no stage that is taken when none is named (%j)', (stage) => {
  expect(() => readSettings(stage)).toThrow('no stage is named: use -c stage=dev, -c stage=prod');
});

it('stop the synth when they are wrong, with one line for each fault', () => {
  const file = join(mkdtempSync(join(tmpdir(), 'daybook-settings-')), 'kuwait.json');
  const wrong = prodWith('mail.from', 'reports', prodWith('schedules.timeZone', 'Asia/Kuwayt'));
  writeFileSync(file, JSON.stringify(wrong));
  const { status, stdout, stderr } = spawnSync(process.execPath, ['bin/app.ts'], {
    cwd: ROOT,
    env: { ...process.env, CDK_CONTEXT_JSON: JSON.stringify({ stage: file }) },
    encoding: 'utf8',
  });
  expect(stdout).toBe('');
  expect(stderr.trim().split('\n')).toEqual([
    `${file}: mail.from: must be a mail address, or a name and <address>`,
    `${file}: schedules.timeZone: is no known time zone (IANA name, such as Asia/Kuwait)`,
  ]);
  expect(status).toBe(1);
});
