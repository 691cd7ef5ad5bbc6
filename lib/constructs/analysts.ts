import { Stack } from 'aws-cdk-lib';
import type { RemovalPolicy } from 'aws-cdk-lib';
import * as iam from 'aws-cdk-lib/aws-iam';
import type * as kms from 'aws-cdk-lib/aws-kms';
import type * as s3 from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import * as glue from 'aws-cdk-lib/aws-glue';
import { acknowledgeStar } from '../checks.ts';
import type { AnswerFolder } from '#lake/sql/lake-database.ts';
import { HISTORY_STATE } from '#lake/sql/statements/views.ts';
import { groupAnswers, groupDatabase, groupPrefix, groupResource, groupWorkGroup } from '#lake/sql/groups.ts';
import type { LakeGroup } from '#lake/sql/groups.ts';
import { GROUP_QUERIES } from '../lake/queries/index.ts';
import { createNamedQueries, createWorkGroup } from './athena.ts';

interface AnalystPolicyProps {
  description: string;
  workGroupName: string;
  /** The database whose tables may be queried, as far as their objects may be read. */
  databaseName: string;
  /** Tables of other databases, such as `daybook_prod/history_state`. */
  others?: readonly `${string}/${string}`[];
  dataBucket: s3.IBucket;
  dataKey: kms.IKey;
  /** Keys of the data bucket that may be read. The star at the end stands for any text. */
  objects: readonly `${string}*`[];
  /** Beginnings of keys that may be listed. */
  folders: readonly string[];
  results: s3.IBucket;
  /** The folder of the workgroup's answers. Its people may reach no other folder of the bucket. */
  answers: AnswerFolder;
}

const WORK = [
  'athena:BatchGetNamedQuery',
  'athena:BatchGetQueryExecution',
  'athena:GetNamedQuery',
  'athena:GetQueryExecution',
  'athena:GetQueryResults',
  'athena:GetQueryResultsStream',
  'athena:GetQueryRuntimeStatistics',
  'athena:GetWorkGroup',
  'athena:ListNamedQueries',
  'athena:ListQueryExecutions',
  'athena:StartQueryExecution',
  'athena:StopQueryExecution',
];
/** What the console asks for before a workgroup and a catalog are chosen. AWS knows no resource for them. */
const OF_THE_ACCOUNT = ['athena:ListDataCatalogs', 'athena:ListEngineVersions', 'athena:ListWorkGroups'];
const DATA_CATALOG = [
  'athena:GetDataCatalog',
  'athena:GetDatabase',
  'athena:GetTableMetadata',
  'athena:ListDatabases',
  'athena:ListTableMetadata',
];
const CATALOGUE = ['glue:GetDatabase', 'glue:GetPartitions', 'glue:GetTable', 'glue:GetTables'];

