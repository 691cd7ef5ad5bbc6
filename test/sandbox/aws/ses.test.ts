import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { SendRawEmailCommand, type SendRawEmailCommandInput } from '@aws-sdk/client-ses';
import { expect, test } from 'vitest';
import { runSandbox } from '#support/aws/running-sandbox.ts';
import { anyOf } from '#support/assertions/any-of.ts';

const head = 'From: Daybook <daybook@example.com>\r\nTo: a@example.com\r\nSubject: Day\r\n';
const text = `${head}\r\nGrüße, أهلا\r\n`;

function rawEmail(input: Partial<SendRawEmailCommandInput> = {}) {
  return new SendRawEmailCommand({
    RawMessage: { Data: Buffer.from(text) },
    Source: 'bounces@example.com',
    Destinations: ['a@example.com', 'b+c@example.com'],
    ...input,
  });
}

test('a raw mail is stored byte for byte, with envelope, tags and configuration set, and as an .eml file', async () => {
  const { clients, directory, mail } = await runSandbox();
  const Tags = [
    { Name: 'merchant', Value: '700001' },
    { Name: 'day', Value: '2026-11-20' },
  ];
  const { MessageId } = await clients.ses.send(rawEmail({ Tags, ConfigurationSetName: 'daybook' }));
  expect(MessageId).toMatch(/^[0-9a-f]{16}-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}-000000$/);
  expect(mail.messages).toEqual([
    {
      messageId: MessageId,
      source: 'bounces@example.com',
      destinations: ['a@example.com', 'b+c@example.com'],
      tags: { merchant: '700001', day: '2026-11-20' },
      configurationSetName: 'daybook',
      raw: Buffer.from(text),
      at: anyOf(Date),
    },
  ]);
  expect(await readdir(join(directory, 'mail'))).toEqual(['0001-a@example.com.eml']);
  expect(await readFile(join(directory, 'mail', '0001-a@example.com.eml'), 'utf8')).toBe(text);
});

test('a message may have 10,485,760 bytes and not one more', async () => {
  const { clients, mail } = await runSandbox();
  const message = (size: number) =>
    Buffer.concat([Buffer.from(`${head}\r\n`)], size).fill('x', head.length + 2);
  const sent = (size: number) => clients.ses.send(rawEmail({ RawMessage: { Data: message(size) } }));
  await sent(10_485_760);
  await expect(sent(10_485_761)).rejects.toMatchObject({
    name: 'InvalidParameterValue',
    message: "Message length is more than 10485760 bytes long: '10485761'.",
    $metadata: { httpStatusCode: 400 },
  });
  expect(mail.messages.map(({ raw }) => raw.length)).toEqual([10_485_760]);
});

test.each([
  ['without a From header', { RawMessage: { Data: Buffer.from('To: a@example.com\r\n\r\nx') } }],
  ['for 51 recipients', { Destinations: Array.from({ length: 51 }, (_, n) => `r${n}@example.com`) }],
  ['with an address in a tag', { Tags: [{ Name: 'to', Value: 'a@example.com' }] }],
  ['with an empty tag', { Tags: [{ Name: 'to', Value: '' }] }],
  ['for nobody', { Destinations: [] }],
])('a mail %s is refused', async (_, input: Partial<SendRawEmailCommandInput>) => {
  const { clients, mail } = await runSandbox();
  await expect(clients.ses.send(rawEmail(input))).rejects.toMatchObject({ name: 'InvalidParameterValue' });
  expect(mail.messages).toEqual([]);
});

test('the .eml files of a second run are numbered after those of the first', async () => {
  const first = await runSandbox();
  await first.clients.ses.send(rawEmail());
  await first.close();
  const second = await runSandbox(first.directory);
  await second.clients.ses.send(rawEmail({ Destinations: ['../up@example.com'] }));
  expect(await readdir(join(first.directory, 'mail'))).toEqual([
    '0001-a@example.com.eml',
    '0002-.._up@example.com.eml',
  ]);
  expect(second.mail.messages).toHaveLength(1);
});

test.each([
  ['an address that is', new Set(['daybook@example.com', 'bounces@example.com']), true],
  ['one that is not', new Set(['other.example.com']), false],
  ['one whose From header is not', new Set(['bounces@example.com']), false],
])('verified senders are enforced for a mail from %s', async (_, verified, taken) => {
  const { clients, mail } = await runSandbox();
  mail.verifiedSenders = verified;
  const sent = clients.ses.send(rawEmail());
  if (taken) await sent;
  else await expect(sent).rejects.toMatchObject({ name: 'MessageRejected' });
  expect(mail.messages).toHaveLength(taken ? 1 : 0);
});

const TopicArn = 'arn:aws:sns:us-east-1:000000000000:ops';

test.each([
  ['an empty message', { Message: '' }],
  ['a message of more than 256 KiB', { Message: 'é'.repeat(131_073) }],
  ['a subject that is not ASCII', { Subject: 'Grüße' }],
  ['a subject of 100 characters', { Subject: 'x'.repeat(100) }],
  ['a subject with a line break', { Subject: 'a\nb' }],
])('%s is refused', async (_, wrong) => {
  const { clients, notices } = await runSandbox();
  const publish = clients.sns.publish({ TopicArn, Message: 'x', ...wrong });
  await expect(publish).rejects.toMatchObject({
    name: 'InvalidParameterException',
    $metadata: { httpStatusCode: 400 },
  });
  expect(notices.messages).toEqual([]);
});
