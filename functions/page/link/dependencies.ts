import { GetObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { AssumeRoleCommand, STSClient } from '@aws-sdk/client-sts';
import { LinkedFiles, linkedFileKey } from '#links/linked-file.ts';
import { linkKeysOf } from '#links/link-keys.ts';
import type { LinkKeys } from '#links/link-keys.ts';
import type { FileClaim } from '#links/token.ts';
import { SuppressionList } from '#mail/suppression-list.ts';
import { EnvironmentError } from '#registry/environment.ts';
import type { Environment } from '#registry/environment.ts';
import { RegistrySource } from '#registry/registry-source.ts';
import { requestHandler } from '#runtime/aws-clients.ts';
import { createS3Client } from '#runtime/s3-client.ts';
import { Telemetry } from '#runtime/telemetry.ts';

export interface Dependencies {
  telemetry: Telemetry;
  registry: Pick<RegistrySource, 'load'>;
  files: Pick<LinkedFiles, 'look'>;
  suppressionList: Pick<SuppressionList, 'reason'>;
  keys: Pick<LinkKeys, 'withId'>;
  /** An address that gives out this one file, and for {@link HANDED_OUT_FOR} only. */
  handOut: (file: FileClaim) => Promise<string>;
  /** The origin of such addresses. */
  filesOrigin: () => Promise<string>;
}

/** Seconds. The browser is sent there at once. */
const HANDED_OUT_FOR = 300;
/** Seconds: the shortest session that AWS makes. */
const SESSION = 900;

/** A session that may read one object and nothing else: an address signed under it would do no more in the wrong hands. */
function narrowed(role: string, object: string): AssumeRoleCommand {
  const [, partition = 'aws'] = role.split(':');
  const Statement = [
    { Effect: 'Allow', Action: 's3:GetObject', Resource: `arn:${partition}:s3:::${object}` },
    { Effect: 'Allow', Action: 'kms:Decrypt', Resource: '*' },
  ];
  const Policy = JSON.stringify({ Version: '2012-10-17', Statement });
  return new AssumeRoleCommand({
    RoleArn: role,
    RoleSessionName: 'daybook-link',
    DurationSeconds: SESSION,
    Policy,
  });
}

/** Called once per cold start. @throws {EnvironmentError} when it is not told of the key or the role */
export function buildDependencies(environment: Environment): Dependencies {
  const { secret, role } = environment.links;
  if (secret === undefined) throw new EnvironmentError('environment variable LINKS_SECRET is missing');
  if (role === undefined) throw new EnvironmentError('environment variable LINKS_ROLE is missing');
  const { bucket } = environment.data;
  const s3 = createS3Client();
  const sts = new STSClient({ maxAttempts: 3, requestHandler: requestHandler(5_000) });
  const signed = (client: S3Client, Key: string) =>
    getSignedUrl(client, new GetObjectCommand({ Bucket: bucket, Key }), { expiresIn: HANDED_OUT_FOR });
  return {
    telemetry: new Telemetry('link', environment.log.level),
    registry: new RegistrySource(s3, bucket, environment.registry.key),
    files: new LinkedFiles(s3, bucket),
    suppressionList: new SuppressionList(s3, bucket),
    keys: linkKeysOf(secret),
    handOut: async ({ place, format }) => {
      const key = linkedFileKey(place, format);
      const { Credentials } = await sts.send(narrowed(role, `${bucket}/${key}`));
      const { AccessKeyId = '', SecretAccessKey = '', SessionToken = '' } = Credentials ?? {};
      const credentials = {
        accessKeyId: AccessKeyId,
        secretAccessKey: SecretAccessKey,
        sessionToken: SessionToken,
      };
      return signed(new S3Client({ credentials }), key);
    },
    filesOrigin: async () => new URL(await signed(s3, 'links/')).origin,
  };
}
