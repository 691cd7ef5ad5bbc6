import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { runSandbox } from '#support/aws/running-sandbox.ts';
import { defined } from '#support/assertions/defined.ts';

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
  const { clients, environment, mail, requests, secrets } = await runSandbox(undefined, {
    now: () => time.getTime(),
  });
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
