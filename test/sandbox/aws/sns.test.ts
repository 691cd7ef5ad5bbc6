import { CreateTopicCommand, PublishCommand } from '@aws-sdk/client-sns';
import { expect, test } from 'vitest';
import { knownErrors } from '#sandbox/aws/index.ts';
import { runSandbox } from '#support/aws/running-sandbox.ts';

const TopicArn = 'arn:aws:sns:us-east-1:000000000000:ops';

test('a published notice is kept with its subject', async () => {
  const { clients, notices } = await runSandbox();
  const { MessageId } = await clients.sns.send(
    new PublishCommand({ TopicArn, Subject: 'Mail held', Message: 'Zwei & drei = fünf?\nأهلا' }),
  );
  await clients.sns.send(new PublishCommand({ TopicArn, Message: 'no subject' }));
  expect(MessageId).toMatch(/^[0-9a-f-]{36}$/);
  expect(notices.messages).toEqual([
    { topicArn: TopicArn, subject: 'Mail held', message: 'Zwei & drei = fünf?\nأهلا' },
    { topicArn: TopicArn, message: 'no subject' },
  ]);
});

test.each([
  ['an empty message', { Message: '' }],
  ['a message of more than 256 KiB', { Message: 'é'.repeat(131_073) }],
  ['a subject that is not ASCII', { Subject: 'Grüße' }],
  ['a subject of 100 characters', { Subject: 'x'.repeat(100) }],
  ['a subject with a line break', { Subject: 'a\nb' }],
])('%s is refused', async (_, wrong) => {
  const { clients, notices } = await runSandbox();
  const publish = clients.sns.send(new PublishCommand({ TopicArn, Message: 'x', ...wrong }));
  await expect(publish).rejects.toMatchObject({
    name: 'InvalidParameterException',
    $metadata: { httpStatusCode: 400 },
  });
  expect(notices.messages).toEqual([]);
});

test('a test can remove a topic, and only Publish is supported', async () => {
  const { clients, faults, notices } = await runSandbox();
  faults.add({ service: 'sns', key: /:ops$/, action: knownErrors.sns.notFound });
  const publish = clients.sns.send(new PublishCommand({ TopicArn, Message: 'x' }));
  await expect(publish).rejects.toMatchObject({
    name: 'NotFoundException',
    $metadata: { httpStatusCode: 404 },
  });
  await expect(clients.sns.send(new CreateTopicCommand({ Name: 'ops' }))).rejects.toMatchObject({
    name: 'InvalidAction',
  });
  expect(notices.messages).toEqual([]);
});
