import { ArnFormat, Stack } from 'aws-cdk-lib';
import * as iam from 'aws-cdk-lib/aws-iam';
import type * as kms from 'aws-cdk-lib/aws-kms';
import type * as lambda from 'aws-cdk-lib/aws-lambda';
import type * as s3 from 'aws-cdk-lib/aws-s3';
import { ELSEWHERE, acknowledgeStar, placeOf } from '../checks.ts';
import { LOG_DELIVERY } from './log-delivery.ts';

export interface FanOutRights {
  stateMachineName: string;
  /** The labels of its Distributed Maps. */
  labels: readonly string[];
  functions: readonly lambda.IFunction[];
  bucket: s3.IBucket;
  key: kms.IKey;
  /** The key prefixes of the items. */
  items: readonly string[];
  /** The key prefixes of the results. */
  results: readonly string[];
}

/** The rights of a fan-out, and no others. */
export function grantFanOut(role: iam.Role, rights: FanOutRights): void {
  const allow = (sid: string, actions: string[], resources: string[]) =>
    role.addToPolicy(new iam.PolicyStatement({ sid, actions, resources }));
  const { functions, bucket, key, items, results } = rights;
  allow(
    'CallTheFunctions',
    ['lambda:InvokeFunction'],
    // Every version, because an execution under way calls the one that it began with. Executions that began before there
    // were versions call none.
    functions.flatMap(({ functionArn }) => [functionArn, `${functionArn}:*`]),
  );
  acknowledgeStar(role, `${ELSEWHERE}:*`, 'Executions that began before a deploy call an earlier version.');
  const under = (prefixes: readonly string[]) =>
    prefixes.map((prefix) => bucket.arnForObjects(`${prefix}/*`));
  allow('ReadItems', ['s3:GetObject'], under(items));
  allow(
    'WriteResults',
    // This includes reading and multipart uploads: Step Functions reads the result files back and writes them in parts.
    ['s3:PutObject', 's3:GetObject', 's3:ListMultipartUploadParts', 's3:AbortMultipartUpload'],
    under(results),
  );
  for (const prefix of [...items, ...results]) {
    acknowledgeStar(role, `${ELSEWHERE}/${prefix}/*`, 'The rest of these keys names ticks and runs.');
  }
  allow('UseTheKey', ['kms:Decrypt', 'kms:GenerateDataKey'], [key.keyArn]);
  grantChildren(role, rights);
  allow('DeliverTheLog', LOG_DELIVERY, ['*']);
  acknowledgeStar(role, '*', 'Log delivery knows no resources.');
}

/** A Distributed Map starts executions of its own state machine. Their names begin with its label. */
function grantChildren(role: iam.Role, { stateMachineName, labels }: FanOutRights): void {
  const stack = Stack.of(role);
  const arn = (resource: string, resourceName: string) =>
    stack.formatArn({ service: 'states', resource, resourceName, arnFormat: ArnFormat.COLON_RESOURCE_NAME });
  const childNames = labels.map((label) => `${stateMachineName}/${label}:*`);
  const followed = [`${stateMachineName}:*`, ...childNames];
  const allow = (sid: string, actions: string[], resources: string[]) =>
    role.addToPolicy(new iam.PolicyStatement({ sid, actions, resources }));
  allow('StartChildren', ['states:StartExecution'], [arn('stateMachine', stateMachineName)]);
  allow(
    'FollowChildren',
    ['states:DescribeExecution', 'states:StopExecution'],
    followed.map((name) => arn('execution', name)),
  );
  allow(
    'RedriveChildren',
    ['states:RedriveExecution'],
    childNames.map((name) => arn('execution', name)),
  );
  const { partition, region, account } = placeOf(stack);
  for (const name of followed) {
    acknowledgeStar(
      role,
      `arn:${partition}:states:${region}:${account}:execution:${name}`,
      'Executions are named as they are started.',
    );
  }
}
