import { Duration } from 'aws-cdk-lib';
import * as sfn from 'aws-cdk-lib/aws-stepfunctions';
import * as tasks from 'aws-cdk-lib/aws-stepfunctions-tasks';
import { Construct } from 'constructs';
import { CALLS } from './merchant-fan-out-calls.ts';
import type { Calls, ChildKind } from './merchant-fan-out-calls.ts';
import { longestCall, retriersOf } from './merchant-fan-out-retries.ts';
import type { PublishedFunction } from './published-function.ts';

/** A function that does the work of a child, and its own time limit. */
export interface Worker {
  worker: PublishedFunction;
  workerTimeout: Duration;
}

/** The functions for small merchants that share a child, and for large ones. */
export interface ReportSizes {
  shared: Worker;
  large: Worker;
  /** A merchant with more stored invoices a day is large, bytes. */
  largeBytes: number;
}

export interface ChildProps extends Worker {
  kind: ChildKind;
  /** Does the work of large items. Left out, the worker does. */
  large?: Worker | undefined;
}

/** Step Functions waits this much longer than the function's limit, so that the function ends first. */
const ANSWER_MARGIN = Duration.seconds(5);
/** An EXPRESS workflow ends after five minutes. Seconds. */
const EXPRESS_LIMIT = 300;
/** The part of that limit for the steps between the calls. Seconds. */
const EXPRESS_MARGIN = 15;

/**
 * @throws {Error} when a child could run longer than the five minutes of an EXPRESS workflow
 */
function assertEndsInTime({ workflow, retries, mostCalls }: Calls, timeout: Duration): void {
  if (workflow === sfn.StateMachineType.STANDARD) return;
  const longest = longestCall(retries, timeout) * mostCalls;
  if (longest + EXPRESS_MARGIN <= EXPRESS_LIMIT) return;
  throw new Error(
    `the worker's time limit is too long: a batch may take ${longest} s, and an EXPRESS workflow ends after ${EXPRESS_LIMIT} s`,
  );
}

/** What ended, and whether anything failed. @param list the path of the calls' results @param each that of each of them */
function ended(list: string, each: string): Record<string, string> {
  return { 'ended.$': list, 'anyFailed.$': `States.ArrayContains(${each}.failed, true)` };
}

/**
 * The work of a child: one call for each of its days, or for each merchant of its batch. A call that fails does not stop
 * the others. The child fails after the last call, with the name of the first error. Its cause names every call that failed.
 */
export class FanOutChild extends Construct {
  readonly start: sfn.IChainable;
  readonly #calls: Calls;

  constructor(scope: Construct, id: string, { kind, large, ...worker }: ChildProps) {
    super(scope, id);
    this.#calls = CALLS[kind];
    const anyFailed = new sfn.Choice(this, 'AnyFailed', { stateName: `Did any fail? (${id})` })
      .when(sfn.Condition.booleanEquals('$.anyFailed', true), this.#fail(id))
      .otherwise(new sfn.Succeed(this, 'Done', { stateName: `All done (${id})` }));
    const { items } = this.#calls;
    if (items !== undefined) {
      const eachItem = new sfn.Map(this, 'EachItem', {
        stateName: `${items.each} (${id})`,
        itemsPath: items.path,
        maxConcurrency: items.concurrency,
        // The results of the calls of each item, in one list.
        resultSelector: ended('$[*][*]', '$[*][*]'),
      });
      this.start = eachItem.itemProcessor(this.#each('', id, worker)).next(anyFailed);
      return;
    }
    const each = this.#each('', id, worker, ended('$', '$[*]'));
    each.next(anyFailed);
    if (large === undefined) {
      this.start = each;
      return;
    }
    const eachOfLarge = this.#each('Large', `${id}, large`, large, ended('$', '$[*]'));
    eachOfLarge.next(anyFailed);
    this.start = new sfn.Choice(this, 'IsLarge', { stateName: `Is it a large one? (${id})` })
      .when(sfn.Condition.isPresent('$.large'), eachOfLarge)
      .otherwise(each);
  }

  /** Calls the function for each element of the list. @param prefix of the ids */
  #each(
    prefix: string,
    id: string,
    { worker, workerTimeout }: Worker,
    resultSelector?: Record<string, string>,
  ): sfn.Map {
    const calls = this.#calls;
    const timeout = workerTimeout.plus(ANSWER_MARGIN);
    assertEndsInTime(calls, timeout);
    const invoke = new tasks.LambdaInvoke(this, `${prefix}Invoke`, {
      stateName: `Invoke the function (${id})`,
      lambdaFunction: worker.version,
      payload: sfn.TaskInput.fromJsonPathAt(calls.payloadPath ?? '$'),
      // Keeps only the part of an answer that tells a person later what was done, because the results of every child are kept.
      resultSelector: { ...calls.answer, failed: false },
      taskTimeout: sfn.Timeout.duration(timeout),
      retryOnServiceExceptions: false,
    });
    for (const retrier of retriersOf(calls.retries)) invoke.addRetry(retrier);
    // The cause stays in the history only. With its stack it can have 32 KiB, and a child can fail on 366 days.
    invoke.addCatch(this.#note(prefix, id), { resultPath: '$.failure' });
    const each = new sfn.Map(this, `${prefix}Each`, {
      stateName: `${calls.each} (${id})`,
      itemsPath: calls.callsPath,
      itemSelector: calls.event,
      maxConcurrency: calls.concurrency,
      ...(resultSelector === undefined ? {} : { resultSelector }),
    });
    return each.itemProcessor(invoke);
  }

  /** Keeps a failed call beside the good ones. */
  #note(prefix: string, id: string): sfn.IChainable {
    return new sfn.Pass(this, `${prefix}Note`, {
      stateName: `Note the failure (${id})`,
      parameters: {
        failed: true,
        'error.$': '$.failure.Error',
        'text.$': `States.Format('{}: {}', ${this.#calls.call}, $.failure.Error)`,
      },
    });
  }

  #fail(id: string): sfn.IChainable {
    const gather = new sfn.Pass(this, 'Gather', {
      stateName: `Gather the failures (${id})`,
      parameters: { 'ended.$': '$.ended', 'failures.$': '$.ended[?(@.failed == true)]' },
    });
    const word = new sfn.Pass(this, 'Word', {
      stateName: `Put them in words (${id})`,
      parameters: {
        'error.$': '$.failures[0].error',
        'cause.$':
          "States.Format('{} of {} failed: {}', States.ArrayLength($.failures), States.ArrayLength($.ended), States.JsonToString($.failures[*].text))",
      },
    });
    const fail = new sfn.Fail(this, 'Fail', {
      stateName: `Failed (${id})`,
      errorPath: '$.error',
      causePath: '$.cause',
    });
    return gather.next(word).next(fail);
  }
}
