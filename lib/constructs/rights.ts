import { ArnFormat, Stack } from 'aws-cdk-lib';
import * as iam from 'aws-cdk-lib/aws-iam';
import type * as kms from 'aws-cdk-lib/aws-kms';
import type * as s3 from 'aws-cdk-lib/aws-s3';
import type * as ses from 'aws-cdk-lib/aws-ses';
import { bareAddress } from '#registry/mail-address.ts';
import type { ObjectRights } from '../functions.ts';
import type { Settings } from '../settings.ts';

/** @param statement.sid says what it is for */
export function allow(role: iam.Role, statement: iam.PolicyStatementProps): void {
  role.addToPolicy(new iam.PolicyStatement(statement));
}

/** Lets the role use these objects and the key that encrypts them. */
export function grantObjects(role: iam.Role, bucket: s3.IBucket, key: kms.IKey, rights: ObjectRights): void {
  const allowKeys = (sid: string, actions: string[], keys: readonly string[]) => {
    if (keys.length === 0) return;
    allow(role, { sid, actions, resources: keys.map((pattern) => bucket.arnForObjects(pattern)) });
  };
  const { read, readVersions = [], write, upload = [], remove = [] } = rights;
  allowKeys('ReadObjects', ['s3:GetObject'], read);
  allowKeys('ReadVersions', ['s3:GetObjectVersion'], readVersions);
  allowKeys('WriteObjects', ['s3:PutObject'], [...write, ...upload]);
  allowKeys('AbandonUploads', ['s3:AbortMultipartUpload'], upload);
  allowKeys('RemoveObjects', ['s3:DeleteObject'], remove);
  allow(role, {
    sid: 'TellMissingFromForbidden',
    // Without it S3 answers "forbidden" for a missing object. Daybook must know whether an object exists.
    actions: ['s3:ListBucket', ...(readVersions.length > 0 ? ['s3:ListBucketVersions'] : [])],
    resources: [bucket.bucketArn],
  });
  allow(role, {
    sid: 'UseTheKey',
    actions: ['kms:Decrypt', 'kms:GenerateDataKey'],
    resources: [key.keyArn],
  });
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
  allow(role, {
    sid: 'SendMail',
    actions: ['ses:SendRawEmail'],
    resources: [
      identity.emailIdentityArn,
      arn('configuration-set', configurationSet.configurationSetName),
      // In its sandbox SES also asks for rights on the recipient's identity. The condition prevents sending from it.
      ...sandboxRecipients.map((address) => arn('identity', address)),
    ],
    conditions: { StringEquals: { 'ses:FromAddress': bareAddress(from) } },
  });
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

export function grantSecrets(role: iam.Role, stack: Stack, credentials: Settings['credentials']): void {
  allow(role, {
    sid: 'ReadCredentials',
    actions: ['secretsmanager:GetSecretValue'],
    resources: secretArns(stack, credentials),
  });
  const { keyArn } = credentials;
  if (keyArn === undefined) return;
  allow(role, { sid: 'DecryptCredentials', actions: ['kms:Decrypt'], resources: [keyArn] });
}
