import { expect, test } from 'vitest';
import { linesFor, readStageOutputs } from '#bin/daybook/stage/stage.ts';
import { REGISTRY_KEY } from '#bin/local/configuration.ts';
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
    optionalFunctions: {},
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
