import { Duration } from 'aws-cdk-lib';
import * as sfn from 'aws-cdk-lib/aws-stepfunctions';

/** Athena did not take the query, or could not be asked. */
export const NOT_TAKEN = [
  'Athena.TooManyRequestsException',
  'Athena.InternalServerException',
  'Athena.AmazonAthenaException',
  'Athena.SdkClientException',
];

/**
 * A statement failed. Step Functions gives every such failure this one name. The reason, such as `ICEBERG_COMMIT_ERROR`, is only
 * in the cause, which a retrier cannot match. So every failed statement is retried. That does no harm: each of them can be
 * repeated, and does only what is left to do.
 */
export const FAILED = ['States.TaskFailed'];

/** How often a statement is tried again. */
export interface StatementRetries {
  notTaken: number;
  failed: number;
}

/** For a statement that fails because another one won the commit, or because S3 was slow. */
export const ORDINARY: StatementRetries = { notTaken: 4, failed: 4 };

/** OPTIMIZE and VACUUM do a part of a large table, then fail with `ICEBERG_…_MORE_RUNS_NEEDED`. */
export const MORE_RUNS: StatementRetries = { notTaken: 4, failed: 30 };

/** Retriers with separate counts. Each wait is drawn at random between zero and its limit. */
export function statementRetriers({ notTaken, failed }: StatementRetries): sfn.RetryProps[] {
  const shared = { backoffRate: 2, jitterStrategy: sfn.JitterType.FULL };
  return [
    {
      ...shared,
      errors: NOT_TAKEN,
      interval: Duration.seconds(5),
      maxDelay: Duration.minutes(1),
      maxAttempts: notTaken,
    },
    {
      ...shared,
      errors: FAILED,
      interval: Duration.seconds(10),
      maxDelay: Duration.minutes(2),
      maxAttempts: failed,
    },
  ];
}
