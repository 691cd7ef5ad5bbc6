import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { runSandbox, type RunningSandbox } from '#support/aws/running-sandbox.ts';
import { defined } from '#support/assertions/index.ts';

/** A client, what it is asked, and the request as the sandbox records it. */
const CALLS: readonly (readonly [client: string, call: string, recorded: string])[] = [
  ['s3 S3', "putObject({ Bucket: 'data', Key: 'a', Body: 'x' })", 's3:PutObject 200'],
  [
    'secrets-manager SecretsManager',
    "getSecretValue({ SecretId: 'x' })",
    'secretsManager:GetSecretValue 200',
  ],
  [
    'ses SES',
    "sendRawEmail({ RawMessage: { Data: Buffer.from(mail) }, Destinations: ['b@example.com'] })",
    'ses:SendRawEmail 200',
  ],
  ['sns SNS', "publish({ TopicArn: 'arn:aws:sns:us-east-1:0:ops', Message: 'x' })", 'sns:Publish 200'],
  ['sqs SQS', "createQueue({ QueueName: 'reports' })", 'sqs:CreateQueue 200'],
  ['sts STS', 'getCallerIdentity({})', 'sts:GetCallerIdentity 200'],
  ['athena Athena', "getWorkGroup({ WorkGroup: 'none' })", 'athena:GetWorkGroup 400'],
  ['cloudformation CloudFormation', 'describeStacks({})', 'cloudFormation:DescribeStacks 200'],
  ['cloudwatch CloudWatch', 'describeAlarms({})', 'cloudWatch:DescribeAlarms 200'],
  ['lakeformation LakeFormation', 'getDataLakeSettings({})', 'lakeFormation:GetDataLakeSettings 200'],
  ['lambda Lambda', 'getAccountSettings({})', 'lambda:GetAccountSettings 200'],
  ['scheduler Scheduler', "getSchedule({ Name: 'none' })", 'scheduler:GetSchedule 404'],
  [
    'service-quotas ServiceQuotas',
    "listServiceQuotas({ ServiceCode: 'athena' })",
    'serviceQuotas:ListServiceQuotas 200',
  ],
  ['sesv2 SESv2', 'getAccount({})', 'sesV2:GetAccount 200'],
];

