import { RemovalPolicy, Stack } from 'aws-cdk-lib';
import * as athena from 'aws-cdk-lib/aws-athena';
import type * as kms from 'aws-cdk-lib/aws-kms';
import type * as s3 from 'aws-cdk-lib/aws-s3';
import type { Construct } from 'constructs';
import type { AnswerFolder } from '../lake/access/answers.ts';

export interface WorkGroupProps {
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
