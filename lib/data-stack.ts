import { Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import type { StackProps } from 'aws-cdk-lib';
import * as iam from 'aws-cdk-lib/aws-iam';
import * as kms from 'aws-cdk-lib/aws-kms';
import * as s3 from 'aws-cdk-lib/aws-s3';
import type { Construct } from 'constructs';
import { CHANGES } from '#domain/storage/keys.ts';
import { acknowledge } from './checks.ts';
import { StackOutputs } from './constructs/stack-outputs.ts';
import type { Settings } from './settings.ts';
import { MARKERS_KEPT_DAYS } from './lake/history/markers-kept.ts';

export interface DataStackProps extends StackProps {
  settings: Settings;
}

/** How long a tick's items and its runs' results are useful, days. */
const PLAN_DAYS = 30;

/** The storage: the data bucket, its key, and its access log. */
export class DataStack extends Stack {
  readonly key: kms.Key;
  readonly bucket: s3.Bucket;
  readonly accessLogs: s3.Bucket;

  constructor(scope: Construct, id: string, { settings, ...props }: DataStackProps) {
    super(scope, id, props);
    const destroy = settings.removal === 'destroy';
    const kept = {
      removalPolicy: destroy ? RemovalPolicy.DESTROY : RemovalPolicy.RETAIN,
      blockPublicAccess: s3.BlockPublicAccess.BLOCK_ALL,
      objectOwnership: s3.ObjectOwnership.BUCKET_OWNER_ENFORCED,
      enforceSSL: true,
      minimumTLSVersion: 1.2,
    };

    this.key = new kms.Key(this, 'Key', {
      description: `Daybook ${settings.stage}: snapshots, ledgers, notices`,
      enableKeyRotation: true,
      removalPolicy: kept.removalPolicy,
    });
    this.#letAlarmsReachTheTopic();

    this.accessLogs = new s3.Bucket(this, 'AccessLogs', {
      ...kept,
      // S3's log delivery writes with the bucket's default encryption, and cannot use a bucket key.
      encryption: s3.BucketEncryption.S3_MANAGED,
      lifecycleRules: [{ id: 'expire', expiration: Duration.days(settings.retention.accessLogDays) }],
    });
    acknowledge(
      this.accessLogs,
      'AwsSolutions-S1',
      'It holds the access logs; logging its own access would never end.',
    );

    this.bucket = new s3.Bucket(this, 'Bucket', {
      ...kept,
      encryption: s3.BucketEncryption.KMS,
      encryptionKey: this.key,
      bucketKeyEnabled: true,
      versioned: true,
      serverAccessLogsBucket: this.accessLogs,
      serverAccessLogsPrefix: 'data/',
      lifecycleRules: this.#lifecycle(settings.retention),
    });
    new StackOutputs(this, {
      BucketName: {
        value: this.bucket.bucketName,
        description: 'The bucket of the registry and of all data',
      },
      DataDays: {
        value: settings.retention.dataDays.toString(),
        description: 'How many days the files of invoices and refunds are kept',
      },
    });
  }

  #lifecycle({ dataDays, manifestDays, ledgerDays }: Settings['retention']): s3.LifecycleRule[] {
    const expire = (prefix: string, days: number): s3.LifecycleRule => ({
      id: `expire ${prefix}`,
      prefix,
      expiration: Duration.days(days),
    });
    return [
      {
        id: 'old versions and what was never finished',
        noncurrentVersionExpiration: Duration.days(1),
        abortIncompleteMultipartUploadAfter: Duration.days(1),
        expiredObjectDeleteMarker: true,
      },
      // Customers' data.
      expire('invoices/', dataDays),
      expire('refunds/', dataDays),
      expire('days/', manifestDays),
      expire('checked/', manifestDays),
      // This object is written again with every day, so an old one belongs to a merchant that left.
      expire('history/', manifestDays),
      // Ledgers, and records of notices. They must not expire before the manifest: a day without its ledger would be mailed again.
      expire('mail/', ledgerDays),
      expire(CHANGES, MARKERS_KEPT_DAYS),
      // Not plan/daily.json, which remembers the last tick.
      expire('plan/daily/', PLAN_DAYS),
      expire('plan/alert/', PLAN_DAYS),
      expire('plan/results/', PLAN_DAYS),
    ];
  }

  /** Lets alarms publish to a topic that is encrypted with this key. There is no other way to grant it. */
  #letAlarmsReachTheTopic(): void {
    this.key.addToResourcePolicy(
      new iam.PolicyStatement({
        sid: 'AlarmsReachTheTopic',
        principals: [new iam.ServicePrincipal('cloudwatch.amazonaws.com')],
        actions: ['kms:Decrypt', 'kms:GenerateDataKey'],
        // In a key's policy, `*` means this key.
        resources: ['*'],
        conditions: { StringEquals: { 'aws:SourceAccount': this.account } },
      }),
    );
  }
}
