import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { startAwsSandbox } from '#sandbox/aws/index.ts';
import { runSandbox } from '#support/aws/running-sandbox.ts';
import { anyOf } from '#support/assertions/any-of.ts';
import { defined } from '#support/assertions/defined.ts';
import { portOf } from '#sandbox/ports.ts';

test('clients that have only the environment find the five services', async () => {
  const { environment, mail, notices, queues, s3, secrets } = await runSandbox();
  secrets.put('secret', 'told');
  const program = `
    const { S3 } = require('@aws-sdk/client-s3');
    const { SecretsManager } = require('@aws-sdk/client-secrets-manager');
    const { SES } = require('@aws-sdk/client-ses');
    const { SNS } = require('@aws-sdk/client-sns');
    const { SQS } = require('@aws-sdk/client-sqs');
    (async () => {
      const { SecretString } = await new SecretsManager().getSecretValue({ SecretId: 'secret' });
      await new S3().putObject({ Bucket: 'data', Key: 'a', Body: SecretString });
      await new SES().sendRawEmail({ RawMessage: { Data: Buffer.from('From: a@example.com\\r\\nTo: b@example.com\\r\\n\\r\\nx') } });
      await new SNS().publish({ TopicArn: 'arn:aws:sns:us-east-1:000000000000:ops', Message: 'x' });
      const { QueueUrl } = await new SQS().createQueue({ QueueName: 'reports' });
      await new SQS().sendMessage({ QueueUrl, MessageBody: 'x' });
    })();`;
  const child = spawn(process.execPath, ['--input-type=commonjs', '-e', program], {
    env: { PATH: process.env['PATH'], ...environment },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const [exit, complaints] = await Promise.all([once(child, 'exit'), text(child.stderr)]);
  expect({ exit, complaints }).toEqual({ exit: [0, null], complaints: '' });
  expect((await s3.read('data', 'a'))?.toString()).toBe('told');
  expect([mail.messages.length, notices.messages.length, queues.messages('reports').length]).toEqual([
    1, 1, 1,
  ]);
});

test('the services of an operator start on request, and clients find them by the environment, too', async () => {
  const plain = await runSandbox();
  expect(Object.keys(plain.environment).filter((name) => name.startsWith('AWS_ENDPOINT'))).toHaveLength(8);
  const { environment, requests } = await runSandbox(undefined, { operator: true });
  const program = `
    const { Athena } = require('@aws-sdk/client-athena');
    const { CloudFormation } = require('@aws-sdk/client-cloudformation');
    const { CloudWatch } = require('@aws-sdk/client-cloudwatch');
    const { LakeFormation } = require('@aws-sdk/client-lakeformation');
    const { Lambda } = require('@aws-sdk/client-lambda');
    const { Scheduler } = require('@aws-sdk/client-scheduler');
    const { ServiceQuotas } = require('@aws-sdk/client-service-quotas');
    const { SESv2 } = require('@aws-sdk/client-sesv2');
    const { STS } = require('@aws-sdk/client-sts');
    (async () => {
      await new Athena().getWorkGroup({ WorkGroup: 'none' }).catch(() => undefined);
      await new CloudFormation().describeStacks({});
      await new CloudWatch().describeAlarms({});
      await new LakeFormation().getDataLakeSettings({});
      await new Lambda().getAccountSettings({});
      await new Scheduler().getSchedule({ Name: 'none' }).catch(() => undefined);
      await new ServiceQuotas().listServiceQuotas({ ServiceCode: 'athena' });
      await new SESv2().getAccount({});
      await new STS().getCallerIdentity({});
    })();`;
  const child = spawn(process.execPath, ['--input-type=commonjs', '-e', program], {
    env: { PATH: process.env['PATH'], AWS_SDK_UA_APP_ID: 'operator', ...environment },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const [exit, complaints] = await Promise.all([once(child, 'exit'), text(child.stderr)]);
  expect({ exit, complaints }).toEqual({ exit: [0, null], complaints: '' });
  expect(new Set(requests.map(({ application }) => application))).toEqual(new Set(['operator']));
  expect(requests.map(({ service, operation }) => `${service}:${operation}`)).toEqual([
    'athena:GetWorkGroup',
    'cloudFormation:DescribeStacks',
    'cloudWatch:DescribeAlarms',
    'lakeFormation:GetDataLakeSettings',
    'lambda:GetAccountSettings',
    'scheduler:GetSchedule',
    'serviceQuotas:ListServiceQuotas',
    'sesV2:GetAccount',
    'sts:GetCallerIdentity',
  ]);
});

test('every request is recorded with its service, operation, key, status and time', async () => {
  const { clients, requests } = await runSandbox();
  const get = clients.s3.getObject({ Bucket: 'data', Key: 'absent' });
  await expect(get).rejects.toMatchObject({ $metadata: { requestId: anyOf(String) } });
  expect(requests).toEqual([
    { service: 's3', operation: 'GetObject', key: 'absent', status: 404, at: anyOf(Date) },
  ]);
});

test('a given clock dates answers, objects, mails and secrets', async () => {
  const time = new Date('2031-02-03T04:05:06.000Z');
  const { clients, environment, mail, requests, secrets } = await runSandbox(undefined, {
    now: () => time.getTime(),
  });
  await clients.s3.putObject({ Bucket: 'data', Key: 'a', Body: 'x' });
  const { LastModified } = await clients.s3.headObject({ Bucket: 'data', Key: 'a' });
  const raw = Buffer.from('From: a@example.com\r\nTo: b@example.com\r\n\r\nx');
  await clients.ses.sendRawEmail({ RawMessage: { Data: raw } });
  const { headers } = await fetch(`${defined(environment['AWS_ENDPOINT_URL_S3'])}/data/a`);
  expect(LastModified).toEqual(time);
  expect(mail.messages.map(({ at }) => at)).toEqual([time]);
  expect(secrets.put('secret', 'told').versions[0]?.createdAt).toEqual(time);
  expect(headers.get('date')).toBe('Mon, 03 Feb 2031 04:05:06 GMT');
  expect(requests.every(({ at }) => at.getTime() === time.getTime())).toBe(true);
});

test('the record of a request names the fault that applied to it', async () => {
  const { clients, faults, requests } = await runSandbox();
  const action = { kind: 'delay', milliseconds: 1 } as const;
  faults.add({ action });
  await clients.s3.putObject({ Bucket: 'data', Key: 'a', Body: 'x' });
  await clients.s3.putObject({ Bucket: 'data', Key: 'a', Body: 'x' });
  expect(requests.map(({ fault }) => fault)).toEqual([action, undefined]);
});

test('a port can be chosen, and a port in use gives an error and leaves no server behind', async () => {
  const taken = createServer();
  taken.listen(0, '127.0.0.1');
  await once(taken, 'listening');
  onTestFinished(() => void taken.close());
  const port = portOf(taken);
  const { directory } = await runSandbox();
  await expect(startAwsSandbox({ directory, ports: { sns: port } })).rejects.toMatchObject({
    code: 'EADDRINUSE',
  });
  taken.close();
  await once(taken, 'close');
  const sandbox = await startAwsSandbox({ directory, ports: { sns: port } });
  expect(sandbox.environment['AWS_ENDPOINT_URL_SNS']).toBe(`http://127.0.0.1:${port}`);
  await sandbox.close();
  await sandbox.close();
});
