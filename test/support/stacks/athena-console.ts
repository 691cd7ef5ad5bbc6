import { glueArn, workGroupArn } from './deployed-lake.ts';
import type { EvaluatedPolicy, IamRequest } from './iam-evaluator.ts';

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

/** What a person with this policy alone is refused in the console. */
export function refusedInConsole(policy: EvaluatedPolicy, database: string, workGroup: string): IamRequest[] {
  return consoleRequests(database, workGroup).filter((request) => !policy.allows(request));
}
