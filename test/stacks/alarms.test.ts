import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Template } from 'aws-cdk-lib/assertions';
import * as z from 'zod';
import { fragmentOf } from '#mail/notices/runbook.ts';
import { NAMED_QUERIES } from '#lib/lake/queries/index.ts';
import { propertiesOf, synthesise } from '#support/stacks/synthesised.ts';
import { defined } from '#support/assertions/index.ts';

const alarmSchema = z.object({
  AlarmName: z.string(),
  AlarmDescription: z.string(),
  AlarmActions: z.array(z.unknown()),
  OKActions: z.array(z.unknown()).default([]),
  InsufficientDataActions: z.array(z.unknown()).default([]),
  TreatMissingData: z.enum(['missing', 'notBreaching', 'breaching', 'ignore']),
  ComparisonOperator: z.string(),
  Threshold: z.number(),
  Namespace: z.string().optional(),
  MetricName: z.string().optional(),
  Dimensions: z.array(z.object({ Name: z.string(), Value: z.unknown() })).optional(),
  Period: z.number().optional(),
  EvaluationPeriods: z.number(),
});
const ofOneService = z.tuple([z.object({ Name: z.literal('service'), Value: z.string() })]);

const ROOT = resolve(import.meta.dirname, '../..');
const runbook = readFileSync(join(ROOT, 'docs/runbook.md'), 'utf8');
const sections = new Map(
  runbook
    .split(/^## /m)
    .slice(1)
    .map((section) => [fragmentOf(defined(section.split('\n')[0])), section]),
);
const WEBHOOK = { name: 'shop', url: 'https://shop.example.org', of: 'all', secret: 'shop' } as const;
const { templates, template, settings } = await synthesise('prod', (stage) => {
  const webhook = { ...WEBHOOK, signIn: { by: 'basic' as const }, rate: 10, retries: 185 };
  Object.assign(stage, { links: true, unsubscribe: true, proofs: true, events: { webhooks: [webhook] } });
});
const alarmsIn = (stack: Template) =>
  Object.values(propertiesOf(stack, 'AWS::CloudWatch::Alarm', alarmSchema));
const alarms = Object.values(templates).flatMap(alarmsIn);

type Alarm = z.infer<typeof alarmSchema>;
type State = 'OK' | 'ALARM' | 'INSUFFICIENT_DATA';

const heartbeats = alarms.filter(({ AlarmName }) => AlarmName.includes('-did-not-'));

const isNamed = (name: string) => (alarm: Alarm) => alarm.AlarmName === `daybook-prod-${name}`;
const named = (name: string) => defined(alarms.find(isNamed(name)), name);

const WITHOUT_DATA = { notBreaching: 'OK', breaching: 'ALARM' } as const;

/** The state of an alarm whose metric has no data at all, by CloudWatch's rules. */
function stateWithoutData({ TreatMissingData: as }: Alarm): State {
  return as === 'missing' || as === 'ignore' ? 'INSUFFICIENT_DATA' : WITHOUT_DATA[as];
}

/** Who is notified while an alarm goes through these states: CloudWatch acts when the state changes, and only then. */
function notified(alarm: Alarm, states: readonly State[]): unknown[] {
  const { OKActions: OK, AlarmActions: ALARM, InsufficientDataActions: INSUFFICIENT_DATA } = alarm;
  const actions = { OK, ALARM, INSUFFICIENT_DATA };
  return states.flatMap((state, index) => (index === 0 || state === states[index - 1] ? [] : actions[state]));
}

it.each(alarms)('tell their impact, where to read on, and nobody too early: $AlarmName', (alarm) => {
  const { AlarmName: name, AlarmDescription, AlarmActions, Period = 3_600, EvaluationPeriods } = alarm;
  const [, impact, link] = /^(.+\.) Runbook: (\S+)$/.exec(AlarmDescription) ?? [];
  expect(impact).toBeDefined();
  const [url, fragment = ''] = defined(link).split('#');
  expect(url).toBe(settings.ops.runbook);
  expect(sections.get(fragment), `docs/runbook.md has no heading for #${fragment}`).toContain(
    `\`${name.replace('daybook-prod-', '')}\``,
  );
  expect(AlarmActions).toHaveLength(1);
  // After a first deploy, an alarm has too little data. Then it is evaluated without data, and at last with those of the first run.
  expect(notified(alarm, ['INSUFFICIENT_DATA', stateWithoutData(alarm), 'OK'])).toEqual([]);
  // CloudWatch looks back no longer.
  expect(Period * EvaluationPeriods).toBeLessThanOrEqual(Period < 3_600 ? 86_400 : 604_800);
});

it.each([...sections])(
  'have a section in the runbook with description, investigation and resolution: %s',
  (_, section) => {
    for (const part of ['**Description.**', '**Investigation.**', '**Resolution.**'])
      expect(section).toContain(part);
  },
);

it('watch what a stage may have besides: links, unsubscribing, proofs, and events with webhooks', () => {
  const ofFunctions = ['announce', 'link', 'prove', 'unsubscribe'].flatMap((name) => [
    `${name}-slow`,
    `${name}-throttled`,
  ]);
  const others = ['links-failing', 'links-flooded', 'prove-did-not-run', 'webhooks-not-delivered'];
  for (const name of [...ofFunctions, ...others]) expect(named(name)).toBeDefined();
});

it('of alert checks wait for the longest pause of the schedule', async () => {
  const periodsWith = async (schedule: string) => {
    const changed = await synthesise('prod', ({ schedules }) => {
      schedules.alerts = schedule;
    });
    return alarmsIn(changed.template('Monitoring'))
      .filter(({ AlarmName }) => AlarmName === 'daybook-prod-alerts-did-not-run')
      .map(({ EvaluationPeriods }) => EvaluationPeriods);
  };
  expect(named('alerts-did-not-run').EvaluationPeriods).toBe(3);
  expect(await periodsWith('cron(0/15 8-17 ? * SUN-THU *)')).toEqual([65]);
  expect(await periodsWith('cron(0 0/25 * * ? *)')).toEqual([26]);
  expect(await periodsWith('cron(0 12 ? * FRI *)')).toEqual([]);
}, 180_000);

/** The functions whose mails are counted where pages are mailed. */
const MAILS_PAGES = ['daily-report', 'statement'];

it('watch metrics that the functions count, and so does the dashboard', () => {
  const counted = (service: string, metric: string) =>
    [
      ...globSync(`functions/**/${service}/**/*.ts`, { cwd: ROOT }),
      ...(MAILS_PAGES.includes(service) ? ['functions/page/send-page.ts'] : []),
      'functions/runtime/telemetry.ts',
    ]
      .map((file) => readFileSync(join(ROOT, file), 'utf8'))
      .some((text) => text.includes('count(') && text.includes(`'${metric}'`));
  const [dashboard] = Object.values(template('Monitoring').findResources('AWS::CloudWatch::Dashboard'));
  const drawn = JSON.stringify(dashboard).matchAll(
    /\[\\+"Daybook\/prod\\+",\\+"(\w+)\\+",\\+"service\\+",\\+"([\w-]+)\\+"/g,
  );
  const watched = alarms
    .filter(({ Namespace }) => Namespace?.startsWith('Daybook/'))
    .map(({ Namespace, MetricName, Dimensions }) => {
      expect(Namespace).toBe('Daybook/prod');
      const [{ Value: service }] = ofOneService.parse(Dimensions);
      return [defined(MetricName), service] as const;
    });
  const metrics = [
    ...watched,
    ...[...drawn].map(([, metric, service]) => [defined(metric), defined(service)] as const),
  ];
  expect(metrics.length).toBeGreaterThan(25);
  for (const [metric, service] of metrics)
    expect(counted(service, metric), `${service} ${metric}`).toBe(true);
  template('Functions').allResourcesProperties('AWS::Lambda::Function', {
    Environment: { Variables: { POWERTOOLS_METRICS_NAMESPACE: 'Daybook/prod' } },
  });
});

it('of the history are absent where it is not kept', async () => {
  const without = await synthesise('prod', (changed) => {
    changed.lake.history = false;
  });
  const names = alarmsIn(without.template('Monitoring')).map(({ AlarmName }) => AlarmName);
  expect(names.filter((name) => name.includes('lake-did') || name.includes('lake-exec'))).toEqual([]);
  // What the registry says of merchants is kept all the same.
  without.template('Lake').hasResourceProperties('AWS::Scheduler::Schedule', {
    Target: { Input: '{"merchants":true}' },
  });
}, 180_000);

it('last from one run of the slowest schedule to the next', () => {
  for (const { AlarmName, MetricName, Period, EvaluationPeriods } of alarms) {
    if (!['ReportsMissing', 'WatchRan', 'DailyTicks', 'StatementTicks'].includes(MetricName ?? '')) continue;
    expect(defined(Period) * EvaluationPeriods, AlarmName).toBeGreaterThanOrEqual(3_600);
  }
});

it('have runbook sections that name existing queries of the lake', () => {
  const saved = NAMED_QUERIES.map(({ name }) => name);
  const named = [...runbook.matchAll(/named query `([^`]+)`/g)].map(([, name]) => name);
  expect(named.length).toBeGreaterThan(1);
  expect(saved).toEqual(expect.arrayContaining(named));
});

it('take missing data for a failure where runs did not happen, and for none elsewhere', () => {
  expect(heartbeats.map(({ AlarmName }) => AlarmName.replace('daybook-prod-', '')).toSorted()).toEqual([
    'alerts-did-not-run',
    'lake-did-not-merge',
    'prove-did-not-run',
    'reports-did-not-run',
    'statements-did-not-run',
    'sweep-did-not-run',
    'watch-did-not-run',
  ]);
  for (const alarm of alarms) {
    const state = stateWithoutData(alarm);
    if (heartbeats.includes(alarm)) {
      expect(state).not.toBe('OK');
      // They notify the topic when no more data come. Every run counts one.
      expect(notified(alarm, ['OK', state]), alarm.AlarmName).toEqual(alarm.AlarmActions);
      expect(alarm).toMatchObject({ ComparisonOperator: 'LessThanThreshold', Threshold: 1 });
    } else expect(state, alarm.AlarmName).toBe('OK');
  }
});
