import type { Duration } from 'aws-cdk-lib';
import type * as s3 from 'aws-cdk-lib/aws-s3';
import * as sfn from 'aws-cdk-lib/aws-stepfunctions';
import type * as tasks from 'aws-cdk-lib/aws-stepfunctions-tasks';
import type { Construct } from 'constructs';
import { BATCH_SIZE } from './merchant-fan-out-calls.ts';
import type { ReportSizes, Worker } from './merchant-fan-out-child.ts';
import { bothKindsOfChildren } from './merchant-fan-out-children.ts';
import { childrenMap, planTask } from './merchant-fan-out-steps.ts';
import { statementSteps, statementVerdict } from './statement-steps.ts';
import type { FanOutKind } from '../functions.ts';
import type { PublishedFunction } from './published-function.ts';

/** What the states need. */
export interface FanOutDefinitionProps {
  kind: FanOutKind;
  plan: PublishedFunction;
  /** The time limit of `plan`. */
  planTimeout: Duration;
  /** `daily-report` or `alert-check`. */
  worker: PublishedFunction;
  /** The time limit of the worker. */
  workerTimeout: Duration;
  bucket: s3.IBucket;
  /** The most calls of the worker at the same time in one execution. */
  maxConcurrency: number;
  /** Runs the statements of a tick after the rounds. The daily kind only. */
  statement?: Worker;
  /** The other sizes of the worker. The daily kind only, and there always. */
  sizes?: ReportSizes;
  /** Percentage of items that may still fail after the second round without failing the execution. */
  toleratedFailurePercentage: number;
}

type Round = 'first' | 'second';
/** The names of the states of the two rounds, and the keys of their items. */
export const ROUNDS = {
  first: { label: 'FirstRound', stateName: 'First round: every merchant', itemsKey: '$.plan.itemsKey' },
  second: {
    label: 'SecondRound',
    stateName: 'Second round: the failed ones',
    itemsKey: '$.failed.itemsKey',
  },
} as const;

/** The error of an execution with too many failures. */
export const STILL_FAILING = 'MerchantsStillFailing';
/** The error of an execution that got an event of the other kind. */
export const WRONG_KIND = 'WrongKind';

/** The prefix of the results of all rounds of a kind. */
export function resultsPrefix(kind: FanOutKind): string {
  return `plan/results/${kind}`;
}

/** The states of the fan-out: plan, first round, plan the failed items, second round, verdict. */
export class FanOutDefinition {
  readonly #scope: Construct;
  readonly #props: FanOutDefinitionProps;

  constructor(scope: Construct, props: FanOutDefinitionProps) {
    this.#scope = scope;
    this.#props = props;
  }

