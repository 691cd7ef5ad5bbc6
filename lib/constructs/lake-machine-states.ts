import * as sfn from 'aws-cdk-lib/aws-stepfunctions';
import type { INextable } from 'aws-cdk-lib/aws-stepfunctions';
import type * as tasks from 'aws-cdk-lib/aws-stepfunctions-tasks';
import type { Construct } from 'constructs';
import type { StatementFailure } from './lake-machine-failure.ts';
import { rowTask, statementTask } from './lake-machine-statement.ts';
import type { Statement, StatementPlace } from './lake-machine-statement.ts';

/** A state, or states one after another, with a beginning and an end. */
export type Step = sfn.IChainable & INextable;

/** States one after another. */
export function inOrder(...steps: readonly Step[]): Step {
  return steps.reduce((chain, step) => sfn.Chain.start(chain).next(step));
}

/** The kinds of states that the machine of the history is made of. Those of one object fail in the same way. */
export class LakeStates {
  readonly scope: Construct;
  readonly failure: StatementFailure;
  readonly #place: StatementPlace;

  /** @param failure where a statement goes that failed at every attempt */
  constructor(scope: Construct, place: StatementPlace, failure: StatementFailure) {
    this.scope = scope;
    this.failure = failure;
    this.#place = place;
  }

  /** Runs one statement in Athena. */
  statement(statement: Statement): tasks.AthenaStartQueryExecution {
    return statementTask(this.scope, this.#place, this.failure, statement);
  }

  /** Reads the one row that the statement with `idPath: '$.query'` has answered. */
  row(
    stateName: string,
    rowPath: string,
    columns: readonly string[],
    parsed: Record<string, string> = {},
  ): tasks.AthenaGetQueryResults {
    return rowTask(this.scope, this.failure, { stateName, idPath: '$.query.id', rowPath, columns, parsed });
  }

  /** Keeps the time as `$.time.now`. */
  time(stateName: string): sfn.Pass {
    return this.pass(stateName, { 'now.$': '$$.State.EnteredTime' }, '$.time');
  }

  pass(stateName: string, parameters: Record<string, unknown>, resultPath?: string): sfn.Pass {
    return new sfn.Pass(this.scope, stateName, {
      stateName,
      parameters,
      ...(resultPath !== undefined && { resultPath }),
    });
  }
}
