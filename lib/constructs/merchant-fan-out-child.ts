import { Duration } from 'aws-cdk-lib';
import * as sfn from 'aws-cdk-lib/aws-stepfunctions';
import * as tasks from 'aws-cdk-lib/aws-stepfunctions-tasks';
import { Construct } from 'constructs';
import type { FanOutKind } from '../functions.ts';
import { HASTY, PATIENT, longestCall, retriersOf } from './merchant-fan-out-retries.ts';
import type { PublishedFunction } from './published-function.ts';
import type { RetryPlan } from './merchant-fan-out-retries.ts';

export interface ChildProps {
  kind: ChildKind;
  worker: PublishedFunction;
  /** The worker's own time limit. */
  workerTimeout: Duration;
}

/** Step Functions waits this much longer than the function's limit, so that the function ends first. */
const ANSWER_MARGIN = Duration.seconds(5);
/** An EXPRESS workflow ends after five minutes. Seconds. */
const EXPRESS_LIMIT = 300;
/** The part of that limit for the steps between the calls. Seconds. */
const EXPRESS_MARGIN = 15;
/** Merchants of a batch. They are checked at the same time, because one after another would take too long. */
export const BATCH_SIZE = 5;

/** The calls of one child: the list to go through, the event of each call, and the part of the answer to keep. */
interface Calls {
  workflow: sfn.StateMachineType;
  callsPath: string;
  /** How many calls at the same time. */
  concurrency: number;
  /** What of an element of the list the call gets, under the names of the event. */
  event: Record<string, string>;
  /** The path of the event, if it is a member of that. */
  payloadPath?: string;
  answer: Record<string, string>;
  /** Names a call in the cause of a failure: an intrinsic function on the call's event. */
  call: string;
  retries: RetryPlan;
}

/** The work of a child: that of a fan-out, or one statement. */
export type ChildKind = FanOutKind | 'statement';

/** The names of the states that go through a child's calls. */
const EACH: Record<ChildKind, string> = {
  daily: 'Each day',
  alert: 'Each merchant of the batch',
  statement: 'Each statement',
};

const CALLS: Record<ChildKind, Calls> = {
  daily: {
    workflow: sfn.StateMachineType.STANDARD,
    callsPath: '$.days',
    // A merchant's days run one after another: one login at a time, and less load on the service.
    concurrency: 1,
    event: {
      'merchantCode.$': '$.merchantCode',
      'day.$': '$$.Map.Item.Value',
      'send.$': '$.send',
      'scheduledTime.$': '$.scheduledTime',
    },
    answer: {
      'day.$': '$.Payload.day',
      'revision.$': '$.Payload.revision',
      'mail.$': '$.Payload.mail.status',
    },
    call: '$.day',
    retries: PATIENT,
  },
  alert: {
    workflow: sfn.StateMachineType.EXPRESS,
    callsPath: '$.Items',
    concurrency: BATCH_SIZE,
    event: {
      'merchantCode.$': '$$.Map.Item.Value.merchantCode',
      'day.$': '$$.Map.Item.Value.days[0]',
      'scheduledTime.$': '$$.Map.Item.Value.scheduledTime',
    },
    answer: { 'merchantCode.$': '$.Payload.merchantCode', 'mailed.$': '$.Payload.mailed' },
    call: '$.merchantCode',
    retries: HASTY,
  },
  statement: {
    workflow: sfn.StateMachineType.EXPRESS,
    callsPath: '$.Items',
    concurrency: 1,
    // Items of merchants and of groups have different members, so the event is passed on whole.
    event: { 'event.$': '$$.Map.Item.Value' },
    payloadPath: '$.event',
    answer: {
      'period.$': '$.Payload.period',
      'revision.$': '$.Payload.revision',
      'mail.$': '$.Payload.mail.status',
    },
    call: 'States.JsonToString($.event)',
    retries: HASTY,
  },
};

/** The workflow type of the children. */
export function workflowOf(kind: ChildKind): sfn.StateMachineType {
  return CALLS[kind].workflow;
}

/**
 * @throws {Error} when a child could run longer than the five minutes of an EXPRESS workflow
 */
function assertEndsInTime({ workflow, retries }: Calls, timeout: Duration): void {
  if (workflow === sfn.StateMachineType.STANDARD) return;
  const longest = longestCall(retries, timeout);
  if (longest + EXPRESS_MARGIN <= EXPRESS_LIMIT) return;
  throw new Error(
    `the worker's time limit is too long: a batch may take ${longest} s, and an EXPRESS workflow ends after ${EXPRESS_LIMIT} s`,
  );
}

/**
 * The work of a child: one call for each of its days, or for each merchant of its batch. A call that fails does not stop
 * the others. The child fails after the last call, with the name of the first error.
 */
export class FanOutChild extends Construct {
  readonly start: sfn.IChainable;

  constructor(scope: Construct, id: string, { kind, worker, workerTimeout }: ChildProps) {
    super(scope, id);
    const calls = CALLS[kind];
    const timeout = workerTimeout.plus(ANSWER_MARGIN);
    assertEndsInTime(calls, timeout);

    const invoke = new tasks.LambdaInvoke(this, 'Invoke', {
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
    invoke.addCatch(this.#note(id, calls), { resultPath: '$.failure' });

    const each = new sfn.Map(this, 'Each', {
      stateName: `${EACH[kind]} (${id})`,
      itemsPath: calls.callsPath,
      itemSelector: calls.event,
      maxConcurrency: calls.concurrency,
      resultSelector: { 'ended.$': '$', 'anyFailed.$': 'States.ArrayContains($[*].failed, true)' },
    });
    each.itemProcessor(invoke);
    const anyFailed = new sfn.Choice(this, 'AnyFailed', { stateName: `Did any fail? (${id})` })
      .when(sfn.Condition.booleanEquals('$.anyFailed', true), this.#fail(id))
      .otherwise(new sfn.Succeed(this, 'Done', { stateName: `All done (${id})` }));
    this.start = each.next(anyFailed);
  }

  /** Keeps a failed call beside the good ones. */
  #note(id: string, { call }: Calls): sfn.IChainable {
    return new sfn.Pass(this, 'Note', {
      stateName: `Note the failure (${id})`,
      parameters: {
        failed: true,
        'error.$': '$.failure.Error',
        'text.$': `States.Format('{}: {}', ${call}, $.failure.Error)`,
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
