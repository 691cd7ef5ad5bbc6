import { queueNameOf } from '#bin/local/configuration.ts';
import type { QueueName } from '#lib/functions.ts';
import { manifestKey } from '#records/storage/keys.ts';
import { REASON } from '#runtime/queues.ts';
import { knownErrors } from '#sandbox/aws/index.ts';
import { textLike } from '#support/assertions/index.ts';
import { useStage } from '#support/command/command-stage.ts';
import { documentOf, refuses, says, runOnTerminal } from '#support/command/run-command.ts';
import { CODE, DAY } from '#support/world/daybook-world.ts';

const REFUSED = `${DAY}: LoginRefusedError: the service refused the login`;

const stage = useStage('each');

const deadLetters = (name: QueueName) => `${queueNameOf(name)}-dead`;

function putAside(name: QueueName, message: object, reason?: string): void {
  const attributes: Record<string, string> = reason === undefined ? {} : { [REASON]: reason };
  stage.aws.queues.send(deadLetters(name), JSON.stringify(message), { attributes });
}

const redrive = (...args: string[]) => stage.run('redrive', ...args);

const morning = { merchantCode: CODE, days: [DAY], send: false, scheduledTime: '2026-11-21T03:00:00Z' };

it('says what was put aside and why, and gives it back to its queue, where it is done', async () => {
  putAside('reports', morning, REFUSED);
  putAside('reports', { group: 'shops', period: '2026-11-19' });
  putAside('backfills', { ...morning, days: ['2026-11-01', '2026-11-02'] }, 'the message: StorageError: x');
  const run = await says(redrive('--yes'), 0, '3 messages moved back.');
  expect(run.stderr).toBe('');
  const rows = run.stdout.split('\n').map((line) => line.split(/ {2,}/));
  expect(rows).toContainEqual(['reports', CODE, DAY, '2026-11-21 04:00', REFUSED]);
  expect(rows).toContainEqual([
    ...['reports', 'group shops', '2026-11-19', '2026-11-21 04:00'],
    'every run died: see the log of its function',
  ]);
  expect(rows.flat()).toContain('2026-11-01 to 2026-11-02 (2 days)');
  expect(stage.aws.queues.messages(deadLetters('reports'))).toEqual([]);
  expect(stage.aws.queues.messages(queueNameOf('reports'))).toHaveLength(2);
  expect(stage.aws.queues.messages(queueNameOf('backfills'))).toHaveLength(1);

  stage.startQueues();
  await expect.poll(() => stage.world.keys(manifestKey(DAY, CODE, 1)), { timeout: 10_000 }).toHaveLength(1);
});

it('asks in a terminal; after a no, nothing has moved or is hidden', async () => {
  putAside('alerts', morning, REFUSED);
  const answers = [['Move back 1 message?', 'n']] as const;
  const { code, written } = await runOnTerminal(['redrive', ...stage.options], answers);
  expect([code, written]).toEqual([130, textLike(/LoginRefusedError[^]*nothing was moved/)]);
  expect(stage.aws.queues.counts(deadLetters('alerts'))).toMatchObject({ visible: 1, inFlight: 0 });
  await refuses(redrive('--json'), 2);
});

it('takes one queue only, reads more than fit into a request, and prints one document with --json', async () => {
  for (let index = 0; index < 25; index += 1) putAside('alerts', { ...morning, merchantCode: `m${index}` });
  putAside('reports', morning, REFUSED);
  const run = await redrive('reports', '--json', '--yes');
  expect(documentOf(run)).toMatchObject({
    stage: 'local',
    moved: 1,
    messages: [{ queue: 'reports', message: { merchantCode: CODE, days: [DAY] }, reason: REFUSED }],
  });
  expect(stage.aws.queues.counts(deadLetters('alerts'))).toMatchObject({ visible: 25 });
  expect(await redrive('alerts', '--yes')).toMatchObject({ code: 0 });
  expect(stage.aws.queues.messages(queueNameOf('alerts'))).toHaveLength(25);
});

it('ends with 1 when SQS does not move them, and moves back what it cannot read, too', async () => {
  putAside('reports', morning, REFUSED);
  const action = knownErrors.sqs.accessDenied;
  stage.aws.faults.add({ service: 'sqs', operation: 'StartMessageMoveTask', action });
  const { stderr } = await says(redrive('--yes'), 1);
  expect(stderr).toContain('docs/rights.md says which policy the command needs');
  expect(stage.aws.queues.counts(deadLetters('reports'))).toMatchObject({ visible: 1 });
  stage.aws.queues.send(deadLetters('reports'), 'no JSON');
  await says(redrive('--yes'), 0, 'no message of this version');
  expect(stage.aws.queues.messages(queueNameOf('reports'))).toHaveLength(2);
});

it('does nothing when nothing was put aside, and refuses a queue that is none', async () => {
  expect(await redrive()).toEqual({ code: 0, stdout: 'No message was put aside.\n', stderr: '' });
  await refuses(redrive('mails'), 2);
});
