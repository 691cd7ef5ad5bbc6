import { randomBytes, randomUUID } from 'node:crypto';
import * as z from 'zod';
import { epochSeconds, ServiceError, type Service } from './service.ts';
import { jsonTargetService, validated } from './json-target.ts';

export interface SecretVersion {
  versionId: string;
  value: string;
  createdAt: Date;
}

export interface Secret {
  name: string;
  arn: string;
  /** The values that were AWSCURRENT, in that order: the last is it now, the one before it is AWSPREVIOUS. */
  versions: SecretVersion[];
  /** Values that were written under another label and have not become AWSCURRENT. */
  staged: SecretVersion[];
}

/** The secrets, in memory only, so that no secret is on the disk. */
export class SecretStore {
  readonly #secrets = new Map<string, Secret>();
  /** How often `GetSecretValue` was called, whether the secret was found or not. */
  reads = 0;
  readonly #now: () => number;

  /** @param now milliseconds since 1970 UTC */
  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** Creates the secret, or gives it a new value. The former current value becomes AWSPREVIOUS, as in a rotation. */
  put(name: string, value: string, versionId: string = randomUUID()): Secret {
    const secret = this.#secrets.get(name) ?? { name, arn: arnOf(name), versions: [], staged: [] };
    this.#secrets.set(name, secret);
    secret.versions.push(this.version(value, versionId));
    return secret;
  }

  version(value: string, versionId: string = randomUUID()): SecretVersion {
    return { versionId, value, createdAt: new Date(this.#now()) };
  }

  find(name: string): Secret | undefined {
    return this.#secrets.get(name);
  }
}

function versionsOf({ versions, staged }: Secret): SecretVersion[] {
  return [...versions, ...staged];
}

/** Makes a value AWSCURRENT. The former one becomes AWSPREVIOUS. */
function makeCurrent(secret: Secret, version: SecretVersion): void {
  const others = (versions: readonly SecretVersion[]) => versions.filter((one) => one !== version);
  secret.staged = others(secret.staged);
  secret.versions = [...others(secret.versions), version];
}

function arnOf(name: string): string {
  const suffix = randomBytes(3).toString('hex');
  return `arn:aws:secretsmanager:us-east-1:000000000000:secret:${name}-${suffix}`;
}

const secretId = z.object({ SecretId: z.string().min(1) });
const getSecretValue = z.strictObject({
  SecretId: z.string().min(1),
  VersionStage: z.enum(['AWSCURRENT', 'AWSPREVIOUS']).default('AWSCURRENT'),
});
const putSecretValue = secretId.extend({
  SecretString: z.string().min(1),
  ClientRequestToken: z.string().optional(),
  VersionStages: z.array(z.string().min(1)).min(1).max(20).optional(),
});
const updateSecretVersionStage = secretId.extend({
  VersionStage: z.literal('AWSCURRENT'),
  MoveToVersionId: z.string().min(1),
  RemoveFromVersionId: z.string().optional(),
});
const createSecret = z.object({
  Name: z.string().min(1),
  SecretString: z.string().min(1),
  ClientRequestToken: z.string().optional(),
});
const anyKey = z.object({ SecretId: z.string().optional(), Name: z.string().optional() });

/** Secrets Manager: GetSecretValue for the functions, the others for people; strings only. */
export function secretsManagerService(secrets: SecretStore): Service {
  const found = (id: string): Secret => {
    const secret = secrets.find(id);
    if (secret === undefined) throw notFound("Secrets Manager can't find the specified secret.");
    return secret;
  };
  return jsonTargetService({
    name: 'secretsManager',
    version: '1.1',
    target: 'secretsmanager',
    keyOf: (input) => {
      const named = anyKey.safeParse(input).data;
      return named?.SecretId ?? named?.Name;
    },
    operations: {
      GetSecretValue: (input) => {
        const { SecretId, VersionStage } = validated(getSecretValue, input);
        secrets.reads += 1;
        const secret = found(SecretId);
        const version = secret.versions.at(VersionStage === 'AWSCURRENT' ? -1 : -2);
        if (version === undefined)
          throw notFound(
            `Secrets Manager can't find the specified secret value for staging label: ${VersionStage}`,
          );
        return {
          ...written(secret, version),
          SecretString: version.value,
          CreatedDate: epochSeconds(version.createdAt),
        };
      },
      PutSecretValue: (input) => {
        const { SecretId, SecretString, ClientRequestToken, VersionStages } = validated(
          putSecretValue,
          input,
        );
        const secret = found(SecretId);
        // A token that was used before means a repeated request, as after a lost answer.
        const before = versionsOf(secret).find(({ versionId }) => versionId === ClientRequestToken);
        if (before !== undefined) return written(secret, before);
        // The first value of a secret is always AWSCURRENT.
        if (VersionStages?.includes('AWSCURRENT') === false && secret.versions.length > 0) {
          secret.staged.push(secrets.version(SecretString, ClientRequestToken));
          return written(secret, secret.staged.at(-1));
        }
        secrets.put(secret.name, SecretString, ClientRequestToken);
        return written(secret, secret.versions.at(-1));
      },
      UpdateSecretVersionStage: (input) => {
        const { SecretId, MoveToVersionId, RemoveFromVersionId } = validated(updateSecretVersionStage, input);
        const secret = found(SecretId);
        const version = versionsOf(secret).find(({ versionId }) => versionId === MoveToVersionId);
        if (version === undefined) throw notFound("Secrets Manager can't find the specified secret version.");
        const current = secret.versions.at(-1);
        // This makes it a conditional write: the label moves only from the version that the request names.
        if (current !== undefined && current !== version && current.versionId !== RemoveFromVersionId) {
          throw new ServiceError(
            400,
            'InvalidParameterException',
            `The parameter RemoveFromVersionId is not valid. Staging label AWSCURRENT is currently attached to version ${current.versionId}, so you must explicitly reference that version in RemoveFromVersionId.`,
          );
        }
        makeCurrent(secret, version);
        return { ARN: secret.arn, Name: secret.name };
      },
      CreateSecret: (input) => {
        const { Name, SecretString, ClientRequestToken } = validated(createSecret, input);
        if (secrets.find(Name) !== undefined) {
          throw new ServiceError(
            400,
            'ResourceExistsException',
            `The operation failed because the secret ${Name} already exists.`,
          );
        }
        const secret = secrets.put(Name, SecretString, ClientRequestToken);
        return written(secret, secret.versions.at(-1));
      },
    },
  });
}

function written({ arn, name }: Secret, version: SecretVersion | undefined) {
  return { ARN: arn, Name: name, VersionId: version?.versionId };
}

function notFound(message: string): ServiceError {
  return new ServiceError(400, 'ResourceNotFoundException', message);
}
