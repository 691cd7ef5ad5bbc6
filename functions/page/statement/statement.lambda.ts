import type { Context } from 'aws-lambda';
import { readEnvironment } from '#registry/environment.ts';
import type { StatementAnswer } from './answer-page.ts';
import { createStatement } from './create-statement.ts';
import type { HandleStatement } from './create-statement.ts';
import { buildDependencies } from './dependencies.ts';

let statement: HandleStatement | undefined;

/** Built at the first event, so that an error in the environment fails that event. */
function build(): HandleStatement {
  return createStatement(buildDependencies(readEnvironment(process.env)));
}

export async function handler(event: unknown, context?: Context): Promise<StatementAnswer> {
  statement ??= build();
  return statement(event, context);
}
