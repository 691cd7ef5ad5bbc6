import type { Duration } from 'aws-cdk-lib';
import type * as s3 from 'aws-cdk-lib/aws-s3';
import * as sfn from 'aws-cdk-lib/aws-stepfunctions';
import type { Construct } from 'constructs';
import { childrenMap, planTask } from './merchant-fan-out-steps.ts';
import type { ChildrenProps, PlanProps } from './merchant-fan-out-steps.ts';
import type { PublishedFunction } from './published-function.ts';
import { STATEMENT_BATCH } from './statement-batch.ts';

/** The labels of the Distributed Maps of the statements: of both rounds. */
export const STATEMENT_LABELS = ['Statements', 'StatementsAgain'] as const;
/** The key prefixes of their items and results. */
export const STATEMENT_KEYS = { items: 'plan/statement', results: 'plan/results/statement' };

/** The error of an execution whose statements could not be planned or begun. */
export const STATEMENTS_NOT_RUN = 'StatementsNotRun';
/** The error of an execution with too many failed statements. */
export const STATEMENTS_FAILING = 'StatementsFailing';

/** What the steps need. */
export interface StatementStepsProps extends PlanProps {
  statement: { worker: PublishedFunction; workerTimeout: Duration };
  bucket: s3.IBucket;
  /** The most statements at the same time. */
  maxConcurrency: number;
  /** Percentage of the open statements that may fail without failing the execution. The next tick tries them again. */
  toleratedFailurePercentage: number;
}

/**
 * The statements of a tick: plan, run, run the failed ones once more, count those that still fail. They come after the rounds
 * of the reports, so that they see the days that were just sealed. Their own failures never hide the verdict on the reports:
 * they are noted, and {@link statementVerdict} reads them at the end.
 *
 * @param next the state that follows in any case
 */
export function statementSteps(
  scope: Construct,
  props: StatementStepsProps,
  next: sfn.IChainable,
): sfn.IChainable {
  const { statement, bucket, maxConcurrency } = props;
  const [firstLabel, secondLabel] = STATEMENT_LABELS;
  const round = (
    names: Pick<ChildrenProps, 'label' | 'stateName' | 'childId' | 'itemsKey' | 'resultPath'>,
    batchSize: number,
  ) =>
    childrenMap(scope, {
      kind: 'statement',
      ...names,
      bucket,
      results: STATEMENT_KEYS.results,
      ...statement,
      maxConcurrency: Math.floor(maxConcurrency / batchSize),
      batchSize,
    });
  const planned = planTask(scope, 'PlanStatements', props, {
    stateName: 'Plan the statements that are due',
    payload: sfn.TaskInput.fromObject({ kind: 'statement', 'scheduledTime.$': '$.scheduledTime' }),
    resultPath: '$.statements',
    keep: { 'lookedAt.$': '$.Payload.lookedAt' },
  });
  const first = round(
    {
      label: firstLabel,
      stateName: 'Every statement that is due',
      childId: 'statements',
      itemsKey: '$.statements.itemsKey',
      resultPath: '$.stated',
    },
    Math.min(STATEMENT_BATCH, maxConcurrency),
  );
  const again = planTask(scope, 'PlanFailedStatements', props, {
    stateName: 'Plan the failed statements once more',
    payload: sfn.TaskInput.fromObject({
      kind: 'statement',
      'failedOf.$': '$.stated.manifestKey',
      'planned.$': '$.statements.itemCount',
    }),
    resultPath: '$.failedStatements',
  });
  // A mail that SES refused has its ledger, so no later look finds it. This round tries it again. One by one: a batch fails as a
  // whole, and what still fails is counted.
  const second = round(
    {
      label: secondLabel,
      stateName: 'Every statement that failed',
      childId: 'statements again',
      itemsKey: '$.failedStatements.itemsKey',
      resultPath: '$.statedAgain',
    },
    1,
  );
  const counted = planTask(scope, 'CountFailingStatements', props, {
    stateName: 'Count the statements that still fail',
    payload: sfn.TaskInput.fromObject({
      kind: 'statement',
      'failedOf.$': '$.statedAgain.manifestKey',
      'planned.$': '$.failedStatements.itemCount',
      // Of all open statements: a later tick has only the failing ones left, which would then be all of them.
      'of.$': '$.statements.lookedAt',
    }),
    resultPath: '$.failingStatements',
    keep: { 'failedPercentage.$': '$.Payload.failedPercentage' },
  });
  const noted = { resultPath: '$.statementsFailure' };
  for (const step of [planned, first, again, second, counted]) step.addCatch(next, noted);
  const anyFailed = new sfn.Choice(scope, 'AnyStatementFailed', { stateName: 'Did any statement fail?' })
    .when(sfn.Condition.numberEquals('$.failedStatements.itemCount', 0), next)
    .otherwise(second.next(counted).next(next));
  const anyDue = new sfn.Choice(scope, 'AnyStatementDue', { stateName: 'Is any statement due?' })
    .when(sfn.Condition.numberEquals('$.statements.itemCount', 0), next)
    .otherwise(first.next(again).next(anyFailed));
  // What a person starts is for reports alone: it names days or merchants.
  const byHand = ['day', 'from', 'merchants', 'send'].map((name) => sfn.Condition.isPresent(`$.${name}`));
  return new sfn.Choice(scope, 'IsTick', { stateName: 'Is it a tick of the schedule?' })
    .when(
      sfn.Condition.and(
        sfn.Condition.isPresent('$.scheduledTime'),
        sfn.Condition.not(sfn.Condition.or(...byHand)),
      ),
      planned.next(anyDue),
    )
    .otherwise(next);
}

/** Adds the ends of an execution whose statements failed to the choice of its ends. */
export function statementVerdict(
  scope: Construct,
  { toleratedFailurePercentage }: Pick<StatementStepsProps, 'toleratedFailurePercentage'>,
  ends: sfn.Choice,
): sfn.Choice {
  const notRun = new sfn.Fail(scope, 'StatementsNotRun', {
    stateName: 'The statements did not run',
    error: STATEMENTS_NOT_RUN,
    causePath: '$.statementsFailure.Cause',
  });
  const word = new sfn.Pass(scope, 'WordStatements', {
    stateName: 'Say how many statements failed',
    parameters: {
      'cause.$': `States.Format('{} of {} open statements still fail after the second round, {} %; ${toleratedFailurePercentage} % are tolerated. The next tick tries them again. Results: {}', $.failingStatements.itemCount, $.statements.lookedAt, $.failingStatements.failedPercentage, $.statedAgain.manifestKey)`,
    },
  });
  const failing = new sfn.Fail(scope, 'StatementsFailing', {
    stateName: 'Too many statements failed',
    error: STATEMENTS_FAILING,
    causePath: '$.cause',
  });
  return ends
    .when(sfn.Condition.isPresent('$.statementsFailure'), notRun)
    .when(
      sfn.Condition.and(
        sfn.Condition.isPresent('$.failingStatements'),
        sfn.Condition.numberGreaterThan('$.failingStatements.failedPercentage', toleratedFailurePercentage),
      ),
      word.next(failing),
    );
}
