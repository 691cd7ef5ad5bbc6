import { Duration } from 'aws-cdk-lib';
import type * as s3 from 'aws-cdk-lib/aws-s3';
import * as sfn from 'aws-cdk-lib/aws-stepfunctions';
import * as tasks from 'aws-cdk-lib/aws-stepfunctions-tasks';
import type { Construct } from 'constructs';
import { workflowOf } from './merchant-fan-out-calls.ts';
import { FanOutChild } from './merchant-fan-out-child.ts';
import type { ChildProps } from './merchant-fan-out-child.ts';
import { AFTER_DEATH, PATIENT, retriersOf } from './merchant-fan-out-retries.ts';
import type { PublishedFunction } from './published-function.ts';

/** The function `plan`, and its time limit. */
export interface PlanProps {
  plan: PublishedFunction;
  planTimeout: Duration;
}

/** A call of `plan`. */
export interface PlanStep {
  stateName: string;
  payload: sfn.TaskInput;
  resultPath: string;
  /** Further members of the answer to keep, in the form of a result selector. */
  keep?: Record<string, string>;
}

/** A state that calls `plan` and keeps the number of its items and their key. */
export function planTask(
  scope: Construct,
  id: string,
  { plan, planTimeout }: PlanProps,
  { stateName, payload, resultPath, keep = {} }: PlanStep,
): tasks.LambdaInvoke {
  const task = new tasks.LambdaInvoke(scope, id, {
    stateName,
    lambdaFunction: plan.version,
    payload,
    // By key, because the answer can also contain the items, which must not be passed from state to state.
    resultSelector: { 'itemCount.$': '$.Payload.itemCount', 'itemsKey.$': '$.Payload.itemsKey', ...keep },
    resultPath,
    taskTimeout: sfn.Timeout.duration(planTimeout.plus(Duration.seconds(5))),
    retryOnServiceExceptions: false,
  });
  for (const retrier of [...retriersOf(PATIENT), AFTER_DEATH]) task.addRetry(retrier);
  return task;
}

/** Children for the items of a plan. */
export interface ChildrenProps extends ChildProps {
  /** Also the id of the state. */
  label: string;
  stateName: string;
  /** The name of the child's states. */
  childId: string;
  itemsKey: string;
  bucket: s3.IBucket;
  /** Where the results are written. */
  results: string;
  /** Children at the same time: a number, or the path of one. */
  maxConcurrency: number | string;
  /** Items of a child; left out, a child is an item. */
  batchSize?: number;
  /** Left out: the result is all that comes out. */
  resultPath?: string;
}

/** A Distributed Map with a child for each item or batch. What fails in it does not fail the execution. */
export function childrenMap(scope: Construct, props: ChildrenProps): sfn.DistributedMap {
  const { kind, label, stateName, bucket, batchSize, maxConcurrency, resultPath } = props;
  const { worker, workerTimeout, large } = props;
  const map = new sfn.DistributedMap(scope, label, {
    stateName,
    label,
    mapExecutionType: workflowOf(kind),
    itemReader: new sfn.S3JsonItemReader({ bucket, key: sfn.JsonPath.stringAt(props.itemsKey) }),
    ...(batchSize === undefined ? {} : { itemBatcher: new sfn.ItemBatcher({ maxItemsPerBatch: batchSize }) }),
    ...(typeof maxConcurrency === 'number' ? { maxConcurrency } : { maxConcurrencyPath: maxConcurrency }),
    toleratedFailurePercentage: 100,
    resultWriterV2: new sfn.ResultWriterV2({ bucket, prefix: props.results }),
    resultSelector: { 'manifestKey.$': '$.ResultWriterDetails.Key' },
    ...(resultPath === undefined ? {} : { resultPath }),
  });
  // Retries the reading of the items before any child starts. Otherwise a short failure of S3 would lose all merchants of a tick.
  map.addRetry({
    errors: ['States.ItemReaderFailed'],
    interval: Duration.seconds(10),
    maxAttempts: 2,
    backoffRate: 3,
    jitterStrategy: sfn.JitterType.FULL,
  });
  return map.itemProcessor(
    new FanOutChild(scope, props.childId, { kind, worker, workerTimeout, large }).start,
  );
}
