import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { SettingsError, parseSettings, readSettings } from '#lib/settings.ts';

const members = z.record(z.string(), z.unknown());
/** A stage's file, open enough that a test can put a wrong value anywhere. */
const stageSchema = z.looseObject({
  region: z.unknown(),
  schedules: members,
  mail: members,
  branding: members.optional(),
  ops: members,
  service: members,
  retention: members,
  lake: members,
  concurrency: members,
});
type Json = z.infer<typeof stageSchema>;

const prod = () =>
  stageSchema.parse(
    JSON.parse(readFileSync(resolve(import.meta.dirname, '../../lib/stages/prod.json'), 'utf8')),
  );

function changed(change: (settings: Json) => void): () => unknown {
  const json = prod();
  change(json);
  return () => parseSettings('prod', json);
}

const lakeTimes = { look: 'rate(1 hour)', mergeAt: '08:00', maintainOn: 'friday' };

describe('settings of a stage', () => {
  it.each(['dev', 'prod'])('are valid for %s as they are in the repository', (stage) => {
    expect(readSettings(stage)).toMatchObject({ stage });
  });

  it.each<[string, (settings: Json) => void]>([
    ['schedules.timeZone: is no known time zone', (all) => (all.schedules['timeZone'] = 'Asia/Kuwayt')],
    ['schedules.daily: must be a schedule', (all) => (all.schedules['daily'] = 'every 15 minutes')],
    ['schedules.daily: must be a schedule', (all) => (all.schedules['daily'] = 'cron(0/15 * * * *)')],
    ['mail.domain: is missing', (all) => delete all.mail['domain']],
    ['mail.domain: must be a domain', (all) => (all.mail['domain'] = 'Daybook.example.com')],
    ['mail.from: must be a mail address', (all) => (all.mail['from'] = 'reports')],
    ['mail.from: must be an address of mail.domain', (all) => (all.mail['from'] = 'reports@example.org')],
    ['mail.fromName: is not a setting', (all) => (all.mail['fromName'] = 'Daybook')],
    ['branding.colour: has a contrast of 1.51 to 1', (all) => (all.branding = { colour: '#ffcc00' })],
    ['branding.logo: must be an https URL', (all) => (all.branding = { logo: 'http://example.com/a.png' })],
    ['branding.name: is not a setting', (all) => (all.branding = { name: 'Gulf Pay' })],
    ['mail.replyTo: must be a mail address', (all) => (all.mail['replyTo'] = 'A <b@example.com>')],
    ['mail.unsubscribe: must be a mail address', (all) => (all.mail['unsubscribe'] = 'nobody')],
    [
      'mail.hostedZone.name: must be mail.domain',
      (all) => (all.mail['hostedZone'] = { id: 'Z1', name: 'ample.com' }),
    ],
    ['ops.recipients[0]: must be a mail address', (all) => (all.ops['recipients'] = ['operations'])],
    [
      'ops: needs recipients or subscribers',
      (all) => Object.assign(all.ops, { recipients: [], subscribers: [] }),
    ],
    ['service.origins[0]: must be an origin', (all) => (all.service['origins'] = ['http://api.example.com'])],
    [
      'service.origins[0]: must be an origin',
      (all) => (all.service['origins'] = ['https://api.example.com/v1']),
    ],
    [
      'retention.ledgerDays: must not be less than manifestDays',
      (all) => (all.retention['ledgerDays'] = 100),
    ],
    ['retention.manifestDays: must not be less than dataDays', (all) => (all.retention['manifestDays'] = 60)],
    ['retention.logDays: must be one of', (all) => (all.retention['logDays'] = 8)],
    ['region: must be a region', (all) => (all.region = 'frankfurt')],
    ['lake.firstDay: must be a date', (all) => (all.lake['firstDay'] = '2026-02-30')],
    [
      'lake.schedules.mergeAt: must be a time of day',
      (all) => (all.lake['schedules'] = { ...lakeTimes, mergeAt: '24:00' }),
    ],
    [
      'lake.schedules.maintainOn: must be one of sunday',
      (all) => (all.lake['schedules'] = { ...lakeTimes, maintainOn: 'FRI' }),
    ],
    [
      'lake.schedules.look: must run at least every hour',
      (all) => (all.lake['schedules'] = { ...lakeTimes, look: 'rate(2 hours)' }),
    ],
    ['concurrency.reports: must be', (all) => (all.concurrency['reports'] = 0)],
    ['schedules.timeZone: is no known time zone', (all) => (all.schedules['timeZone'] = '+03:00')],
    ['schedules.daily: must be a schedule', (all) => (all.schedules['daily'] = 'cron(99/15 * * * ? *)')],
    ...['0/60', '1E1', '0X1F', '007', '5,*/77'].map((minute): [string, (all: Json) => void] => [
      'schedules.daily: must be a schedule',
      (all) => (all.schedules['daily'] = `cron(${minute} * * * ? *)`),
    ]),
    ['schedules.alerts: must be a schedule', (all) => (all.schedules['alerts'] = 'cron(0 6 * * * *)')],
    ['schedules.watch: must run at least every hour', (all) => (all.schedules['watch'] = 'rate(1 day)')],
    [
      'schedules.daily: must run at least every hour',
      (all) => (all.schedules['daily'] = 'cron(0 6 * * ? *)'),
    ],
    [
      'schedules.daily: must run at least every hour',
      (all) => (all.schedules['daily'] = 'cron(0 * ? * MON *)'),
    ],
    [
      'schedules.sweep: must run at least every hour',
      (all) => (all.schedules['sweep'] = 'cron(0 25 * * ? *)'),
    ],
    ['mail.from: must be', (all) => (all.mail['from'] = 'Daybook\u0000 <reports@daybook.example.com>')],
    [
      'service.origins[0]: must be an origin',
      (all) => (all.service['origins'] = ['https://api,b.example.com']),
    ],
    [
      'ops.subscribers: has an address twice',
      (all) => (all.ops['subscribers'] = ['a@example.com', 'a@example.com']),
    ],
    [
      'ops.recipients: must be 20 at most',
      (all) => (all.ops['recipients'] = Array.from({ length: 21 }, (_, i) => `a${i}@example.com`)),
    ],
    ['ops.runbook: must be a URL', (all) => (all.ops['runbook'] = 'javascript:alert(1)')],
    ['ops.runbook: must have no fragment', (all) => (all.ops['runbook'] = 'https://example.com/#a')],
    ['ops.runbook: must be 500', (all) => (all.ops['runbook'] = `https://example.com/${'a'.repeat(500)}`)],
    ['retention.dataDays: must be at least 14', (all) => (all.retention['dataDays'] = 7)],
    ['region: has no SES', (all) => (all.region = 'cn-north-1')],
    ['dedlines: is not a setting', (all) => (all['dedlines'] = {})],
  ])('are refused with a message: %s', (message, change) => {
    expect(changed(change)).toThrow(SettingsError);
    expect(changed(change)).toThrow(`prod.json: ${message}`);
  });

  it.each(['rate(15 minutes)', 'rate(1 hour)', 'cron(0/15 * * * ? *)', 'cron(5,35 0-23 ? * * *)'])(
    'accept the schedule %s',
    (schedule) => {
      const json = prod();
      Object.assign(json.schedules, { daily: schedule, watch: schedule, alerts: schedule });
      expect(parseSettings('prod', json)).toMatchObject({ schedules: { daily: schedule } });
    },
  );

  it('allow any interval for the alert checks', () => {
    for (const alerts of ['rate(1 day)', 'cron(0 6-22/2 ? * SUN-THU *)', 'cron(30 6 L * ? 2027)']) {
      const json = prod();
      json.schedules['alerts'] = alerts;
      expect(parseSettings('prod', json)).toMatchObject({ schedules: { alerts } });
    }
  });

  it('are refused with all faults at once', () => {
    const change = (all: Json) => {
      all.region = {};
      delete all['deadlines'];
    };
    expect(changed(change)).toThrow(/prod.json: region: .*\nprod.json: deadlines: is missing/);
  });

  it('can be in a file elsewhere, whose name is the stage', () => {
    const file = join(mkdtempSync(join(tmpdir(), 'daybook-settings-')), 'kuwait.json');
    writeFileSync(file, JSON.stringify(prod()));
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
    const wrong = prod();
    wrong.schedules['timeZone'] = 'Asia/Kuwayt';
    wrong.mail['from'] = 'reports';
    writeFileSync(file, JSON.stringify(wrong));
    const { status, stdout, stderr } = spawnSync(process.execPath, ['bin/app.ts'], {
      cwd: resolve(import.meta.dirname, '../..'),
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
});
