import { GetSecretValueCommand, PutSecretValueCommand } from '@aws-sdk/client-secrets-manager';
import { expect, test } from 'vitest';
import { runSandbox } from '#support/aws/running-sandbox.ts';
import { defined } from '#support/assertions/defined.ts';

const SecretId = 'daybook/credentials';

test('a secret is found by its ARN with and without the suffix, and a value by its version', async () => {
  const { clients, secrets } = await runSandbox();
  secrets.put('other', 'no');
  secrets.put(SecretId, 'yes');
  const { ARN, VersionId } = await clients.secretsManager.getSecretValue({ SecretId });
  expect(ARN).toMatch(/^arn:aws:secretsmanager:us-east-1:\d{12}:secret:daybook\/credentials-\w{6}$/);
  secrets.put(SecretId, 'new');
  for (const id of [defined(ARN), defined(ARN).slice(0, -7)]) {
    const found = await clients.secretsManager.getSecretValue({ SecretId: id, VersionId });
    expect(found.SecretString).toBe('yes');
  }
});

test('people create a secret and put new values through the API', async () => {
  const { clients } = await runSandbox();
  const create = () => clients.secretsManager.createSecret({ Name: SecretId, SecretString: 'one' });
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

test('an operation of Secrets Manager that the sandbox does not have is refused', async () => {
  const { clients } = await runSandbox();
  await expect(clients.secretsManager.listSecrets({})).rejects.toMatchObject({
    name: 'UnknownOperationException',
  });
});
