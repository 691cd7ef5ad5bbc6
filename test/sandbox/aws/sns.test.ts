import { PublishCommand } from '@aws-sdk/client-sns';
import { expect, test } from 'vitest';
import { runSandbox } from '#support/aws/running-sandbox.ts';

const TopicArn = 'arn:aws:sns:us-east-1:000000000000:ops';

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
