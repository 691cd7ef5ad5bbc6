import {
  CreateSecretCommand,
  GetSecretValueCommand,
  PutSecretValueCommand,
  ResourceExistsException,
  ResourceNotFoundException,
} from '@aws-sdk/client-secrets-manager';
import type { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { CommandError } from '../terminal/command-errors.ts';

interface SecretVersion {
  text: string;
  versionId: string;
}

async function readVersion(
  client: SecretsManagerClient,
  name: string,
  stage: 'AWSCURRENT' | 'AWSPREVIOUS',
): Promise<SecretVersion | undefined> {
  try {
    const { SecretString: text = '', VersionId: versionId = '' } = await client.send(
      new GetSecretValueCommand({ SecretId: name, VersionStage: stage }),
    );
    return { text, versionId };
  } catch (error) {
    if (error instanceof ResourceNotFoundException) return undefined;
    throw error;
  }
}

/** The text of a secret, `undefined` when there is no such secret. Empty when it has no value yet. */
export async function secretText(client: SecretsManagerClient, name: string): Promise<string | undefined> {
  return (await readVersion(client, name, 'AWSCURRENT'))?.text;
}

/** @returns whether it was created: somebody else may have been first */
async function isCreated(client: SecretsManagerClient, name: string, text: string): Promise<boolean> {
  try {
    await client.send(new CreateSecretCommand({ Name: name, SecretString: text }));
    return true;
  } catch (error) {
    if (error instanceof ResourceExistsException) return false;
    throw error;
  }
}

async function put(client: SecretsManagerClient, name: string, text: string): Promise<string> {
  const { VersionId: versionId = '' } = await client.send(
    new PutSecretValueCommand({ SecretId: name, SecretString: text }),
  );
  return versionId;
}

const MOST_ATTEMPTS = 5;

/**
 * Edits a secret, or creates it. Secrets Manager has no conditional write. So the version is compared just before
 * the write, and after it the version that it replaced. If somebody else wrote in between, the edit is made again
 * in their text, which is then the previous version. Until that is written, runs may read the secret without the
 * change of the other.
 *
 * @param edit gives the new text, from the text or from `undefined` when there is no secret. It is called again
 * with each newer text
 * @returns whether anything was written
 * @throws {CommandError} when others write all the time
 */
export async function editSecret(
  client: SecretsManagerClient,
  name: string,
  edit: (text: string | undefined) => string,
): Promise<boolean> {
  let base = await readVersion(client, name, 'AWSCURRENT');
  let isWritten = false;
  for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt += 1) {
    const text = edit(base?.text);
    if (text === base?.text) return isWritten;
    const current = await readVersion(client, name, 'AWSCURRENT');
    if (current === undefined) {
      if (await isCreated(client, name, text)) return true;
      continue;
    }
    if (current.versionId !== base?.versionId) {
      base = current;
      continue;
    }
    const versionId = await put(client, name, text);
    isWritten = true;
    const replaced = await readVersion(client, name, 'AWSPREVIOUS');
    if (replaced === undefined || replaced.versionId === current.versionId) return true;
    base = { text: replaced.text, versionId };
  }
  throw new CommandError(
    `somebody else changed the secret ${name} at every attempt: look at it with "daybook secret check", and try again in a minute`,
  );
}
