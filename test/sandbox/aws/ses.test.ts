import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { SendRawEmailCommandInput } from '@aws-sdk/client-ses';
import { runSandbox, settingsFor } from '#support/aws/running-sandbox.ts';
import { anyOf, defined } from '#support/assertions/index.ts';
import { paginateDescribeStacks, CloudFormation } from '@aws-sdk/client-cloudformation';
import { paginateDescribeAlarms, CloudWatch } from '@aws-sdk/client-cloudwatch';
import { Lambda } from '@aws-sdk/client-lambda';
import { Scheduler } from '@aws-sdk/client-scheduler';
import { paginateListSuppressedDestinations, SESv2 } from '@aws-sdk/client-sesv2';
import { STS } from '@aws-sdk/client-sts';
import { paginateListSubscriptionsByTopic } from '@aws-sdk/client-sns';

const head = 'From: Daybook <daybook@example.com>\r\nTo: a@example.com\r\nSubject: Day\r\n';
const text = `${head}\r\nGrüße, أهلا\r\n`;

function rawEmail(input: Partial<SendRawEmailCommandInput> = {}): SendRawEmailCommandInput {
  return {
    RawMessage: { Data: Buffer.from(text) },
    Source: 'bounces@example.com',
    Destinations: ['a@example.com', 'b+c@example.com'],
    ...input,
  };
}

test('a raw mail is stored byte for byte, with envelope, tags and configuration set, and as an .eml file', async () => {
  const { clients, directory, mail } = await runSandbox();
  const Tags = [
    { Name: 'merchant', Value: '700001' },
    { Name: 'day', Value: '2026-11-20' },
  ];
  const { MessageId } = await clients.ses.sendRawEmail(rawEmail({ Tags, ConfigurationSetName: 'daybook' }));
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
  const sent = (size: number) => clients.ses.sendRawEmail(rawEmail({ RawMessage: { Data: message(size) } }));
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
  await expect(clients.ses.sendRawEmail(rawEmail(input))).rejects.toMatchObject({
    name: 'InvalidParameterValue',
  });
  expect(mail.messages).toEqual([]);
});

