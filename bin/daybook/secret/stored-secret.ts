import {
  CreateSecretCommand,
  GetSecretValueCommand,
  InvalidParameterException,
  InvalidRequestException,
  PutSecretValueCommand,
  ResourceExistsException,
  ResourceNotFoundException,
  UpdateSecretVersionStageCommand,
} from '@aws-sdk/client-secrets-manager';
import type { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { CommandError } from '../terminal/command-errors.ts';

interface SecretVersion {
  text: string;
  versionId: string;
}

/** The present value, `undefined` when there is no such secret or it has no value yet. */
async function currentVersion(
  client: SecretsManagerClient,
  name: string,
): Promise<SecretVersion | undefined> {
  try {
    const { SecretString: text = '', VersionId: versionId = '' } = await client.send(
      new GetSecretValueCommand({ SecretId: name, VersionStage: 'AWSCURRENT' }),
    );
    return { text, versionId };
  } catch (error) {
    if (error instanceof ResourceNotFoundException) return undefined;
    throw error;
  }
}

/** The text of a secret, `undefined` when there is no such secret or it has no value yet. */
export async function secretText(client: SecretsManagerClient, name: string): Promise<string | undefined> {
  return (await currentVersion(client, name))?.text;
}

/** @returns whether it was created: it may be there, without a value or by somebody else who was first */
async function isCreated(client: SecretsManagerClient, name: string, text: string): Promise<boolean> {
  try {
    await client.send(new CreateSecretCommand({ Name: name, SecretString: text }));
    return true;
  } catch (error) {
    if (error instanceof ResourceExistsException) return false;
    throw error;
  }
}

/** The label of a value that is about to become the present one. One version has it at most. */
const EDITED = 'DAYBOOK_EDIT';

/** Why a label could not be moved. */
function isNotMoved(error: unknown): boolean {
  return (
    error instanceof InvalidParameterException ||
    error instanceof InvalidRequestException ||
    error instanceof ResourceNotFoundException
  );
}

/**
 * A conditional write. The value is stored beside the present one first, and nobody reads it there. Then the label
 * AWSCURRENT moves to it, from the version that the request names. Secrets Manager refuses this when the label is on
 * another version by then.
 *
 * @param base the version that it replaces, `undefined` when the secret has no value yet
 * @returns whether it is the present value now. `false`: somebody else changed the secret meanwhile
 */
async function isReplaced(
  client: SecretsManagerClient,
  name: string,
  text: string,
  base: string | undefined,
): Promise<boolean> {
  const { VersionId: versionId } = await client.send(
    new PutSecretValueCommand({ SecretId: name, SecretString: text, VersionStages: [EDITED] }),
  );
  try {
    await client.send(
      new UpdateSecretVersionStageCommand({
        SecretId: name,
        VersionStage: 'AWSCURRENT',
        MoveToVersionId: versionId,
        ...(base !== undefined && { RemoveFromVersionId: base }),
      }),
    );
    return true;
  } catch (error) {
    if (!isNotMoved(error)) throw error;
    const now = (await currentVersion(client, name))?.versionId;
    // The answer was lost, and the second request found the label moved.
    if (now === versionId) return true;
    if (now === base) throw error;
    return false;
  }
}

const MOST_ATTEMPTS = 5;

/**
 * Edits a secret, or creates it. When somebody else changes it meanwhile, the edit is made again in their text. So no
 * change is lost.
 *
 * @param edit gives the new text, from the text or from `undefined` when there is none. It is called again with each
 * newer text
 * @throws {CommandError} when others write all the time
 */
export async function editSecret(
  client: SecretsManagerClient,
  name: string,
  edit: (text: string | undefined) => string,
): Promise<void> {
  for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt += 1) {
    const base = await currentVersion(client, name);
    const text = edit(base?.text);
    if (text === base?.text) return;
    if (base === undefined && (await isCreated(client, name, text))) return;
    if (await isReplaced(client, name, text, base?.versionId)) return;
  }
  throw new CommandError(
    `the secret ${name} was not changed: somebody else changed it at every attempt. Try again in a minute`,
  );
}
