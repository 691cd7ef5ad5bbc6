import type { DeployedNames, IamRequest } from './iam-evaluator.ts';

/** The ARN of the data bucket in evaluated policies. */
export const DATA = 'arn:aws:s3:::the-data';
/** The ARN of the bucket of query results. */
export const RESULTS = 'arn:aws:s3:::the-results';

const ACCOUNT = '111122223333';
const REGION = 'eu-central-1';

/** The names of a deployed stage, for the evaluated policies of its lake. */
export const NAMES: DeployedNames = {
  account: ACCOUNT,
  region: REGION,
  of: (reference) => {
    if (/^ResultsBucket\w+\.Arn$/.test(reference)) return RESULTS;
    if (/Bucket\w*Arn/.test(reference)) return DATA;
    if (/Key\w*Arn/.test(reference)) return `arn:aws:kms:${REGION}:${ACCOUNT}:key/the-key`;
    throw new Error(`${reference}: is not known`);
  },
};

/** The ARN of an object of the data bucket. */
export function dataObject(key: string): string {
  return `${DATA}/${key}`;
}

/** The ARN of a resource of the catalogue. @param resource such as `table/daybook_dev/days` */
export function glueArn(resource: string): string {
  return `arn:aws:glue:${REGION}:${ACCOUNT}:${resource}`;
}

/** The ARN of a workgroup. */
export function workGroupArn(name: string): string {
  return `arn:aws:athena:${REGION}:${ACCOUNT}:workgroup/${name}`;
}

const DATA_CATALOG = workGroupArn('').replace('workgroup/', 'datacatalog/AwsDataCatalog');

/**
 * What the query editor of Athena's console asks for when a person opens it, chooses a workgroup and a database, and runs a query: AWS's
 * "Example workgroup policies", "Data Catalog example policies" and "Configure access to databases and tables in the AWS Glue Data Catalog"
 * (November 2026). Athena asks Glue with the rights of the person. A list of databases needs the right on every database, a list of
 * tables the right on every table of the database.
 */
export function consoleRequests(database: string, workGroup: string): IamRequest[] {
  const athena = (names: string, resource: string) =>
    names.split(' ').map((name) => ({ action: `athena:${name}`, resource }));
  const glue = (name: string, ...resources: string[]) =>
    resources.map((resource) => ({ action: `glue:${name}`, resource: glueArn(resource) }));
  return [
    ...athena('ListWorkGroups ListDataCatalogs ListEngineVersions', '*'),
    ...athena('GetDataCatalog ListDatabases GetDatabase ListTableMetadata GetTableMetadata', DATA_CATALOG),
    ...athena(
      'GetWorkGroup ListNamedQueries BatchGetNamedQuery ListQueryExecutions BatchGetQueryExecution',
      workGroupArn(workGroup),
    ),
    ...athena(
      'StartQueryExecution GetQueryExecution GetQueryRuntimeStatistics GetQueryResults StopQueryExecution',
      workGroupArn(workGroup),
    ),
    ...glue('GetDatabases', 'catalog', 'database/default', `database/${database}`, 'database/of_others'),
    ...glue('GetDatabase', 'catalog', 'database/default', `database/${database}`),
    ...glue('GetTables', 'catalog', `database/${database}`, `table/${database}/any`),
  ];
}
