import * as z from 'zod';
import { requestText } from './request-body.ts';
import { stagesOf } from './secret-store.ts';
import type { Secret, SecretStore, SecretVersion } from './secret-store.ts';
import { ServiceError } from './service.ts';
import type { Answer, Service } from './service.ts';

const target = /^secretsmanager\.(\w+)$/;

const getSecretValue = z.object({
  SecretId: z.string().min(1),
  VersionId: z.string().optional(),
  VersionStage: z.string().optional(),
});
const putSecretValue = z.object({
  SecretId: z.string().min(1),
  SecretString: z.string().min(1),
  ClientRequestToken: z.string().optional(),
});
const createSecret = z.object({
  Name: z.string().min(1),
  SecretString: z.string().min(1),
  ClientRequestToken: z.string().optional(),
});
const anyKey = z.object({ SecretId: z.string().optional(), Name: z.string().optional() });

/** Secrets Manager: GetSecretValue for the product, PutSecretValue and CreateSecret for people; strings only. */
export function secretsManagerService(secrets: SecretStore): Service {
  const operations: Record<string, (input: unknown) => Answer> = {
    GetSecretValue: (input) => getValue(secrets, parsed(getSecretValue, input)),
    PutSecretValue: (input) => {
      const { SecretId, SecretString, ClientRequestToken } = parsed(putSecretValue, input);
      const secret = secrets.find(SecretId);
      if (secret === undefined) throw notFound("Secrets Manager can't find the specified secret.");
      // A token that was used before means a repeated request, as after a lost answer.
      if (!secret.versions.some(({ versionId }) => versionId === ClientRequestToken)) {
        secrets.put(secret.name, SecretString, ClientRequestToken);
      }
      return writtenAnswer(secret);
    },
    CreateSecret: (input) => {
      const { Name, SecretString, ClientRequestToken } = parsed(createSecret, input);
      if (secrets.find(Name) !== undefined) {
        throw new ServiceError(
          400,
          'ResourceExistsException',
          `The operation failed because the secret ${Name} already exists.`,
        );
      }
      return writtenAnswer(secrets.put(Name, SecretString, ClientRequestToken));
    },
  };
  return {
    name: 'secretsManager',
    identify: async (request) => {
      const operation = target.exec(String(request.headers['x-amz-target']))?.[1] ?? 'Unknown';
      const input = jsonOf(await requestText(request));
      const named = anyKey.safeParse(input).data;
      return {
        operation,
        key: named?.SecretId ?? named?.Name,
        perform: () => {
          const serve = operations[operation];
          if (serve === undefined)
            throw new ServiceError(400, 'UnknownOperationException', `Not in the sandbox: ${operation}`);
          return serve(input);
        },
      };
    },
    refuse: (error) => ({
      status: error.status,
      headers: { 'content-type': 'application/x-amz-json-1.1', ...error.headers },
      body: JSON.stringify({ __type: error.code, Message: error.message }),
    }),
  };
}

function getValue(secrets: SecretStore, request: z.infer<typeof getSecretValue>): Answer {
  secrets.reads += 1;
  const secret = secrets.find(request.SecretId);
  if (secret === undefined) throw notFound("Secrets Manager can't find the specified secret.");
  const version = chosenVersion(secret, request);
  return jsonAnswer({
    ARN: secret.arn,
    Name: secret.name,
    VersionId: version.versionId,
    SecretString: version.value,
    VersionStages: stagesOf(secret, version),
    CreatedDate: version.createdAt.getTime() / 1000,
  });
}

function chosenVersion(
  secret: Secret,
  { VersionId, VersionStage }: z.infer<typeof getSecretValue>,
): SecretVersion {
  const stage = VersionStage ?? (VersionId === undefined ? 'AWSCURRENT' : undefined);
  const version = secret.versions.find(
    (candidate) =>
      (VersionId === undefined || candidate.versionId === VersionId) &&
      (stage === undefined || stagesOf(secret, candidate).some((own) => own === stage)),
  );
  if (version !== undefined) return version;
  const wanted = VersionId === undefined ? `staging label: ${String(stage)}` : `VersionId: ${VersionId}`;
  throw notFound(`Secrets Manager can't find the specified secret value for ${wanted}`);
}

function writtenAnswer(secret: Secret): Answer {
  return jsonAnswer({
    ARN: secret.arn,
    Name: secret.name,
    VersionId: secret.versions.at(-1)?.versionId,
    VersionStages: ['AWSCURRENT'],
  });
}

function jsonAnswer(body: object): Answer {
  return {
    status: 200,
    headers: { 'content-type': 'application/x-amz-json-1.1' },
    body: JSON.stringify(body),
  };
}

function parsed<T>(schema: z.ZodType<T>, input: unknown): T {
  const result = schema.safeParse(input);
  if (result.success) return result.data;
  throw new ServiceError(400, 'ValidationException', z.prettifyError(result.error));
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ServiceError(400, 'SerializationException', 'The body is not JSON.');
  }
}

function notFound(message: string): ServiceError {
  return new ServiceError(400, 'ResourceNotFoundException', message);
}
