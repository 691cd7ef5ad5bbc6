import type { Context } from 'aws-lambda';
import { readEnvironment } from '#domain/settings/environment.ts';
import type { StatementAnswer } from './answer.ts';
import { createStatement } from './create-statement.ts';
import type { HandleStatement } from './create-statement.ts';
import { buildDependencies } from './dependencies.ts';

let statement: HandleStatement | undefined;

/**
 * Built at the first event of a cold start: an error in the environment fails that event and names the
 * variable.
 */
function build(): HandleStatement {
  return createStatement(buildDependencies(readEnvironment(process.env)));
}

/** The handler that AWS calls: adds up, seals and mails one statement, or one page of a group. */
export async function handler(event: unknown, context?: Context): Promise<StatementAnswer> {
  statement ??= build();
  return statement(event, context);
}