  /** The first state. All others follow from it. */
  start(): sfn.IChainable {
    const { kind } = this.#props;
    const done = new sfn.Succeed(this.#scope, 'Done', { stateName: 'Every merchant is done' });
    const nobody = new sfn.Succeed(this.#scope, 'NothingDue', { stateName: 'Nothing due' });
    const wrongKind = new sfn.Fail(this.#scope, 'WrongKind', {
      stateName: 'Not for this state machine',
      error: WRONG_KIND,
      cause: `The input must be an event of "plan" with "kind": "${kind}".`,
    });

    const firstRound = this.#plan('Plan', 'Plan who is due', sfn.TaskInput.fromJsonPathAt('$'), {
      resultPath: '$.plan',
      ...(kind === 'daily' ? { 'own.$': '$.Payload.own', 'shared.$': '$.Payload.shared' } : {}),
    });
    const planFailed = this.#plan(
      'PlanFailed',
      'Plan the failed ones once more',
      sfn.TaskInput.fromObject({
        kind,
        'failedOf.$': kind === 'daily' ? '$.first.manifestKeys' : '$.first.manifestKey',
        'planned.$': '$.plan.itemCount',
      }),
      { resultPath: '$.failed' },
    );
    const countFailing = this.#plan(
      'CountFailing',
      'Count those that still fail',
      sfn.TaskInput.fromObject({
        kind,
        'failedOf.$': '$.second.manifestKey',
        'planned.$': '$.failed.itemCount',
        'of.$': '$.plan.itemCount',
      }),
      { resultPath: '$.failing', 'failedPercentage.$': '$.Payload.failedPercentage' },
    );

    const ends = this.#ends(done, nobody);
    const { statement } = this.#props;
    const afterRounds =
      statement === undefined ? ends : statementSteps(this.#scope, { ...this.#props, statement }, ends);
    countFailing.next(this.#closing('CloseCounted', 'Say that it ended, with some that failed', afterRounds));
    const secondRound = this.#round('second').next(countFailing);
    planFailed.next(
      new sfn.Choice(this.#scope, 'AnyFailed', { stateName: 'Did any fail?' })
        .when(
          sfn.Condition.numberEquals('$.failed.itemCount', 0),
          this.#closing('CloseDone', 'Say that it ended', afterRounds),
        )
        .otherwise(secondRound),
    );
    firstRound.next(
      new sfn.Choice(this.#scope, 'AnyDue', { stateName: 'Is anybody due?' })
        .when(sfn.Condition.numberEquals('$.plan.itemCount', 0), afterRounds)
        .otherwise(this.#firstRound().next(planFailed)),
    );
    // This comes before the plan, because `plan` remembers its ticks. Otherwise a tick of the wrong kind would be lost for its own machine.
    const isOfKind = sfn.Condition.and(
      sfn.Condition.isPresent('$.kind'),
      sfn.Condition.stringEquals('$.kind', kind),
    );
    return new sfn.Choice(this.#scope, 'Kind', { stateName: `Is it of the kind "${kind}"?` })
      .when(isOfKind, this.#remembered(firstRound))
      .otherwise(wrongKind);
  }

  /**
   * `plan` only continues from ticks of executions, since only their items are run. The member says that this is one, and how
   * it runs them. All events of the daily machine get it.
   */
  #remembered(firstRound: tasks.LambdaInvoke): sfn.IChainable {
    const { kind, maxConcurrency, sizes } = this.#props;
    if (kind === 'alert') return firstRound;
    return new sfn.Pass(this.#scope, 'Remember', {
      stateName: 'Its items will be run',
      result: sfn.Result.fromObject({
        places: maxConcurrency,
        ...(sizes === undefined ? {} : { largeBytes: sizes.largeBytes }),
      }),
      resultPath: '$.run',
    }).next(firstRound);
  }

  /**
   * Tells `plan` that the execution has ended, then continues. Without this a later tick would give out the same items again.
   * That does no harm, because no work is done twice. So a failure of this step does not fail the execution.
   */
  #closing(id: string, stateName: string, next: sfn.IChainable): sfn.IChainable {
    const { kind } = this.#props;
    if (kind === 'alert') return next;
    const close = this.#plan(
      id,
      stateName,
      sfn.TaskInput.fromObject({ kind, 'finished.$': '$.plan.itemsKey' }),
      { resultPath: sfn.JsonPath.DISCARD },
    );
    close.addCatch(next, { resultPath: sfn.JsonPath.DISCARD });
    return close.next(next);
  }

  #plan(
    id: string,
    stateName: string,
    payload: sfn.TaskInput,
    { resultPath, ...keep }: { resultPath: string; [member: string]: string },
  ): tasks.LambdaInvoke {
    return planTask(this.#scope, id, this.#props, { stateName, payload, resultPath, keep });
  }

  #firstRound(): sfn.State & sfn.INextable {
    const { sizes } = this.#props;
    if (sizes === undefined) return this.#round('first');
    return bothKindsOfChildren(this.#scope, { ...this.#props, sizes, results: resultsPrefix('daily') });
  }

  #round(round: Round): sfn.DistributedMap {
    const { kind, maxConcurrency, sizes } = this.#props;
    const { label, stateName, itemsKey } = ROUNDS[round];
    // One item per child in the second round: it counts the items that still fail, and a batch fails as a whole.
    const batchSize = round === 'first' ? Math.min(BATCH_SIZE, maxConcurrency) : 1;
    const callsOfChild = kind === 'alert' ? batchSize : 1;
    return childrenMap(this.#scope, {
      ...this.#props,
      label,
      stateName,
      childId: `${round} round`,
      itemsKey,
      results: resultsPrefix(kind),
      maxConcurrency: Math.floor(maxConcurrency / callsOfChild),
      ...(kind === 'alert' ? { batchSize } : {}),
      large: sizes?.large,
      resultPath: `$.${round}`,
    });
  }

  /** Says how the execution ends. The reports come first: their failures are never hidden by those of statements. */
  #ends(done: sfn.Succeed, nobody: sfn.Succeed): sfn.Choice {
    const { toleratedFailurePercentage, statement } = this.#props;
    const someFail = sfn.Condition.isPresent('$.failing');
    const word = new sfn.Pass(this.#scope, 'Word', {
      stateName: 'Say how many still fail',
      parameters: {
        'cause.$': `States.Format('{} of {} still fail after the second round, {} %; ${toleratedFailurePercentage} % are tolerated. Results: {}', $.failing.itemCount, $.plan.itemCount, $.failing.failedPercentage, $.second.manifestKey)`,
      },
    });
    const fail = new sfn.Fail(this.#scope, 'Fail', {
      stateName: 'Too many still fail',
      error: STILL_FAILING,
      causePath: '$.cause',
    });
    const ends = new sfn.Choice(this.#scope, 'Verdict', { stateName: 'How does it end?' }).when(
      sfn.Condition.and(
        someFail,
        sfn.Condition.numberGreaterThan('$.failing.failedPercentage', toleratedFailurePercentage),
      ),
      word.next(fail),
    );
    if (statement !== undefined) statementVerdict(this.#scope, this.#props, ends);
    return ends
      .when(
        sfn.Condition.and(someFail, sfn.Condition.numberGreaterThan('$.failing.itemCount', 0)),
        new sfn.Succeed(this.#scope, 'FewFail', { stateName: 'Some still fail, within what is tolerated' }),
      )
      .when(sfn.Condition.numberEquals('$.plan.itemCount', 0), nobody)
      .otherwise(done);
  }
}
