import {
  CreateSecretCommand,
  DescribeSecretCommand,
  GetSecretValueCommand,
  ListSecretsCommand,
  PutSecretValueCommand,
} from '@aws-sdk/client-secrets-manager';
import { expect, test } from 'vitest';
import { runSandbox } from '#support/aws/running-sandbox.ts';
import { anyOf } from '#support/assertions/any-of.ts';
import { defined } from '#support/assertions/defined.ts';

const SecretId = 'daybook/credentials';

test('the newest value is AWSCURRENT, the one before it AWSPREVIOUS, an older one has no label', async () => {
  const { clients, secrets } = await runSandbox();
  for (const value of ['one', 'two', 'three']) secrets.put(SecretId, value);
  const current = await clients.secretsManager.send(new GetSecretValueCommand({ SecretId }));
  expect(current).toMatchObject({ Name: SecretId, SecretString: 'three', VersionStages: ['AWSCURRENT'] });
  expect(Math.abs(defined(current.CreatedDate).getTime() - Date.now())).toBeLessThan(10_000);
  const previous = await clients.secretsManager.send(
    new GetSecretValueCommand({ SecretId, VersionStage: 'AWSPREVIOUS' }),
  );
  expect(previous).toMatchObject({ SecretString: 'two', VersionStages: ['AWSPREVIOUS'] });
  expect(secrets.reads).toBe(2);
});

test('a secret is found by its ARN with and without the suffix, and a value by its version', async () => {
  const { clients, secrets } = await runSandbox();
  secrets.put('other', 'no');
  secrets.put(SecretId, 'yes');
  const { ARN, VersionId } = await clients.secretsManager.send(new GetSecretValueCommand({ SecretId }));
  expect(ARN).toMatch(/^arn:aws:secretsmanager:us-east-1:\d{12}:secret:daybook\/credentials-\w{6}$/);
  secrets.put(SecretId, 'new');
  for (const id of [defined(ARN), defined(ARN).slice(0, -7)]) {
    const found = await clients.secretsManager.send(new GetSecretValueCommand({ SecretId: id, VersionId }));
    expect(found.SecretString).toBe('yes');
  }
});

test.each([
  ['a secret', { SecretId: 'absent' }, "Secrets Manager can't find the specified secret."],
  [
    'a label',
    { SecretId, VersionStage: 'AWSPREVIOUS' },
    "Secrets Manager can't find the specified secret value for staging label: AWSPREVIOUS",
  ],
])('%s that does not exist gives ResourceNotFoundException', async (_, input, message) => {
  const { clients, secrets } = await runSandbox();
  secrets.put(SecretId, 'only one');
  await expect(clients.secretsManager.send(new GetSecretValueCommand(input))).rejects.toMatchObject({
    name: 'ResourceNotFoundException',
    message,
    $metadata: { httpStatusCode: 400 },
  });
});

test('people create a secret and put new values through the API', async () => {
  const { clients } = await runSandbox();
  const create = () =>
    clients.secretsManager.send(new CreateSecretCommand({ Name: SecretId, SecretString: 'one' }));
  await create();
  await expect(create()).rejects.toMatchObject({ name: 'ResourceExistsException' });
  const put = new PutSecretValueCommand({
    SecretId,
    SecretString: 'two',
    ClientRequestToken: 'a'.repeat(32),
  });
  await clients.secretsManager.send(put);
  // The same token again is the same request: it must not push `one` out of AWSPREVIOUS.
  await clients.secretsManager.send(put);
  const previous = new GetSecretValueCommand({ SecretId, VersionStage: 'AWSPREVIOUS' });
  expect((await clients.secretsManager.send(previous)).SecretString).toBe('one');
});

test('DescribeSecret names the versions that have a label, and shows no value', async () => {
  const { clients, secrets } = await runSandbox();
  for (const value of ['one', 'two', 'three']) secrets.put(SecretId, value);
  const described = await clients.secretsManager.send(new DescribeSecretCommand({ SecretId }));
  expect(described).toMatchObject({ Name: SecretId, LastChangedDate: anyOf(Date) });
  expect(Object.values(defined(described.VersionIdsToStages))).toEqual([['AWSPREVIOUS'], ['AWSCURRENT']]);
  expect(JSON.stringify(described)).not.toContain('three');
  const absent = clients.secretsManager.send(new DescribeSecretCommand({ SecretId: 'absent' }));
  await expect(absent).rejects.toMatchObject({ name: 'ResourceNotFoundException' });
});

test('an operation of Secrets Manager that the sandbox does not have is refused', async () => {
  const { clients } = await runSandbox();
  await expect(clients.secretsManager.send(new ListSecretsCommand({}))).rejects.toMatchObject({
    name: 'UnknownOperationException',
  });
});
