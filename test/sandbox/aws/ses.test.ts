import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { SendEmailCommand, SendRawEmailCommand } from '@aws-sdk/client-ses';
import type { SendRawEmailCommandInput } from '@aws-sdk/client-ses';
import PostalMime from 'postal-mime';
import { expect, test } from 'vitest';
import { knownErrors } from '#sandbox/aws/index.ts';
import { runSandbox } from '#support/aws/running-sandbox.ts';
import { anyOf } from '#support/assertions/any-of.ts';
import { defined } from '#support/assertions/defined.ts';
import { textWith } from '#support/assertions/text-with.ts';

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

test('what the request leaves out is taken from the message’s headers', async () => {
  const { clients, mail } = await runSandbox();
  const raw = `${head}Cc: Team: c@example.com, d@example.com;\r\nBcc: e@example.com\r\nX-SES-CONFIGURATION-SET: set\r\nX-SES-MESSAGE-TAGS: kind=daily, day=2026-11-20\r\n\r\nbody`;
  await clients.ses.send(new SendRawEmailCommand({ RawMessage: { Data: Buffer.from(raw) } }));
  expect(mail.messages).toMatchObject([
    {
      source: 'daybook@example.com',
      destinations: ['a@example.com', 'c@example.com', 'd@example.com', 'e@example.com'],
      tags: { kind: 'daily', day: '2026-11-20' },
      configurationSetName: 'set',
    },
  ]);
});

test('SendEmail makes a message that a mail reader understands', async () => {
  const { clients, mail } = await runSandbox();
  await clients.ses.send(
    new SendEmailCommand({
      Source: 'daybook@example.com',
      Destination: { ToAddresses: ['a@example.com'], CcAddresses: ['b@example.com'] },
      Message: { Subject: { Data: 'Tag – أهلا' }, Body: { Text: { Data: 'Grüße\n'.repeat(40) } } },
    }),
  );
  const [sent] = mail.messages;
  expect(sent).toMatchObject({
    source: 'daybook@example.com',
    destinations: ['a@example.com', 'b@example.com'],
  });
  const parsed = await PostalMime.parse(defined(sent).raw);
  expect(parsed).toMatchObject({ subject: 'Tag – أهلا', text: 'Grüße\n'.repeat(40) });
});

test('a message may have 10,485,760 bytes and not one more', async () => {
  const { clients, mail } = await runSandbox();
  const message = (size: number) =>
    Buffer.concat([Buffer.from(`${head}\r\n`)], size).fill('x', head.length + 2);
  await clients.ses.send(rawEmail({ RawMessage: { Data: message(10_485_760) } }));
  await expect(
    clients.ses.send(rawEmail({ RawMessage: { Data: message(10_485_761) } })),
  ).rejects.toMatchObject({
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
  ['throttling', 'Throttling', 400, 'Maximum sending rate exceeded.'],
  ['notVerified', 'MessageRejected', 400, textWith('Email address is not verified')],
  ['internalError', 'InternalFailure', 500, anyOf(String)],
  ['unavailable', 'ServiceUnavailable', 503, anyOf(String)],
] as const)(
  'a test can ask for the failure %s, and nothing is sent',
  async (fault, name, httpStatusCode, message) => {
    const { clients, faults, mail } = await runSandbox();
    faults.add({ service: 'ses', action: knownErrors.ses[fault] });
    await expect(clients.ses.send(rawEmail())).rejects.toMatchObject({
      name,
      message,
      $metadata: { httpStatusCode },
    });
    expect(mail.messages).toEqual([]);
    await clients.ses.send(rawEmail());
    expect(mail.messages).toHaveLength(1);
  },
);

test.each([
  ['an address that is', new Set(['daybook@example.com', 'bounces@example.com']), true],
  ['an address of a domain that is', new Set(['example.com']), true],
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

test('a fault can apply to one recipient only', async () => {
  const { clients, faults, mail } = await runSandbox();
  faults.add({ service: 'ses', key: /^bad@/, times: Infinity, action: knownErrors.ses.notVerified });
  await clients.ses.send(rawEmail({ Destinations: ['good@example.com'] }));
  await expect(clients.ses.send(rawEmail({ Destinations: ['bad@example.com'] }))).rejects.toThrow();
  expect(mail.messages.map(({ destinations }) => destinations)).toEqual([['good@example.com']]);
});

test('a connection cut before the mail was taken and one cut after look the same to the caller', async () => {
  const { clients, faults, mail, requests } = await runSandbox();
  faults.add({ service: 'ses', action: { kind: 'reset', when: 'before' } });
  faults.add({ service: 'ses', action: { kind: 'reset', when: 'after' } });
  await expect(clients.ses.send(rawEmail())).rejects.toMatchObject({ code: 'ECONNRESET' });
  expect(mail.messages).toHaveLength(0);
  await expect(clients.ses.send(rawEmail())).rejects.toMatchObject({ code: 'ECONNRESET' });
  expect(mail.messages).toHaveLength(1);
  expect(requests.map(({ operation, status }) => ({ operation, status }))).toEqual([
    { operation: 'SendRawEmail', status: 0 },
    { operation: 'SendRawEmail', status: 0 },
  ]);
});