test('the .eml files of a second run are numbered after those of the first', async () => {
  const first = await runSandbox();
  await first.clients.ses.sendRawEmail(rawEmail());
  await first.close();
  const second = await runSandbox(first.directory);
  await second.clients.ses.sendRawEmail(rawEmail({ Destinations: ['../up@example.com'] }));
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
  const sent = clients.ses.sendRawEmail(rawEmail());
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

const SecretId = 'daybook/credentials';

test('people create a secret and put new values through the API', async () => {
  const { clients } = await runSandbox();
  const create = () => clients.secretsManager.createSecret({ Name: SecretId, SecretString: 'one' });
  await create();
  await expect(create()).rejects.toMatchObject({ name: 'ResourceExistsException' });
  const value = { SecretId, SecretString: 'two', ClientRequestToken: 'a'.repeat(32) };
  // The same token again is the same request: it must not push `one` out of AWSPREVIOUS.
  for (const _twice of [1, 2]) await clients.secretsManager.putSecretValue(value);
  const previous = await clients.secretsManager.getSecretValue({ SecretId, VersionStage: 'AWSPREVIOUS' });
  expect(previous.SecretString).toBe('one');
});

/** A sandbox for one test, with the services that an operator's command calls and the SDK's clients for them. */
async function runOperatorSandbox() {
  const sandbox = await runSandbox(undefined, { operator: true });
  const clients = {
    cloudFormation: new CloudFormation(settingsFor('CLOUDFORMATION', sandbox)),
    cloudWatch: new CloudWatch(settingsFor('CLOUDWATCH', sandbox)),
    scheduler: new Scheduler(settingsFor('SCHEDULER', sandbox)),
    sts: new STS(settingsFor('STS', sandbox)),
    sesV2: new SESv2(settingsFor('SESV2', sandbox)),
    lambda: new Lambda(settingsFor('LAMBDA', sandbox)),
  };
  onTestFinished(() => {
    for (const client of Object.values(clients)) client.destroy();
  });
  return { ...sandbox, clients: { ...sandbox.clients, ...clients } };
}

/*
 * What the operator's services do beyond what test/contract/aws/operator-calls.test.ts holds against moto, too, and what the
 * tests of the command (test/bin/daybook) show of their answers.
 */

test('an operation that a service does not have is refused', async () => {
  const { clients } = await runOperatorSandbox();
  const refusals: [Promise<unknown>, string][] = [
    [clients.s3.getObjectTagging({ Bucket: 'data', Key: 'a' }), 'NotImplemented'],
    [clients.secretsManager.listSecrets({}), 'UnknownOperationException'],
    [clients.cloudFormation.listStacks({}), 'InvalidAction'],
    [clients.cloudWatch.listMetrics({}), 'UnknownOperationException'],
    [clients.lambda.listFunctions({}), 'UnknownOperationException'],
    [clients.scheduler.listScheduleGroups({}), 'UnknownOperationException'],
    [clients.sts.getSessionToken({}), 'InvalidAction'],
    [clients.sesV2.listEmailIdentities({}), 'UnknownOperationException'],
  ];
  await Promise.all(refusals.map(([refused, name]) => expect(refused).rejects.toMatchObject({ name })));
});

test('lists are given page by page', async () => {
  const { alarms, clients, mailSettings, notices, stacks } = await runOperatorSandbox();
  const names = ['a', 'b', 'c'];
  for (const name of names) {
    alarms.set(name, { state: 'OK' });
    mailSettings.suppress(name, 'BOUNCE');
    stacks.set(name, { outputs: {} });
  }
  for (let n = 0; n < 150; n += 1) {
    const reader = { topicArn: TopicArn, protocol: 'email', endpoint: `${n}` } as const;
    notices.subscriptions.push({ ...reader, confirmed: n < 149 });
  }
  const flat = async <Page, Item>(pages: AsyncIterable<Page>, items: (page: Page) => Item[] | undefined) =>
    (await Array.fromAsync(pages)).flatMap((page) => items(page) ?? []);
  const listed = paginateDescribeAlarms({ client: clients.cloudWatch, pageSize: 1 }, {});
  expect(await flat(listed, (page) => page.MetricAlarms?.map(({ AlarmName }) => AlarmName))).toEqual(names);
  const suppressed = await flat(
    paginateListSuppressedDestinations({ client: clients.sesV2, pageSize: 2 }, {}),
    (page) => page.SuppressedDestinationSummaries,
  );
  expect(suppressed.map(({ EmailAddress }) => EmailAddress)).toEqual(names);
  const described = paginateDescribeStacks({ client: clients.cloudFormation }, {});
  expect(await flat(described, (page) => page.Stacks?.map(({ StackName }) => StackName))).toEqual(names);
  const subscribers = paginateListSubscriptionsByTopic({ client: clients.sns }, { TopicArn });
  const subscribed = await flat(subscribers, (page) => page.Subscriptions);
  expect(subscribed).toHaveLength(150);
  expect(subscribed.at(-1)).toMatchObject({ SubscriptionArn: 'PendingConfirmation' });
});

test('Lambda gives null for no answer, and the error of a function in the payload of a good answer', async () => {
  const { clients, lambda } = await runOperatorSandbox();
  const FunctionName = 'daybook-local-plan';
  const ask = async () => {
    const { Payload, ...answer } = await clients.lambda.invoke({ FunctionName });
    const said: unknown = JSON.parse(Buffer.from(defined(Payload)).toString('utf8'));
    return { ...answer, said };
  };
  lambda.add(FunctionName, { invoke: () => Promise.resolve(undefined) });
  expect(await ask()).toMatchObject({ said: null });
  lambda.add(FunctionName, { invoke: () => Promise.reject(new RangeError('no merchant 700009')) });
  expect(await ask()).toMatchObject({
    StatusCode: 200,
    FunctionError: 'Unhandled',
    said: { errorType: 'RangeError', errorMessage: 'no merchant 700009', trace: [] },
  });
});