function statementsOf(stack: Stack, props: AnalystPolicyProps): iam.PolicyStatementProps[] {
  const { workGroupName, databaseName, others = [], dataBucket, dataKey, objects, folders } = props;
  const { results, answers } = props;
  const glueArn = (resource: string, resourceName?: string) =>
    stack.formatArn({ service: 'glue', resource, ...(resourceName !== undefined && { resourceName }) });
  const under = (beginnings: string | string[]) => ({ StringLike: { 's3:prefix': beginnings } });
  const workGroup = { service: 'athena', resource: 'workgroup', resourceName: workGroupName };
  return [
    { sid: 'OpenTheConsole', actions: OF_THE_ACCOUNT, resources: ['*'] },
    {
      sid: 'OpenTheDataCatalog',
      actions: DATA_CATALOG,
      resources: [
        stack.formatArn({ service: 'athena', resource: 'datacatalog', resourceName: 'AwsDataCatalog' }),
      ],
    },
    { sid: 'UseTheWorkgroup', actions: WORK, resources: [stack.formatArn(workGroup)] },
    {
      // A list needs the right on all that could be in it.
      sid: 'ListDatabases',
      actions: ['glue:GetDatabases'],
      resources: [glueArn('catalog'), glueArn('database', '*')],
    },
    {
      sid: 'ReadTheCatalogue',
      actions: CATALOGUE,
      resources: [
        glueArn('catalog'),
        // Athena looks for `default` whatever the query says.
        ...['default', databaseName].map((name) => glueArn('database', name)),
        glueArn('table', `${databaseName}/*`),
        ...others.flatMap((table) => [
          glueArn('database', table.replace(/\/.*/, '')),
          glueArn('table', table),
        ]),
      ],
    },
    {
      sid: 'ReadTheData',
      actions: ['s3:GetObject'],
      resources: objects.map((keys) => dataBucket.arnForObjects(keys)),
    },
    {
      sid: 'ListTheData',
      actions: ['s3:ListBucket'],
      resources: [dataBucket.bucketArn],
      conditions: under(folders.map((folder) => `${folder}*`)),
    },
    { sid: 'FindTheData', actions: ['s3:GetBucketLocation'], resources: [dataBucket.bucketArn] },
    {
      sid: 'KeepAnswers',
      actions: ['s3:AbortMultipartUpload', 's3:GetObject', 's3:ListMultipartUploadParts', 's3:PutObject'],
      resources: [results.arnForObjects(`${answers}*`)],
    },
    {
      sid: 'ListAnswers',
      actions: ['s3:ListBucket'],
      resources: [results.bucketArn],
      conditions: under(`${answers}*`),
    },
    {
      sid: 'FindAnswers',
      actions: ['s3:GetBucketLocation', 's3:ListBucketMultipartUploads'],
      resources: [results.bucketArn],
    },
    { sid: 'UseTheKey', actions: ['kms:Decrypt', 'kms:GenerateDataKey'], resources: [dataKey.keyArn] },
  ];
}

/**
 * The rights that a person needs to query some tables through one workgroup. Of other objects, such as the registry, ledgers of
 * mails, alert states and secrets, it allows neither to read them nor to list their names.
 */
export function createAnalystPolicy(
  scope: Construct,
  id: string,
  props: AnalystPolicyProps,
): iam.ManagedPolicy {
  const policy = new iam.ManagedPolicy(new Construct(scope, id), 'Policy', {
    description: props.description,
    statements: statementsOf(Stack.of(scope), props).map((statement) => new iam.PolicyStatement(statement)),
  });
  acknowledgeStar(policy, 'AWS knows no resource for these lists of names.');
  return policy;
}

interface AnalystGroupProps extends Pick<
  AnalystPolicyProps,
  'databaseName' | 'dataBucket' | 'dataKey' | 'results'
> {
  /** The most that one query may read, bytes. */
  scanLimitBytes: number;
  removalPolicy: RemovalPolicy;
}

/**
 * What a group of analysts has: a database for its copy of the history, a workgroup whose answers others cannot read, and the policy for
 * its people, which is returned. The function `lake` makes the tables.
 */
export function createAnalystGroup(
  stack: Stack,
  group: LakeGroup,
  { databaseName, dataKey, scanLimitBytes, results, removalPolicy, ...props }: AnalystGroupProps,
): iam.ManagedPolicy {
  const scope = new Construct(stack, groupResource(group));
  const name = groupDatabase(databaseName, group);
  const workGroupName = groupWorkGroup(databaseName, group);
  const answers = groupAnswers(group);
  const database = new glue.CfnDatabase(scope, 'Database', {
    catalogId: stack.account,
    databaseInput: { name, description: `What the group ${group.name} may see of Daybook's history` },
  });
  const workGroup = createWorkGroup(scope, 'WorkGroup', {
    name: workGroupName,
    description: `Queries of the group ${group.name} on its copy of Daybook's history`,
    scanLimitBytes,
    results,
    answers,
    key: dataKey,
    removalPolicy,
  });
  createNamedQueries(new Construct(scope, 'Queries'), GROUP_QUERIES, database, workGroup);
  return createAnalystPolicy(scope, 'Analysts', {
    ...props,
    description: `Queries of the group ${group.name} on its copy of the history of ${databaseName}`,
    workGroupName,
    databaseName: name,
    others: [`${databaseName}/${HISTORY_STATE.name}`],
    dataKey,
    objects: [`${groupPrefix(group)}*`],
    folders: [groupPrefix(group)],
    results,
    answers,
  });
}
