import { Duration, Stack, type StackProps } from 'aws-cdk-lib';
import * as s3 from 'aws-cdk-lib/aws-s3';
import * as iam from 'aws-cdk-lib/aws-iam';
import * as kms from 'aws-cdk-lib/aws-kms';
import type { Construct } from 'constructs';
import { ALERT_STATES, CHANGES, FORGOTTEN, PROOFS, SUPPRESSIONS } from '#records/storage/keys.ts';
import { MARKERS_KEPT_DAYS } from '#records/storage/change-marker.ts';
import type { Settings } from './settings.ts';
import { acknowledge } from './checks.ts';
import { ANSWER_LOGS } from './constructs/athena.ts';
import { heldByConsumers, removalOf } from './removal.ts';
import { StackOutputs } from './constructs/stack-outputs.ts';

/** How long a tick's items and its runs' results are useful, days. */
const PLAN_DAYS = 30;
/** How long an object that was deleted or replaced can be restored, days. */
const RESTORABLE = { shortly: 1, month: 30 };
/** Days: longer than the queue of dead letters keeps the event of a version (docs/events.md). */
const UNTOLD_DAYS = 5;

interface Kept {
  prefix: string;
  /** Not set: for ever. */
  days?: number;
  /** Not set: shortly. */
  restorable?: number;
}

/**
 * How long the objects of the data bucket are kept, and how long what was deleted or replaced. No rule is for all objects: where two hold,
 * S3 takes the shorter time.
 */
export function dataLifecycle({
  retention: { dataDays, manifestDays, ledgerDays },
  links,
  proofs,
  events,
}: Pick<Settings, 'retention' | 'links' | 'proofs' | 'events'>): s3.LifecycleRule[] {
  const { month } = RESTORABLE;
  const restorable = events === undefined ? RESTORABLE.shortly : UNTOLD_DAYS;
  const kept: Kept[] = [
    // Customers' data. A deleted file must be gone soon (docs/forgetting.md).
    { prefix: 'invoices/', days: dataDays },
    { prefix: 'refunds/', days: dataDays },
    ...(links ? [{ prefix: 'links/', days: dataDays }] : []),
    { prefix: 'lake/' },
    // What nothing can make again: sealed pages, the proof of what was mailed, the registry. None of it names a customer.
    { prefix: 'days/', days: manifestDays, restorable: month },
    { prefix: 'statements/', restorable: month },
    ...(proofs ? [{ prefix: PROOFS, restorable: month }] : []),
    // Ledgers, and records of notices. They must not expire before the manifest: a day without its ledger would be mailed again.
    { prefix: 'mail/', days: ledgerDays, restorable: month },
    { prefix: 'config/', restorable: month },
    { prefix: 'checked/', days: manifestDays },
    // This object is written again with every day, so an old one belongs to a merchant that left.
    { prefix: 'history/', days: manifestDays },
    { prefix: SUPPRESSIONS, restorable },
    { prefix: ALERT_STATES, restorable },
    { prefix: FORGOTTEN },
    { prefix: CHANGES, days: MARKERS_KEPT_DAYS },
    { prefix: 'plan/' },
    // What versions with state machines wrote: items and results. Not plan/daily.json, which remembers the last tick.
    ...['daily', 'alert', 'statement', 'results', 'open'].map((of) => ({
      prefix: `plan/${of}/`,
      days: PLAN_DAYS,
    })),
  ];
  return [
    {
      id: 'what was never finished',
      abortIncompleteMultipartUploadAfter: Duration.days(1),
      expiredObjectDeleteMarker: true,
    },
    ...kept.map(({ prefix, days, restorable = RESTORABLE.shortly }) => ({
      id: `${prefix} and its old versions`,
      prefix,
      ...(days !== undefined && { expiration: Duration.days(days) }),
      noncurrentVersionExpiration: Duration.days(restorable),
    })),
  ];
}

interface DataStackProps extends StackProps {
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
      lifecycleRules: dataLifecycle(settings),
    });
    if (settings.events !== undefined) this.#tellOfObjects();
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

  /** S3 tells EventBridge of every object. CDK's own property would have a function write this setting. */
  #tellOfObjects(): void {
    const { defaultChild: resource } = this.bucket.node;
    if (!(resource instanceof s3.CfnBucket)) throw new TypeError('the bucket has no resource');
    resource.notificationConfiguration = { eventBridgeConfiguration: { eventBridgeEnabled: true } };
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
