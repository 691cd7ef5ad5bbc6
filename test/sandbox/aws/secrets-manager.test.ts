import { GetSecretValueCommand, PutSecretValueCommand } from '@aws-sdk/client-secrets-manager';
import { expect, test } from 'vitest';
import { runSandbox } from '#support/aws/running-sandbox.ts';

const SecretId = 'daybook/credentials';

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
