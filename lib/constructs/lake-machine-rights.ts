import { ArnFormat, CfnElement, Stack } from 'aws-cdk-lib';
import * as iam from 'aws-cdk-lib/aws-iam';
import type * as kms from 'aws-cdk-lib/aws-kms';
import type * as s3 from 'aws-cdk-lib/aws-s3';
import { ELSEWHERE, acknowledgeStar } from '../checks.ts';
import type { AnswerFolder } from '../lake/lake-database.ts';
import { LOG_DELIVERY } from './log-delivery.ts';
import { LAKE_PREFIX } from './lake-machine-definition.ts';

export interface LakeMachineRights {
  databaseName: string;
  workGroupName: string;
  dataBucket: s3.IBucket;
  dataKey: kms.IKey;
  results: s3.IBucket;
  /** The folder of the machine's answers. */
  answers: AnswerFolder;
  /** The tables over JSON files and the views over them, which the statements read. */
  read: readonly string[];
  /** The tables of the history and the views over all time, which the statements make and change. */
  written: readonly string[];
  /** Beginnings of the keys of the JSON files. The keys continue with the name of a partition. */
  prefixes: readonly string[];
  metricNamespace: string;
  /** The databases of the groups' copies, with their tables. */
  copies: Readonly<Record<string, readonly string[]>>;
}

const WRITE_OBJECTS = [
  's3:AbortMultipartUpload',
  's3:GetObject',
  's3:ListMultipartUploadParts',
  's3:PutObject',
];

/** The rights of the machine that keeps the history, and no others. Athena uses them for the statements. */
export function grantLakeMachine(role: iam.Role, rights: LakeMachineRights): void {
  const { dataBucket, dataKey, results, answers, prefixes, metricNamespace } = rights;
  const allow = (sid: string, actions: string[], resources: string[], conditions?: iam.Conditions) =>
    role.addToPolicy(
      new iam.PolicyStatement({ sid, actions, resources, ...(conditions !== undefined && { conditions }) }),
    );
  grantAthena(role, rights);
  grantCatalogue(role, rights);
  allow(
    'ReadTheFiles',
    ['s3:GetObject'],
    prefixes.map((prefix) => dataBucket.arnForObjects(`${prefix}*`)),
  );
  // Iceberg removes the files of old snapshots.
  allow(
    'KeepTheHistory',
    [...WRITE_OBJECTS, 's3:DeleteObject'],
    [dataBucket.arnForObjects(`${LAKE_PREFIX}*`)],
  );
  allow('ListTheFiles', ['s3:ListBucket'], [dataBucket.bucketArn], {
    StringLike: { 's3:prefix': [...prefixes, LAKE_PREFIX].map((prefix) => `${prefix}*`) },
  });
  allow('FindTheFiles', ['s3:GetBucketLocation', 's3:ListBucketMultipartUploads'], [dataBucket.bucketArn]);
  allow('KeepAnswers', WRITE_OBJECTS, [results.arnForObjects(`${answers}*`)]);
  allow(
    'FindAnswers',
    ['s3:GetBucketLocation', 's3:ListBucket', 's3:ListBucketMultipartUploads'],
    [results.bucketArn],
  );
  allow('UseTheKey', ['kms:Decrypt', 'kms:GenerateDataKey'], [dataKey.keyArn]);
  allow('CountTheRun', ['cloudwatch:PutMetricData'], ['*'], {
    StringEquals: { 'cloudwatch:namespace': metricNamespace },
  });
  allow('DeliverTheLog', LOG_DELIVERY, ['*']);
  acknowledgeStars(role, rights);
}

function grantAthena(role: iam.Role, { workGroupName }: LakeMachineRights): void {
  const stack = Stack.of(role);
  const arn = (resource: string, resourceName: string) =>
    stack.formatArn({
      service: 'athena',
      resource,
      resourceName,
      arnFormat: ArnFormat.SLASH_RESOURCE_NAME,
    });
  role.addToPolicy(
    new iam.PolicyStatement({
      sid: 'RunStatements',
      actions: [
        'athena:GetQueryExecution',
        'athena:GetQueryResults',
        'athena:StartQueryExecution',
        'athena:StopQueryExecution',
      ],
      resources: [arn('workgroup', workGroupName)],
    }),
  );
  role.addToPolicy(
    new iam.PolicyStatement({
      sid: 'FindTheCatalogue',
      actions: ['athena:GetDataCatalog'],
      resources: [arn('datacatalog', 'AwsDataCatalog')],
    }),
  );
}

function grantCatalogue(role: iam.Role, { databaseName, read, written, copies }: LakeMachineRights): void {
  const stack = Stack.of(role);
  const arn = (resource: string, resourceName?: string) =>
    stack.formatArn({ service: 'glue', resource, ...(resourceName !== undefined && { resourceName }) });
  const databases = [databaseName, ...Object.keys(copies)].map((name) => arn('database', name));
  const database = [arn('catalog'), ...databases];
  const tables = (names: readonly string[]) => names.map((name) => arn('table', `${databaseName}/${name}`));
  const copied = Object.entries(copies).flatMap(([name, short]) =>
    short.map((table) => arn('table', `${name}/${table}`)),
  );
  const allow = (sid: string, actions: string[], resources: string[]) =>
    role.addToPolicy(new iam.PolicyStatement({ sid, actions, resources }));
  allow(
    'ReadTheCatalogue',
    ['glue:GetDatabase', 'glue:GetPartitions', 'glue:GetTable', 'glue:GetTables'],
    // Athena looks for the database "default" whatever the statement says.
    [...database, arn('database', 'default'), ...tables([...read, ...written]), ...copied],
  );
  allow(
    'WriteTheCatalogue',
    ['glue:CreateTable', 'glue:UpdateTable'],
    [...database, ...tables(written), ...copied],
  );
}

/** The stars of the statements, each with its reason. */
function acknowledgeStars(role: iam.Role, { prefixes, results, answers }: LakeMachineRights): void {
  for (const prefix of prefixes) {
    acknowledgeStar(
      role,
      `${ELSEWHERE}/${prefix}*`,
      'The rest of these keys names days, merchants and pulls.',
    );
  }
  acknowledgeStar(role, `${ELSEWHERE}/${LAKE_PREFIX}*`, 'Iceberg names its own files.');
  acknowledgeStar(role, '*', 'Log delivery and metrics know no resources.');
  const bucket = results.node.defaultChild;
  if (!CfnElement.isCfnElement(bucket)) return;
  acknowledgeStar(
    role,
    `<${Stack.of(role).getLogicalId(bucket)}.Arn>/${answers}*`,
    'Athena names answers after the execution of the query.',
  );
}
