import { expect, test } from 'vitest';
import { servingRun } from '#bin/daybook/context.ts';
import { linesFor, readStageOutputs } from '#bin/daybook/stage/stage.ts';
import { REGISTRY_KEY } from '#bin/local/configuration.ts';
import { nameOfProcess } from '#runtime/running-process.ts';
import { useStage } from '#support/command/command-stage.ts';
import { BUCKET, SECRET } from '#support/world/daybook-world.ts';

const stage = useStage('all');

test('a local stage is found by the outputs of its stacks, as a deployed one is', async () => {
  expect(await readStageOutputs('local', linesFor({ local: true }))).toEqual({
    bucket: BUCKET,
    registryKey: REGISTRY_KEY,
    credentialsSecret: SECRET,
    credentialsSecretPrefix: undefined,
    serviceOrigins: [stage.world.payments.origin],
    functions: {
      plan: 'daybook-local-plan:live',
      'daily-report': 'daybook-local-daily-report:live',
      statement: 'daybook-local-statement:live',
      'alert-check': 'daybook-local-alert-check:live',
      'delivery-watch': 'daybook-local-delivery-watch:live',
      'mail-events': 'daybook-local-mail-events:live',
      sweep: 'daybook-local-sweep:live',
      lake: 'daybook-local-lake:live',
    },
    queues: {
      reports: 'https://sqs.us-east-1.amazonaws.com/000000000000/daybook-local-reports',
      backfills: 'https://sqs.us-east-1.amazonaws.com/000000000000/daybook-local-backfills',
      alerts: 'https://sqs.us-east-1.amazonaws.com/000000000000/daybook-local-alerts',
    },
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

test('the file of a serving run leads to it, with its clock', () => {
  const serving = servingRun(stage.directory);
  expect(serving).toMatchObject({ stage: 'local', process: nameOfProcess() });
  expect(serving.environment).toMatchObject(stage.aws.environment);
  expect(Date.now() + serving.clockAhead).toBeLessThan(Date.parse('2026-11-21T05:00:00Z'));
  stage.setTime('2031-01-01T00:00:00Z');
  const { clockAhead } = servingRun(stage.directory);
  expect(Math.abs(Date.now() + clockAhead - Date.parse('2031-01-01T00:00:00Z'))).toBeLessThan(60_000);
});
