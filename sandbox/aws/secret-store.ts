import { randomBytes, randomUUID } from 'node:crypto';

/** A staging label that Secrets Manager moves by itself with each new value. */
export type VersionStage = 'AWSCURRENT' | 'AWSPREVIOUS';

/** A current or former value of a secret. */
export interface SecretVersion {
  versionId: string;
  value: string;
  createdAt: Date;
}

/** A secret and its values, oldest first; the last is AWSCURRENT, the one before it AWSPREVIOUS. */
export interface Secret {
  name: string;
  arn: string;
  versions: SecretVersion[];
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
    const secret = this.#secrets.get(name) ?? { name, arn: arnOf(name), versions: [] };
    this.#secrets.set(name, secret);
    secret.versions.push({ versionId, value, createdAt: new Date(this.#now()) });
    return secret;
  }

  /** Finds a secret by name, by ARN, or by ARN without the six characters at its end. */
  find(secretId: string): Secret | undefined {
    const byName = this.#secrets.get(secretId);
    if (byName !== undefined || !secretId.startsWith('arn:')) return byName;
    return [...this.#secrets.values()].find(({ arn }) => arn === secretId || arn.slice(0, -7) === secretId);
  }
}

/** The current labels of a version; none for one older than AWSPREVIOUS. */
export function stagesOf(secret: Secret, version: SecretVersion): VersionStage[] {
  if (version === secret.versions.at(-1)) return ['AWSCURRENT'];
  return version === secret.versions.at(-2) ? ['AWSPREVIOUS'] : [];
}

function arnOf(name: string): string {
  const suffix = randomBytes(3).toString('hex');
  return `arn:aws:secretsmanager:us-east-1:000000000000:secret:${name}-${suffix}`;
}
