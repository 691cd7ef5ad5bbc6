import { Duration } from 'aws-cdk-lib';
import type * as lambda from 'aws-cdk-lib/aws-lambda';
import type * as s3 from 'aws-cdk-lib/aws-s3';
import * as sfn from 'aws-cdk-lib/aws-stepfunctions';
import * as tasks from 'aws-cdk-lib/aws-stepfunctions-tasks';
import type { Construct } from 'constructs';
import { BATCH_SIZE, FanOutChild, workflowOf } from './merchant-fan-out-child.ts';
import type { FanOutKind } from './merchant-fan-out-child.ts';
import { AFTER_DEATH, PATIENT, retriersOf } from './merchant-fan-out-retries.ts';

/** What the states are made of. */
export interface FanOutDefinitionProps {
  kind: FanOutKind;
  plan: lambda.IFunction;
  /** The time limit of `plan`. */
  planTimeout: Duration;
  /** `daily-report` or `alert-check`. */
  worker: lambda.IFunction;
  /** The time limit of the worker. */
  workerTimeout: Duration;
  bucket: s3.IBucket;
  /** The most calls of the worker that one execution has under way. */
  maxConcurrency: number;
  /** Items of a hundred that may still fail after the second round without failing the execution. */
  toleratedFailurePercentage: number;
}

type Round = 'first' | 'second';
/** The two rounds, by how their states are named and where their items stand. */
export const ROUNDS = {
  first: { label: 'FirstRound', stateName: 'First round: every merchant', itemsKey: '$.plan.itemsKey' },
  second: {
    label: 'SecondRound',
    stateName: 'Second round: the failed ones',
    itemsKey: '$.failed.itemsKey',
  },
} as const;

/** The error of an execution that ends with too many failures. */
export const STILL_FAILING = 'MerchantsStillFailing';
/** The error of an execution that was started with an event of the other kind. */
export const WRONG_KIND = 'WrongKind';

/** Where the results of the rounds of a kind are written. */
export function resultsPrefix(kind: FanOutKind): string {
  return `plan/results/${kind}`;
}

/** The states of the fan-out: plan, first round, plan the failed ones, second round, verdict. */
export class FanOutDefinition {
  readonly #scope: Construct;
  readonly #props: FanOutDefinitionProps;

  constructor(scope: Construct, props: FanOutDefinitionProps) {
    this.#scope = scope;
    this.#props = props;
  }

