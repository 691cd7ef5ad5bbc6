import { Duration } from 'aws-cdk-lib';
import type { RemovalPolicy } from 'aws-cdk-lib';
import type * as kms from 'aws-cdk-lib/aws-kms';
import * as s3 from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';

export interface QueryResultsProps {
  key: kms.IKey;
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
      serverAccessLogsBucket: accessLogs,
      serverAccessLogsPrefix: 'athena/',
      lifecycleRules: [
        {
          id: 'expire',
          expiration: Duration.days(days),
          abortIncompleteMultipartUploadAfter: Duration.days(1),
        },
      ],
    });
  }
}
