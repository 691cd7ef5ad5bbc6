import { Duration } from 'aws-cdk-lib';
import * as sfn from 'aws-cdk-lib/aws-stepfunctions';
import * as tasks from 'aws-cdk-lib/aws-stepfunctions-tasks';
import type { Construct } from 'constructs';
import type { StatementFailure } from './lake-machine-failure.ts';
import { ORDINARY, statementRetriers } from './lake-machine-retries.ts';
import type { StatementRetries } from './lake-machine-retries.ts';
import { statesText } from './states-format.ts';

/** Athena ends a statement of its own accord after 30 minutes. */
const LONGEST_STATEMENT = Duration.minutes(35);

/** Athena's limit for the text of a statement, bytes. */
export const MOST_STATEMENT_BYTES = 262_144;

/** Where the statements run. */
export interface StatementPlace {
  databaseName: string;
  workGroupName: string;
}

export interface Statement {
  stateName: string;
  /** SQL. `valueAt` stands for values that only the execution knows. */
  sql: string;
  /** Where the id of the query is kept. Default: nowhere. */
  idPath?: string;
  retries?: StatementRetries;
}

/** A state that runs one statement in Athena and waits for its end. */
export function statementTask(
  scope: Construct,
  place: StatementPlace,
  failure: StatementFailure,
  { stateName, sql, idPath, retries = ORDINARY }: Statement,
): tasks.AthenaStartQueryExecution {
  const text = statesText(sql);
  const task = new tasks.AthenaStartQueryExecution(scope, stateName, {
    stateName,
    integrationPattern: sfn.IntegrationPattern.RUN_JOB,
    queryString: text.kind === 'constant' ? text.text : sfn.JsonPath.stringAt(text.expression),
    queryExecutionContext: { catalogName: 'AwsDataCatalog', databaseName: place.databaseName },
    workGroup: place.workGroupName,
    taskTimeout: sfn.Timeout.duration(LONGEST_STATEMENT),
    resultSelector: { 'id.$': '$.QueryExecution.QueryExecutionId' },
    resultPath: idPath ?? sfn.JsonPath.DISCARD,
  });
  for (const retrier of statementRetriers(retries)) task.addRetry(retrier);
  const { handler, props } = failure.in(stateName);
  task.addCatch(handler, props);
  return task;
}

/** A state that reads the one row of a query's answer. @param columns their names, in their order; @param values further ones */
export function rowTask(
  scope: Construct,
  failure: StatementFailure,
  {
    stateName,
    idPath,
    rowPath,
    columns,
    parsed = {},
  }: {
    stateName: string;
    idPath: string;
    rowPath: string;
    columns: readonly string[];
    /** Members that hold the JSON of a column's text. */
    parsed?: Record<string, string>;
  },
): tasks.AthenaGetQueryResults {
  // The first row has the names of the columns.
  const cell = (column: string) => `$.ResultSet.Rows[1].Data[${columns.indexOf(column)}].VarCharValue`;
  const task = new tasks.AthenaGetQueryResults(scope, stateName, {
    stateName,
    queryExecutionId: sfn.JsonPath.stringAt(idPath),
    maxResults: 2,
    resultSelector: {
      ...Object.fromEntries(
        columns
          .filter((column) => !Object.values(parsed).includes(column))
          .map((column) => [`${column}.$`, cell(column)]),
      ),
      ...Object.fromEntries(
        Object.entries(parsed).map(([member, column]) => [
          `${member}.$`,
          `States.StringToJson(${cell(column)})`,
        ]),
      ),
    },
    resultPath: rowPath,
  });
  for (const retrier of statementRetriers(ORDINARY)) task.addRetry(retrier);
  const { handler, props } = failure.in(stateName);
  task.addCatch(handler, props);
  return task;
}
