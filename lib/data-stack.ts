import { Duration, Stack } from 'aws-cdk-lib';
import type { StackProps } from 'aws-cdk-lib';
import * as iam from 'aws-cdk-lib/aws-iam';
import * as kms from 'aws-cdk-lib/aws-kms';
import * as s3 from 'aws-cdk-lib/aws-s3';
import type { Construct } from 'constructs';
import { acknowledge } from './checks.ts';
import { ANSWER_LOGS } from './constructs/query-results.ts';
import { heldByConsumers } from './constructs/held-by-consumers.ts';
import { StackOutputs } from './constructs/stack-outputs.ts';
import { dataLifecycle } from './data-lifecycle.ts';
import { removalOf } from './removal.ts';
import type { Settings } from './settings.ts';

export interface DataStackProps extends StackProps {
  settings: Settings;
}

/** The storage: the data bucket, its key, and its access log. */
export class DataStack extends Stack {
  readonly key: kms.Key;
  readonly bucket: s3.Bucket;
  readonly accessLogs: s3.Bucket;

  constructor(scope: Construct, id: string, { settings, ...props }: DataStackProps) {
    super(scope, id, props);
    const kept = {
      removalPolicy: removalOf(settings),
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

    this.#letAnswersBeLogged();

    this.bucket = new s3.Bucket(this, 'Bucket', {
      ...kept,
      encryption: s3.BucketEncryption.KMS,
      encryptionKey: this.key,
      bucketKeyEnabled: true,
      versioned: true,
      serverAccessLogsBucket: this.accessLogs,
      serverAccessLogsPrefix: 'data/',
      lifecycleRules: dataLifecycle(settings.retention),
    });
    heldByConsumers(this.key, this.accessLogs, this.bucket);
    new StackOutputs(this, {
      BucketName: {
        value: this.bucket.bucketName,
        description: 'The bucket of the registry and of all data',
      },
    });
  }

  /** The bucket of answers is in a stack that comes later, and its name is not known before. So any bucket of this account may log there. */
  #letAnswersBeLogged(): void {
    this.accessLogs.addToResourcePolicy(
      new iam.PolicyStatement({
        sid: 'AccessesToAnswers',
        principals: [new iam.ServicePrincipal('logging.s3.amazonaws.com')],
        actions: ['s3:PutObject'],
        resources: [this.accessLogs.arnForObjects(`${ANSWER_LOGS}*`)],
        conditions: { StringEquals: { 'aws:SourceAccount': this.account } },
      }),
    );
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
