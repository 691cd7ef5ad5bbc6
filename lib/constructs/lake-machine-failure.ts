import * as sfn from 'aws-cdk-lib/aws-stepfunctions';
import { Construct } from 'constructs';

/** The error of an execution in which a statement failed at every attempt. */
export const STATEMENT_FAILED = 'StatementFailed';

/** Where {@link StatementFailure} keeps the error and the cause. */
export const STOPPED = '$.stopped';

/**
 * Says which state's statement failed, and why: the name of the state and Athena's reason. Without it, the cause is the whole
 * description of the query, and no state is named.
 */
export class StatementFailure extends Construct {
  readonly #explain: sfn.IChainable;
  readonly #suffix: string;

  /**
   * @param suffix tells the states of this copy from those of another, such as ` (slice)`
   * @param next what follows, with the error and the cause at {@link STOPPED}; by default, the execution fails with them
   */
  constructor(scope: Construct, id: string, suffix: string, next?: sfn.IChainable) {
    super(scope, id);
    this.#suffix = suffix;
    const following =
      next ??
      new sfn.Fail(this, 'Fail', {
        stateName: `A statement failed${suffix}`,
        errorPath: `${STOPPED}.error`,
        causePath: `${STOPPED}.cause`,
      });
    const word = (wordId: string, stateName: string, reason: string) =>
      new sfn.Pass(this, wordId, {
        stateName: stateName + suffix,
        parameters: {
          error: STATEMENT_FAILED,
          'cause.$': `States.Format('{}: {}', $.failed.state, ${reason})`,
        },
        resultPath: STOPPED,
      }).next(following);
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

  /** The catcher of a state. */
  in(stateName: string): { handler: sfn.IChainable; props: sfn.CatchProps } {
    const note = new sfn.Pass(this, `Note ${stateName}`, {
      stateName: `Failed: ${stateName}${this.#suffix}`,
      parameters: { state: stateName },
      resultPath: '$.failed',
    });
    return { handler: note.next(this.#explain), props: { resultPath: '$.failure' } };
  }
}