test('clients that have only the environment find the services, those of an operator on request', async () => {
  const plain = await runSandbox();
  expect(Object.keys(plain.environment).filter((name) => name.startsWith('AWS_ENDPOINT'))).toHaveLength(8);
  const { environment, requests, secrets } = await runSandbox(undefined, { operator: true });
  secrets.put('x', 'told');
  const calls = CALLS.map(([client, call]) => {
    const [module, name] = client.split(' ');
    return `await new (require('@aws-sdk/client-${module}').${name})().${call}.catch(() => undefined);`;
  });
  const mail = "const mail = 'From: a@example.com\\r\\nTo: b@example.com\\r\\n\\r\\nx';";
  const program = `(async () => { ${[mail, ...calls].join('\n')} })();`;
  const child = spawn(process.execPath, ['--input-type=commonjs', '-e', program], {
    env: { PATH: process.env['PATH'], AWS_SDK_UA_APP_ID: 'operator', ...environment },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const [exit, complaints] = await Promise.all([once(child, 'exit'), text(child.stderr)]);
  expect({ exit, complaints }).toEqual({ exit: [0, null], complaints: '' });
  expect(new Set(requests.map(({ application }) => application))).toEqual(new Set(['operator']));
  expect(requests.map(({ service, operation, status }) => `${service}:${operation} ${status}`)).toEqual(
    CALLS.map(([, , recorded]) => recorded),
  );
});

test('a given clock dates answers, objects, mails and secrets', async () => {
  const time = new Date('2031-02-03T04:05:06.000Z');
  const now = () => time.getTime();
  const { clients, environment, mail, requests, secrets } = await runSandbox(undefined, { now });
  await clients.s3.putObject({ Bucket: 'data', Key: 'a', Body: 'x' });
  const { LastModified } = await clients.s3.headObject({ Bucket: 'data', Key: 'a' });
  const raw = Buffer.from('From: a@example.com\r\nTo: b@example.com\r\n\r\nx');
  await clients.ses.sendRawEmail({ RawMessage: { Data: raw }, Destinations: ['b@example.com'] });
  const { headers } = await fetch(`${defined(environment['AWS_ENDPOINT_URL_S3'])}/data/a`);
  expect(LastModified).toEqual(time);
  expect(mail.messages.map(({ at }) => at)).toEqual([time]);
  expect(secrets.put('secret', 'told').versions[0]?.createdAt).toEqual(time);
  expect(headers.get('date')).toBe('Mon, 03 Feb 2031 04:05:06 GMT');
  expect(requests.every(({ at }) => at.getTime() === time.getTime())).toBe(true);
});

const Bucket = 'data';

function put({ clients }: RunningSandbox, Key: string) {
  return clients.s3.putObject({ Bucket, Key, Body: Key });
}

const unavailable = { kind: 'error', status: 503, code: 'SlowDown' } as const;

test('a fault applies to requests that match its service, operation and key, as often as it says', async () => {
  const sandbox = await runSandbox();
  const { clients, faults, s3, secrets } = sandbox;
  secrets.put('secret', 'x');
  await s3.write(Bucket, 'mail/a', 'x');
  faults.add({ service: 's3', operation: 'PutObject', key: /^mail\//g, times: 2, action: unavailable });
  await put(sandbox, 'days/a');
  await clients.s3.getObject({ Bucket, Key: 'mail/a' });
  await clients.secretsManager.getSecretValue({ SecretId: 'secret' });
  await expect(put(sandbox, 'mail/b')).rejects.toMatchObject({ name: 'SlowDown' });
  await expect(put(sandbox, 'mail/b')).rejects.toMatchObject({ name: 'SlowDown' });
  await put(sandbox, 'mail/b');
});

test('a reset before the operation leaves nothing, and a reset after it leaves the object', async () => {
  const sandbox = await runSandbox();
  const { faults, requests, s3 } = sandbox;
  faults.add({ key: /^before$/, action: { kind: 'reset', when: 'before' } });
  faults.add({ key: /^after$/, action: { kind: 'reset', when: 'after' } });
  await expect(put(sandbox, 'before')).rejects.toMatchObject({ code: 'ECONNRESET' });
  await expect(put(sandbox, 'after')).rejects.toMatchObject({ code: 'ECONNRESET' });
  expect(s3.list(Bucket)).toEqual(['after']);
  expect(requests.map(({ status }) => status)).toEqual([0, 0]);
});

test.each([
  ['before', []],
  ['after', ['a']],
] as const)('a request that hangs %s gets no answer, and close ends it at once', async (when, stored) => {
  const sandbox = await runSandbox();
  sandbox.faults.add({ action: { kind: 'hang', when } });
  const outcome = put(sandbox, 'a').then(
    () => 'answered',
    () => 'cut',
  );
  await expect.poll(() => sandbox.requests).toHaveLength(1);
  await expect.poll(() => sandbox.s3.list(Bucket)).toEqual(stored);
  const patience = new Promise((resolve) => setTimeout(resolve, 300, 'still hanging'));
  expect(await Promise.race([outcome, patience])).toBe('still hanging');
  const start = performance.now();
  await sandbox.close();
  expect(performance.now() - start).toBeLessThan(1000);
  expect(await outcome).toBe('cut');
});

test('a delayed request is served later; close does not wait for it, and then it has no effect', async () => {
  const sandbox = await runSandbox();
  sandbox.faults.add({ key: /^short$/, action: { kind: 'delay', milliseconds: 200 } });
  sandbox.faults.add({ key: /^long$/, action: { kind: 'delay', milliseconds: 3_000 } });
  const start = performance.now();
  await put(sandbox, 'short');
  expect(performance.now() - start).toBeGreaterThanOrEqual(190);
  const long = put(sandbox, 'long').catch(() => 'cut');
  await expect.poll(() => sandbox.requests).toHaveLength(2);
  const closing = performance.now();
  await sandbox.close();
  expect(performance.now() - closing).toBeLessThan(1000);
  expect(await long).toBe('cut');
  expect(sandbox.s3.list(Bucket)).toEqual(['short']);
});

test('a hook runs before or after the operation, which waits for it, and its failure gives status 500', async () => {
  const sandbox = await runSandbox();
  const { faults, s3 } = sandbox;
  const seen: [string, string[]][] = [];
  const look = (when: string) => void seen.push([when, s3.list(Bucket)]);
  const after = async () => {
    // A hook can use the API itself.
    await put(sandbox, 'b');
    look('after');
  };
  faults.add({ action: { kind: 'call', before: () => look('before'), after } });
  await put(sandbox, 'a');
  expect(seen).toEqual([
    ['before', []],
    ['after', ['a', 'b']],
  ]);
  const before = () => Promise.reject(new Error('the hook itself'));
  faults.add({ action: { kind: 'call', before } });
  await expect(put(sandbox, 'c')).rejects.toMatchObject({
    name: 'InternalError',
    message: 'The sandbox failed: the hook itself',
  });
});
