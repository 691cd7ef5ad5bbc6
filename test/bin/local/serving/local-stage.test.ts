import { linesFor, readStageOutputs } from '#bin/daybook/stage/stage.ts';
import { REGISTRY_KEY, queueNameOf } from '#bin/local/configuration.ts';
import { localEventSources, schedulesAt } from '#bin/local/serving/local-stage.ts';
import { FUNCTIONS, QUEUE_NAMES, type FunctionName } from '#lib/functions.ts';
import { textLike } from '#support/assertions/index.ts';
import { useStage } from '#support/command/command-stage.ts';
import { runFunction, BUCKET, CODE, DAY, SECRET } from '#support/world/daybook-world.ts';

const stage = useStage('all', { defaults: { lookbackDays: [] } });

test('a local stage is found by the outputs of its stacks, as a deployed one is', async () => {
  expect(await readStageOutputs('local', linesFor({ local: true }))).toEqual({
    bucket: BUCKET,
    registryKey: REGISTRY_KEY,
    credentialsSecret: SECRET,
    credentialsSecretPrefix: undefined,
    serviceOrigins: [stage.world.payments.origin],
    functions: Object.fromEntries(Object.keys(FUNCTIONS).map((name) => [name, `daybook-local-${name}:live`])),
    optionalFunctions: {},
    queues: Object.fromEntries(
      QUEUE_NAMES.map((name) => [
        name,
        `https://sqs.us-east-1.amazonaws.com/000000000000/daybook-local-${name}`,
      ]),
    ),
    concurrency: { reports: 2, backfills: 2, alerts: 2 },
    topicArn: 'arn:aws:sns:us-east-1:000000000000:daybook-ops',
    mail: {
      from: 'daybook@example.com',
      identity: 'example.com',
      configurationSet: 'daybook',
      opsRecipients: ['ops@example.com'],
    },
    schedules: {
      group: 'daybook-local',
      names: ['daily', 'statements', 'alerts', 'watch', 'sweep'].map((name) => `daybook-local-${name}`),
    },
  });
});

test('a morning goes from its tick over the queue to a mail, and a line says what became of each message', async () => {
  const told: string[] = [];
  const invoke = (name: FunctionName, event: unknown) => runFunction(name, event, stage.world.clock);
  const sources = localEventSources(stage.aws, invoke, (label, text) => told.push(`${label} ${text}`));
  const drain = () => Promise.all(sources.map((source) => source.drain()));

  const planned = await invoke('plan', { kind: 'daily', scheduledTime: '2026-11-21T03:00:00Z' });
  expect(planned).toMatchObject({ itemCount: 1, sent: true });
  await drain();
  expect(told).toEqual([textLike(new RegExp(`^reports ${CODE} ${DAY}: done {2}\\d+\\.\\d s$`))]);
  expect(stage.world.mails('report')).toHaveLength(1);

  const { faults } = stage.world.payments.behaviour;
  faults.add({ merchantCode: CODE, times: Infinity, action: { kind: 'status', status: 403 } });
  await invoke('plan', { kind: 'daily', day: '2026-11-19' });
  await drain();
  expect(told.at(-1)).toContain(`${CODE} 2026-11-19: put aside: 2026-11-19: LoginRefusedError`);
  faults.clear();
  const action = { kind: 'reset', when: 'before' } as const;
  stage.aws.faults.add({ service: 's3', key: /^days\//, times: Infinity, action });
  await invoke('plan', { kind: 'daily', day: '2026-11-18' });
  await drain();
  expect(told.at(-1)).toBe(`reports ${CODE} 2026-11-18: failed, and comes back in minutes`);
  stage.aws.faults.clear();
  expect(stage.aws.queues.counts(queueNameOf('reports'))).toMatchObject({ inFlight: 1 });
});

test('a run that dies is told, too', async () => {
  const told: string[] = [];
  const invoke = () => Promise.reject(new Error('the thread ended'));
  const sources = localEventSources(stage.aws, invoke, (label, text) => told.push(`${label} ${text}`));
  stage.aws.queues.send(queueNameOf('backfills'), JSON.stringify({ merchantCode: CODE, days: [DAY] }));
  await Promise.all(sources.map((source) => source.drain()));
  expect(told).toEqual([`backfills ${CODE} ${DAY}: the run died: Error: the thread ended`]);
});

test.each([
  ['06:00', ['daily', 'statements', 'alerts']],
  ['06:10', ['watch']],
  ['06:20', ['sweep']],
  ['06:45', ['daily', 'statements', 'alerts']],
  ['06:55', ['watch']],
  ['06:07', []],
])('at %s the schedules that fire are %j', (time, names) => {
  const fired = schedulesAt(Date.parse(`2026-11-21T${time}:00Z`));
  expect(fired.map(({ name }) => name)).toEqual(names);
});
