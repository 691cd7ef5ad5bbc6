import { Annotations, Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import type * as kms from 'aws-cdk-lib/aws-kms';
import * as s3 from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import * as athena from 'aws-cdk-lib/aws-athena';
import type * as glue from 'aws-cdk-lib/aws-glue';
import type { AnswerFolder } from '#lake/sql/lake-database.ts';
import type { NamedQuery } from '../lake/queries/index.ts';

/** Where the log of accesses to the answers is, in the bucket of access logs. */
export const ANSWER_LOGS = 'athena/';

interface QueryResultsProps {
  key: kms.IKey;
  /** It must let S3 write logs below {@link ANSWER_LOGS}. */
  accessLogs: s3.IBucket;
  /** How long answers are kept. */
  days: number;
  removalPolicy: RemovalPolicy;
}

/** The bucket for the answers of queries. They are customers' data, like the tables. */
export function createResults(
  scope: Construct,
  id: string,
  { key, accessLogs, days, removalPolicy }: QueryResultsProps,
): s3.Bucket {
  const place = new Construct(scope, id);
  const bucket = new s3.Bucket(place, 'Bucket', {
    removalPolicy,
    blockPublicAccess: s3.BlockPublicAccess.BLOCK_ALL,
    objectOwnership: s3.ObjectOwnership.BUCKET_OWNER_ENFORCED,
    enforceSSL: true,
    minimumTLSVersion: 1.2,
    encryption: s3.BucketEncryption.KMS,
    encryptionKey: key,
    bucketKeyEnabled: true,
    // By its name: the library would give the bucket of another stack a right without conditions.
    serverAccessLogsBucket: s3.Bucket.fromBucketName(place, 'AccessLogs', accessLogs.bucketName),
    serverAccessLogsPrefix: ANSWER_LOGS,
    lifecycleRules: [
      {
        id: 'expire',
        expiration: Duration.days(days),
        abortIncompleteMultipartUploadAfter: Duration.days(1),
      },
    ],
  });
  Annotations.of(bucket).acknowledgeWarning(
    '@aws-cdk/aws-s3:accessLogsPolicyNotAdded',
    'The stack of the access logs gives the right.',
  );
  return bucket;
}

interface WorkGroupProps {
  name: string;
  description: string;
  /** The most that one query may read, bytes. Athena requires at least 10 MB. Not set: no limit. */
  scanLimitBytes?: number;
  results: s3.IBucket;
  answers: AnswerFolder;
  key: kms.IKey;
  /** Whether the workgroup is deleted with its history of queries. */
  removalPolicy: RemovalPolicy;
}

/** A workgroup whose queries are limited, and whose answers are encrypted in one place. */
export function createWorkGroup(scope: Construct, id: string, props: WorkGroupProps): athena.CfnWorkGroup {
  const { name, description, scanLimitBytes, results, answers, key, removalPolicy } = props;
  return new athena.CfnWorkGroup(scope, id, {
    name,
    description,
    recursiveDeleteOption: removalPolicy === RemovalPolicy.DESTROY,
    workGroupConfiguration: {
      // A client cannot choose another place for its answers, or leave them unencrypted.
      enforceWorkGroupConfiguration: true,
      publishCloudWatchMetricsEnabled: true,
      ...(scanLimitBytes !== undefined && { bytesScannedCutoffPerQuery: scanLimitBytes }),
      requesterPaysEnabled: false,
      engineVersion: { selectedEngineVersion: 'Athena engine version 3' },
      resultConfiguration: {
        outputLocation: `s3://${results.bucketName}/${answers}`,
        expectedBucketOwner: Stack.of(scope).account,
        encryptionConfiguration: { encryptionOption: 'SSE_KMS', kmsKey: key.keyArn },
      },
    },
  });
}

export function createNamedQueries(
  scope: Construct,
  queries: readonly NamedQuery[],
  database: glue.CfnDatabase,
  workGroup: athena.CfnWorkGroup,
): void {
  for (const { name, description, sql } of queries) {
    new athena.CfnNamedQuery(scope, name, {
      name,
      description,
      database: database.ref,
      workGroup: workGroup.ref,
      queryString: sql,
    });
  }
}
