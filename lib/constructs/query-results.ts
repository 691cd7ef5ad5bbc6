import { Annotations, Duration } from 'aws-cdk-lib';
import type { RemovalPolicy } from 'aws-cdk-lib';
import type * as kms from 'aws-cdk-lib/aws-kms';
import * as s3 from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';

/** Where the log of accesses to the answers is, in the bucket of access logs. */
export const ANSWER_LOGS = 'athena/';

export interface QueryResultsProps {
  key: kms.IKey;
  /** It must let S3 write logs below {@link ANSWER_LOGS}. */
  accessLogs: s3.IBucket;
  /** How long answers are kept. */
  days: number;
  removalPolicy: RemovalPolicy;
}

/** The bucket for the answers of queries. They are customers' data, like the tables. */
export class QueryResults extends Construct {
  readonly bucket: s3.Bucket;

  constructor(scope: Construct, id: string, { key, accessLogs, days, removalPolicy }: QueryResultsProps) {
    super(scope, id);
    this.bucket = new s3.Bucket(this, 'Bucket', {
      removalPolicy,
      blockPublicAccess: s3.BlockPublicAccess.BLOCK_ALL,
      objectOwnership: s3.ObjectOwnership.BUCKET_OWNER_ENFORCED,
      enforceSSL: true,
      minimumTLSVersion: 1.2,
      encryption: s3.BucketEncryption.KMS,
      encryptionKey: key,
      bucketKeyEnabled: true,
      // By its name: the library would give the bucket of another stack a right without conditions.
      serverAccessLogsBucket: s3.Bucket.fromBucketName(this, 'AccessLogs', accessLogs.bucketName),
      serverAccessLogsPrefix: ANSWER_LOGS,
      lifecycleRules: [
        {
          id: 'expire',
          expiration: Duration.days(days),
          abortIncompleteMultipartUploadAfter: Duration.days(1),
        },
      ],
    });
    Annotations.of(this.bucket).acknowledgeWarning(
      '@aws-cdk/aws-s3:accessLogsPolicyNotAdded',
      'The stack of the access logs gives the right.',
    );
  }
}
