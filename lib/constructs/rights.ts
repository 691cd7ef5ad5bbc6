import { ArnFormat, Stack } from 'aws-cdk-lib';
import * as iam from 'aws-cdk-lib/aws-iam';
import type * as kms from 'aws-cdk-lib/aws-kms';
import type * as s3 from 'aws-cdk-lib/aws-s3';
import type * as ses from 'aws-cdk-lib/aws-ses';
import type * as sns from 'aws-cdk-lib/aws-sns';
import { bareAddress } from '#registry/mail-address.ts';
import { ELSEWHERE, acknowledgeStar, placeOf } from '../checks.ts';
import type { ObjectRights } from '../functions.ts';
import type { Settings } from '../settings.ts';

/** Lets the role use these objects and the key that encrypts them. */
export function grantObjects(role: iam.Role, bucket: s3.IBucket, key: kms.IKey, rights: ObjectRights): void {
  const allow = (sid: string, actions: string[], keys: readonly string[]) => {
    if (keys.length === 0) return;
    const resources = keys.map((pattern) => bucket.arnForObjects(pattern));
    role.addToPolicy(new iam.PolicyStatement({ sid, actions, resources }));
    for (const pattern of keys.filter((text) => text.endsWith('*'))) {
      acknowledgeStar(
        role,
        `${ELSEWHERE}/${pattern}`,
        'The rest of these keys names days, merchants and pulls.',
      );
    }
  };
  const { read, write, upload = [], remove = [] } = rights;
  allow('ReadObjects', ['s3:GetObject'], read);
  allow('WriteObjects', ['s3:PutObject'], [...write, ...upload]);
  allow('AbandonUploads', ['s3:AbortMultipartUpload'], upload);
  allow('RemoveObjects', ['s3:DeleteObject'], remove);
  role.addToPolicy(
    new iam.PolicyStatement({
      sid: 'TellMissingFromForbidden',
      // Without it S3 answers "forbidden" for a missing object. Daybook must know whether an object exists.
      actions: ['s3:ListBucket'],
      resources: [bucket.bucketArn],
    }),
  );
  role.addToPolicy(
    new iam.PolicyStatement({
      sid: 'UseTheKey',
      actions: ['kms:Decrypt', 'kms:GenerateDataKey'],
      resources: [key.keyArn],
    }),
  );
}

/** Lets the role send mail from one address only, through one configuration set. */
export function grantSending(
  role: iam.Role,
  identity: ses.IEmailIdentity,
  configurationSet: ses.IConfigurationSet,
  { from, sandboxRecipients }: Settings['mail'],
): void {
  const stack = Stack.of(identity);
  const arn = (resource: string, resourceName: string) =>
    stack.formatArn({ service: 'ses', resource, resourceName });
  role.addToPolicy(
    new iam.PolicyStatement({
      sid: 'SendMail',
      actions: ['ses:SendRawEmail'],
      resources: [
        identity.emailIdentityArn,
        arn('configuration-set', configurationSet.configurationSetName),
        // In its sandbox SES also asks for rights on the recipient's identity. The condition prevents sending from it.
        ...sandboxRecipients.map((address) => arn('identity', address)),
      ],
      conditions: { StringEquals: { 'ses:FromAddress': bareAddress(from) } },
    }),
  );
}

/** Lets the role publish to the topic, which is encrypted with the data's key. */
export function grantTelling(role: iam.Role, topic: sns.ITopic): void {
  role.addToPolicy(
    new iam.PolicyStatement({ sid: 'TellOps', actions: ['sns:Publish'], resources: [topic.topicArn] }),
  );
}

/** The ARNs of the secrets with the merchants' credentials. */
export function secretArns(stack: Stack, { secret, prefix }: Settings['credentials']): string[] {
  const arn = (name: string) =>
    stack.formatArn({
      service: 'secretsmanager',
      resource: 'secret',
      resourceName: name,
      arnFormat: ArnFormat.COLON_RESOURCE_NAME,
    });
  // Secrets Manager adds six characters to a name.
  return [arn(`${secret}-??????`), ...(prefix === undefined ? [] : [arn(`${prefix}*`)])];
}

/** Lets the role read the secrets with the merchants' credentials. */
export function grantSecrets(role: iam.Role, stack: Stack, credentials: Settings['credentials']): void {
  const { prefix, keyArn } = credentials;
  role.addToPolicy(
    new iam.PolicyStatement({
      sid: 'ReadCredentials',
      actions: ['secretsmanager:GetSecretValue'],
      resources: secretArns(stack, credentials),
    }),
  );
  if (prefix !== undefined) {
    const { partition, region, account } = placeOf(stack);
    acknowledgeStar(
      role,
      `arn:${partition}:secretsmanager:${region}:${account}:secret:${prefix}*`,
      'Which secrets merchants have is said by the registry, under this prefix only.',
    );
  }
  if (keyArn === undefined) return;
  role.addToPolicy(
    new iam.PolicyStatement({ sid: 'DecryptCredentials', actions: ['kms:Decrypt'], resources: [keyArn] }),
  );
}
