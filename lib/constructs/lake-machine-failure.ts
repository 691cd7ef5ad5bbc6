import * as sfn from 'aws-cdk-lib/aws-stepfunctions';
import { Construct } from 'constructs';

/** The error of an execution in which a statement failed at every attempt. */
export const STATEMENT_FAILED = 'StatementFailed';

/**
 * Ends an execution with the name of the state whose statement failed, and with Athena's reason. Without it, the cause is the
 * whole description of the query, and no state is named.
 */
export class StatementFailure extends Construct {
  readonly #explain: sfn.IChainable;
  readonly #suffix: string;

  /** @param suffix tells the states of this copy from those of another, such as ` (slice)` */
  constructor(scope: Construct, id: string, suffix: string) {
    super(scope, id);
    this.#suffix = suffix;
    const fail = new sfn.Fail(this, 'Fail', {
      stateName: `A statement failed${suffix}`,
      errorPath: '$.error',
      causePath: '$.cause',
    });
    const word = (wordId: string, stateName: string, reason: string) =>
      new sfn.Pass(this, wordId, {
        stateName: stateName + suffix,
        parameters: {
          error: STATEMENT_FAILED,
          'cause.$': `States.Format('{}: {}', $.failed.state, ${reason})`,
        },
      }).next(fail);
    const raw = word('Raw', 'Say what is known', '$.failure.Cause');
    const reasonPath = '$.answer.query.QueryExecution.Status.StateChangeReason';
    const hasReason = new sfn.Choice(this, 'HasReason', { stateName: `Does Athena give a reason?${suffix}` })
      .when(sfn.Condition.isPresent(reasonPath), word('Reason', 'Say why', reasonPath))
      .otherwise(raw);
    const read = new sfn.Pass(this, 'Read', {
      stateName: `Read what Athena says${suffix}`,
      parameters: { 'query.$': 'States.StringToJson($.failure.Cause)' },
      resultPath: '$.answer',
    });
    // The cause of a failed query is the answer of GetQueryExecution. Other causes are texts.
    this.#explain = new sfn.Choice(this, 'IsQuery', { stateName: `Did the query fail?${suffix}` })
      .when(sfn.Condition.stringMatches('$.failure.Cause', '{"QueryExecution":*}'), read.next(hasReason))
      .otherwise(raw);
  }

  /** Ends the execution in the name of a state. */
  in(stateName: string): { handler: sfn.IChainable; props: sfn.CatchProps } {
    const note = new sfn.Pass(this, `Note ${stateName}`, {
      stateName: `Failed: ${stateName}${this.#suffix}`,
      parameters: { state: stateName },
      resultPath: '$.failed',
    });
    return { handler: note.next(this.#explain), props: { resultPath: '$.failure' } };
  }
}
