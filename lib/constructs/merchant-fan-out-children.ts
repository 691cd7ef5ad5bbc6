import type * as s3 from 'aws-cdk-lib/aws-s3';
import * as sfn from 'aws-cdk-lib/aws-stepfunctions';
import type { Construct } from 'constructs';
import { SHARED_BY } from '#plan/shared-child.ts';
import type { ReportSizes, Worker } from './merchant-fan-out-child.ts';
import { childrenMap } from './merchant-fan-out-steps.ts';

/** The label of the Distributed Map of shared children. */
export const SHARED_LABEL = 'SharedRound';

export interface BothKindsProps extends Worker {
  sizes: ReportSizes;
  bucket: s3.IBucket;
  /** Where the results are written. */
  results: string;
}

/**
 * The first round of the reports: children of one merchant each, and beside them children that small merchants share. `plan`
 * has said who shares one, and how the places are shared out. It gives the keys of the results of both.
 */
export function bothKindsOfChildren(scope: Construct, props: BothKindsProps): sfn.Parallel {
  const { sizes, bucket, results } = props;
  const own = childrenMap(scope, {
    kind: 'daily',
    label: 'FirstRound',
    stateName: 'A child for each merchant',
    childId: 'first round',
    itemsKey: '$.plan.own.itemsKey',
    bucket,
    results,
    worker: props.worker,
    workerTimeout: props.workerTimeout,
    large: sizes.large,
    maxConcurrency: '$.plan.own.places',
  });
  const shared = childrenMap(scope, {
    kind: 'shared',
    label: SHARED_LABEL,
    stateName: 'A child for several small merchants',
    childId: 'shared round',
    itemsKey: '$.plan.shared.itemsKey',
    bucket,
    results,
    ...sizes.shared,
    maxConcurrency: '$.plan.shared.batches',
    batchSize: SHARED_BY,
  });
  const ifAny = (id: string, stateName: string, part: string, map: sfn.DistributedMap) =>
    new sfn.Choice(scope, id, { stateName })
      .when(sfn.Condition.numberGreaterThan(`$.plan.${part}.itemCount`, 0), map)
      .otherwise(
        new sfn.Pass(scope, `No${id}`, { stateName: `No (${part})`, result: sfn.Result.fromObject({}) }),
      );
  return new sfn.Parallel(scope, 'BothKinds', {
    stateName: 'First round: every merchant',
    // A branch without items has no key.
    resultSelector: { 'manifestKeys.$': '$[*].manifestKey' },
    resultPath: '$.first',
  })
    .branch(ifAny('AnyOwn', 'Has any a child of its own?', 'own', own))
    .branch(ifAny('AnyShared', 'Do any share a child?', 'shared', shared));
}
