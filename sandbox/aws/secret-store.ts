import { randomBytes, randomUUID } from 'node:crypto';

/** A current or former value of a secret. */
export interface SecretVersion {
  versionId: string;
  value: string;
  createdAt: Date;
}

/** A secret and its values. */
export interface Secret {
  name: string;
  arn: string;
  /** The values that were AWSCURRENT, in that order: the last is it now, the one before it is AWSPREVIOUS. */
  versions: SecretVersion[];
  /** Values that were written under another label and have not become AWSCURRENT. */
  staged: SecretVersion[];
  /** The other labels, each with the version that has it. */
  labels: Map<string, SecretVersion>;
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
    const secret = this.#secrets.get(name) ?? {
      name,
      arn: arnOf(name),
      versions: [],
      staged: [],
      labels: new Map<string, SecretVersion>(),
    };
    this.#secrets.set(name, secret);
    secret.versions.push({ versionId, value, createdAt: new Date(this.#now()) });
    return secret;
  }

  /** Gives the secret a value that has these labels, and that is not AWSCURRENT. */
  stage(secret: Secret, value: string, labels: readonly string[], versionId: string = randomUUID()): void {
    const version = { versionId, value, createdAt: new Date(this.#now()) };
    secret.staged.push(version);
    for (const label of labels) secret.labels.set(label, version);
  }

  /** Finds a secret by name, by ARN, or by ARN without the six characters at its end. */
  find(secretId: string): Secret | undefined {
    const byName = this.#secrets.get(secretId);
    if (byName !== undefined || !secretId.startsWith('arn:')) return byName;
    return [...this.#secrets.values()].find(({ arn }) => arn === secretId || arn.slice(0, -7) === secretId);
  }
}

/** Every value of a secret that can be read. */
export function versionsOf({ versions, staged }: Secret): SecretVersion[] {
  return [...versions, ...staged];
}

/** Makes a value AWSCURRENT. The former one becomes AWSPREVIOUS. */
export function makeCurrent(secret: Secret, version: SecretVersion): void {
  const others = (versions: readonly SecretVersion[]) => versions.filter((one) => one !== version);
  secret.staged = others(secret.staged);
  secret.versions = [...others(secret.versions), version];
}

/** The current labels of a version; none for one older than AWSPREVIOUS that has no label of its own. */
export function stagesOf({ versions, labels }: Secret, version: SecretVersion): string[] {
  const own = [...labels].flatMap(([label, of]) => (of === version ? [label] : []));
  if (version === versions.at(-1)) return ['AWSCURRENT', ...own];
  return version === versions.at(-2) ? ['AWSPREVIOUS', ...own] : own;
}

function arnOf(name: string): string {
  const suffix = randomBytes(3).toString('hex');
  return `arn:aws:secretsmanager:us-east-1:000000000000:secret:${name}-${suffix}`;
}
