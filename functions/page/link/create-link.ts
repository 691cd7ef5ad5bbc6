import type { APIGatewayProxyStructuredResultV2 as WebAnswer } from 'aws-lambda';
import { GetObjectCommand, HeadObjectCommand, NotFound, S3Client } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { AssumeRoleCommand, STSClient } from '@aws-sdk/client-sts';
import { linkTokens } from '#mail/links/link-tokens.ts';
import { deadLink, ownerSettings, pageAnswer, seeOther, webRequest } from '#mail/link-page.ts';
import { SuppressionList } from '#mail/suppression-list.ts';
import { addressHash, linkedFileKey } from '#records/storage/keys.ts';
import { EnvironmentError, type Environment } from '#registry/environment.ts';
import { RegistrySource } from '#registry/registry-source.ts';
import { requestHandler } from '#runtime/aws-clients.ts';
import type { Handler } from '#runtime/lambda-handler.ts';
import { createS3Client } from '#runtime/s3-client.ts';
import { Telemetry } from '#runtime/telemetry.ts';

const MEGABYTES = new Intl.NumberFormat('en', { minimumFractionDigits: 1, maximumFractionDigits: 1 });

type Dependencies = ReturnType<typeof buildDependencies>;

/** Called once per cold start. @throws {EnvironmentError} when it is not told of the key or the role */
export function buildDependencies({ data: { bucket }, links, log, registry }: Environment) {
  const { role } = links;
  if (role === undefined) throw new EnvironmentError('environment variable LINKS_ROLE is missing');
  const s3 = createS3Client();
  const sts = new STSClient({ maxAttempts: 3, requestHandler: requestHandler(5_000) });
  // Five minutes: the browser is sent there at once.
  const signed = (client: S3Client, Key: string) =>
    getSignedUrl(client, new GetObjectCommand({ Bucket: bucket, Key }), { expiresIn: 300 });
  return {
    telemetry: new Telemetry('link', log.level),
    registry: new RegistrySource(s3, bucket, registry.key),
    suppressionList: new SuppressionList(s3, bucket),
    tokens: linkTokens(links.secret),
    /** `undefined` when the file is not, or no longer, kept. */
    look: async (Key: string) => {
      try {
        return await s3.send(new HeadObjectCommand({ Bucket: bucket, Key }));
      } catch (error) {
        if (error instanceof NotFound) return undefined;
        throw error;
      }
    },
    /** An address that gives out this one file, for a while. */
    handOut: async (key: string) => {
      const [, partition = 'aws'] = role.split(':');
      // A session that may read one object: an address signed under it would do no more in the wrong hands.
      const Statement = [
        { Effect: 'Allow', Action: 's3:GetObject', Resource: `arn:${partition}:s3:::${bucket}/${key}` },
        { Effect: 'Allow', Action: 'kms:Decrypt', Resource: '*' },
      ];
      const session = new AssumeRoleCommand({
        RoleArn: role,
        RoleSessionName: 'daybook-link',
        // The shortest session that AWS makes.
        DurationSeconds: 900,
        Policy: JSON.stringify({ Version: '2012-10-17', Statement }),
      });
      const { Credentials } = await sts.send(session);
      const { AccessKeyId: accessKeyId = '', SecretAccessKey: secretAccessKey = '' } = Credentials ?? {};
      const credentials = { accessKeyId, secretAccessKey, sessionToken: Credentials?.SessionToken ?? '' };
      return signed(new S3Client({ credentials }), key);
    },
    filesOrigin: async () => new URL(await signed(s3, 'links/')).origin,
  };
}

/**
 * Answers a request for a file that a mail links. GET and HEAD show what it is, and hand out nothing: programs that look at
 * links for a reader do no harm. Only the button of the page, a POST, sends the browser on to the file.
 */
export function createLink(dependencies: Dependencies): Handler<WebAnswer> {
  const { tokens, registry, suppressionList, telemetry, look, handOut, filesOrigin } = dependencies;
  const answer = async (event: unknown) => {
    const { method, token } = webRequest(event);
    const claim = await tokens.read(token);
    if (claim?.kind !== 'file') return deadLink('link.unknown');
    const { place, format, hash, mailedAt } = claim;
    const owner = ownerSettings((await registry.load()).registry, place.owner);
    // It works for a recipient whose mail is not stopped, and of a mail that is not called back.
    if (
      !owner?.recipients.some((address) => addressHash(address) === hash) ||
      ('linksFrom' in owner && owner.linksFrom !== undefined && mailedAt < Date.parse(owner.linksFrom)) ||
      (await suppressionList.reason(hash)) !== undefined
    ) {
      return deadLink('link.over', owner?.language);
    }
    const key = linkedFileKey(place, format);
    const file = await look(key);
    if (file === undefined) return deadLink('link.gone', owner.language);
    const { ContentLength: bytes = 0, Metadata = {} } = file;
    const rows = Number(Metadata['rows']);
    if (method === 'POST') {
      const location = await handOut(key);
      telemetry.logger.info('file handed out', { key, rows, bytes });
      return seeOther(location);
    }
    const size = MEGABYTES.format(bytes / 1_000_000);
    return pageAnswer(
      200,
      owner.language,
      (texts) => ({
        title: texts.say('link.title'),
        lines: [],
        facts: {
          [texts.say('link.file')]: decodeURIComponent(Metadata['name'] ?? ''),
          [texts.say('link.rows')]: rows.toLocaleString('en'),
          [texts.say('link.size')]: texts.say('link.megabytes', { size }),
        },
        button: { label: texts.say('link.download'), does: 'download' },
      }),
      await filesOrigin(),
    );
  };
  return (event, context) => telemetry.during(context, () => answer(event));
}
