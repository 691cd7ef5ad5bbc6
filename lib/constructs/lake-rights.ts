import { ArnFormat, Stack } from 'aws-cdk-lib';
import * as iam from 'aws-cdk-lib/aws-iam';
import type * as kms from 'aws-cdk-lib/aws-kms';
import type * as s3 from 'aws-cdk-lib/aws-s3';
import type { Construct } from 'constructs';
import { groupDatabase } from '#lake/sql/groups.ts';
import type { LakeGroup } from '#lake/sql/groups.ts';
import { HISTORY_TABLES } from '#lake/sql/history-tables.ts';
import { HISTORY_ANSWERS, HISTORY_PREFIX } from '#lake/sql/lake-database.ts';
import { HISTORY_STATE, HISTORY_VIEWS } from '#lake/sql/statements/views.ts';
import { ALL_VIEWS } from '#lake/sql/views/all.ts';
import { LAKE_TABLES } from '../lake/tables.ts';

/** The tables over JSON files that the history is made of, and those that are searched for a customer. */
const SOURCES = LAKE_TABLES.filter(({ name }) =>
  ['invoices', 'refunds', 'days', 'mail', 'changes', 'invoices_csv', 'refunds_csv'].includes(name),
);
/** Beginnings of the keys of these files. The keys continue with the name of a partition. */
const PREFIXES = SOURCES.map(({ prefix }) => prefix);

const WRITE_OBJECTS = [
  's3:AbortMultipartUpload',
  's3:GetObject',
  's3:ListMultipartUploadParts',
  's3:PutObject',
];

interface LakeRights {
  databaseName: string;
  workGroupName: string;
  dataBucket: s3.IBucket;
  dataKey: kms.IKey;
  results: s3.IBucket;
  groups: readonly LakeGroup[];
}

/** The rights of the function `lake` besides its log, and no others. Athena uses them for the statements. */
export function grantLake(scope: Construct, role: iam.IRole, rights: LakeRights): void {
  const { dataBucket, dataKey, results, workGroupName } = rights;
  const stack = Stack.of(scope);
  const athena = (resource: string, resourceName: string) =>
    stack.formatArn({
      service: 'athena',
      resource,
      resourceName,
      arnFormat: ArnFormat.SLASH_RESOURCE_NAME,
    });
  const statements: iam.PolicyStatementProps[] = [
    {
      sid: 'RunStatements',
      actions: ['athena:GetQueryExecution', 'athena:GetQueryResults', 'athena:StartQueryExecution'],
      resources: [athena('workgroup', workGroupName)],
    },
    {
      sid: 'FindTheCatalogue',
      actions: ['athena:GetDataCatalog'],
      resources: [athena('datacatalog', 'AwsDataCatalog')],
    },
    ...catalogueRights(stack, rights),
    {
      sid: 'ReadTheFiles',
      actions: ['s3:GetObject'],
      resources: PREFIXES.map((prefix) => dataBucket.arnForObjects(`${prefix}*`)),
    },
    {
      // Iceberg removes the files of old snapshots.
      sid: 'KeepTheHistory',
      actions: [...WRITE_OBJECTS, 's3:DeleteObject'],
      resources: [dataBucket.arnForObjects(`${HISTORY_PREFIX}*`)],
    },
    {
      sid: 'ListTheFiles',
      actions: ['s3:ListBucket'],
      resources: [dataBucket.bucketArn],
      conditions: {
        StringLike: { 's3:prefix': [...PREFIXES, HISTORY_PREFIX].map((prefix) => `${prefix}*`) },
      },
    },
    {
      sid: 'FindTheFiles',
      actions: ['s3:GetBucketLocation', 's3:ListBucketMultipartUploads'],
      resources: [dataBucket.bucketArn],
    },
    {
      sid: 'KeepAnswers',
      actions: WRITE_OBJECTS,
      resources: [results.arnForObjects(`${HISTORY_ANSWERS}*`)],
    },
    {
      sid: 'FindAnswers',
      actions: ['s3:GetBucketLocation', 's3:ListBucket', 's3:ListBucketMultipartUploads'],
      resources: [results.bucketArn],
    },
    { sid: 'UseTheKey', actions: ['kms:Decrypt', 'kms:GenerateDataKey'], resources: [dataKey.keyArn] },
  ];
  new iam.Policy(scope, 'HistoryRights', {
    roles: [role],
    statements: statements.map((statement) => new iam.PolicyStatement(statement)),
  });
}

function catalogueRights(stack: Stack, { databaseName, groups }: LakeRights): iam.PolicyStatementProps[] {
  const arn = (resource: string, resourceName?: string) =>
    stack.formatArn({ service: 'glue', resource, ...(resourceName !== undefined && { resourceName }) });
  const tables = (all: readonly { name: string }[]) =>
    all.map(({ name }) => arn('table', `${databaseName}/${name}`));
  const copies = groups.map((group) => groupDatabase(databaseName, group));
  // Each has three tables. Their names would not fit into the policies of a role.
  const copied = copies.map((name) => arn('table', `${name}/*`));
  const databases = [arn('catalog'), ...[databaseName, ...copies].map((name) => arn('database', name))];
  const read = [...SOURCES, ...new Set(ALL_VIEWS.map(({ history }) => history.latest))];
  const written = [...HISTORY_TABLES, ...ALL_VIEWS, HISTORY_STATE, HISTORY_VIEWS];
  // Athena looks for this database whatever the statement says, and makes it in an account that has none.
  const ofAthena = arn('database', 'default');
  return [
    {
      sid: 'ReadTheCatalogue',
      actions: ['glue:GetDatabase', 'glue:GetPartitions', 'glue:GetTable', 'glue:GetTables'],
      resources: [...databases, ofAthena, ...tables([...read, ...written]), ...copied],
    },
    {
      sid: 'MakeTheDefaultDatabase',
      actions: ['glue:CreateDatabase'],
      resources: [arn('catalog'), ofAthena],
    },
    {
      sid: 'WriteTheCatalogue',
      actions: ['glue:CreateTable', 'glue:UpdateTable'],
      resources: [...databases, ...tables(written), ...copied],
    },
  ];
}