  /** The first state, which leads to all others. */
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
    });
    const planFailed = this.#plan(
      'PlanFailed',
      'Plan the failed ones once more',
      sfn.TaskInput.fromObject({
        kind,
        'failedOf.$': '$.first.manifestKey',
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

    countFailing.next(
      this.#closing('CloseCounted', 'Say that it ended, with some that failed', this.#verdict(done)),
    );
    const secondRound = this.#round('second').next(countFailing);
    planFailed.next(
      new sfn.Choice(this.#scope, 'AnyFailed', { stateName: 'Did any fail?' })
        .when(
          sfn.Condition.numberEquals('$.failed.itemCount', 0),
          this.#closing('CloseDone', 'Say that it ended', done),
        )
        .otherwise(secondRound),
    );
    firstRound.next(
      new sfn.Choice(this.#scope, 'AnyDue', { stateName: 'Is anybody due?' })
        .when(sfn.Condition.numberEquals('$.plan.itemCount', 0), nobody)
        .otherwise(this.#round('first').next(planFailed)),
    );
    // Before the plan, which remembers its ticks: one of the other kind would be lost to its own machine.
    const isOfKind = sfn.Condition.and(
      sfn.Condition.isPresent('$.kind'),
      sfn.Condition.stringEquals('$.kind', kind),
    );
    return new sfn.Choice(this.#scope, 'Kind', { stateName: `Is it of the kind "${kind}"?` })
      .when(isOfKind, this.#remembered(firstRound))
      .otherwise(wrongKind);
  }

  /**
   * `plan` goes on from the ticks of executions only: whose items are run. It takes the member with every event, and a
   * plain tick is the one that it means something to.
   */
  #remembered(firstRound: tasks.LambdaInvoke): sfn.IChainable {
    if (this.#props.kind === 'alert') return firstRound;
    return new sfn.Pass(this.#scope, 'Remember', {
      stateName: 'Its items will be run',
      result: sfn.Result.fromBoolean(true),
      resultPath: '$.remember',
    }).next(firstRound);
  }

  /**
   * Says to `plan` that the execution came to its end, and then goes on: without that a later tick hands the same items
   * out again, which does nothing twice, so that a failure here is none of the execution.
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
    { resultPath, ...more }: { resultPath: string; [member: string]: string },
  ): tasks.LambdaInvoke {
    const { plan, planTimeout } = this.#props;
    const task = new tasks.LambdaInvoke(this.#scope, id, {
      stateName,
      lambdaFunction: plan,
      payload,
      // By key: an answer may hold the items themselves, too, and must not be handed from state to state.
      resultSelector: { 'itemCount.$': '$.Payload.itemCount', 'itemsKey.$': '$.Payload.itemsKey', ...more },
      resultPath,
      taskTimeout: sfn.Timeout.duration(planTimeout.plus(Duration.seconds(5))),
      retryOnServiceExceptions: false,
    });
    for (const retrier of [...retriersOf(PATIENT), AFTER_DEATH]) task.addRetry(retrier);
    return task;
  }

  #round(round: Round): sfn.DistributedMap {
    const { kind, bucket, worker, workerTimeout, maxConcurrency } = this.#props;
    const { label, stateName, itemsKey } = ROUNDS[round];
    // One by one in the second round: it counts who still fails, and a batch fails as a whole.
    const batchSize = round === 'first' ? Math.min(BATCH_SIZE, maxConcurrency) : 1;
    const callsOfChild = kind === 'alert' ? batchSize : 1;
    const map = new sfn.DistributedMap(this.#scope, label, {
      stateName,
      label,
      mapExecutionType: workflowOf(kind),
      itemReader: new sfn.S3JsonItemReader({ bucket, key: sfn.JsonPath.stringAt(itemsKey) }),
      ...(kind === 'alert' ? { itemBatcher: new sfn.ItemBatcher({ maxItemsPerBatch: batchSize }) } : {}),
      maxConcurrency: Math.floor(maxConcurrency / callsOfChild),
      toleratedFailurePercentage: 100,
      resultWriterV2: new sfn.ResultWriterV2({ bucket, prefix: resultsPrefix(kind) }),
      resultSelector: { 'manifestKey.$': '$.ResultWriterDetails.Key' },
      resultPath: `$.${round}`,
    });
    // The reading of the items, before any child: a hiccup of S3 there would leave out every merchant of a tick.
    map.addRetry({
      errors: ['States.ItemReaderFailed'],
      interval: Duration.seconds(10),
      maxAttempts: 2,
      backoffRate: 3,
      jitterStrategy: sfn.JitterType.FULL,
    });
    const child = new FanOutChild(this.#scope, `${round} round`, { kind, worker, workerTimeout });
    return map.itemProcessor(child.start);
  }

  #verdict(done: sfn.Succeed): sfn.IChainable {
    const { toleratedFailurePercentage } = this.#props;
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
    return new sfn.Choice(this.#scope, 'Verdict', { stateName: 'Do too many still fail?' })
      .when(sfn.Condition.numberEquals('$.failing.itemCount', 0), done)
      .when(
        sfn.Condition.numberGreaterThan('$.failing.failedPercentage', toleratedFailurePercentage),
        word.next(fail),
      )
      .otherwise(
        new sfn.Succeed(this.#scope, 'FewFail', { stateName: 'Some still fail, within what is tolerated' }),
      );
  }
}
