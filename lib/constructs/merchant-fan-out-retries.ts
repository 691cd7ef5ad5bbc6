import { Duration } from 'aws-cdk-lib';
import * as sfn from 'aws-cdk-lib/aws-stepfunctions';
import { DIED, LAMBDA_FAILED, PASSING_ERRORS, THROTTLED } from './merchant-fan-out-errors.ts';

/** The retries of one call of a function. Each wait is drawn at random between zero and its limit. */
export interface RetryPlan {
  throttled: { first: Duration; longest: Duration; attempts: number };
  passing: { first: Duration; longest: Duration; attempts: number; rate: number };
}

/** For children with much time: throttling is waited out, and a service that restarts gets some minutes. */
export const PATIENT: RetryPlan = {
  throttled: { first: Duration.seconds(2), longest: Duration.seconds(60), attempts: 10 },
  passing: { first: Duration.seconds(20), longest: Duration.minutes(5), attempts: 3, rate: 3 },
};

/** For children that always end after five minutes. */
export const HASTY: RetryPlan = {
  throttled: { first: Duration.seconds(1), longest: Duration.seconds(5), attempts: 3 },
  passing: { first: Duration.seconds(2), longest: Duration.seconds(5), attempts: 1, rate: 2 },
};

/**
 * For children that always end after five minutes and make several calls one after another. What fails waits for the second
 * round, which has time.
 */
export const BRIEF: RetryPlan = {
  throttled: { first: Duration.seconds(1), longest: Duration.seconds(3), attempts: 2 },
  passing: { first: Duration.seconds(1), longest: Duration.seconds(1), attempts: 0, rate: 2 },
};

/** Two retriers with separate counts: one for throttling, one for other errors that pass. */
export function retriersOf({ throttled, passing }: RetryPlan): sfn.RetryProps[] {
  return [
    {
      errors: THROTTLED,
      interval: throttled.first,
      maxDelay: throttled.longest,
      maxAttempts: throttled.attempts,
      backoffRate: 2,
      jitterStrategy: sfn.JitterType.FULL,
    },
    {
      errors: [...LAMBDA_FAILED, ...Object.keys(PASSING_ERRORS)],
      interval: passing.first,
      maxDelay: passing.longest,
      maxAttempts: passing.attempts,
      backoffRate: passing.rate,
      jitterStrategy: sfn.JitterType.FULL,
    },
  ];
}

/** A further retrier for `plan`: a run that died is run again. */
export const AFTER_DEATH: sfn.RetryProps = {
  errors: DIED,
  interval: Duration.seconds(10),
  maxDelay: Duration.minutes(1),
  maxAttempts: 2,
  backoffRate: 3,
  jitterStrategy: sfn.JitterType.FULL,
};

/**
 * The longest time that a call with all its retries can take, seconds. A throttled attempt ends at once; every other attempt
 * ends at its time limit at the latest.
 */
export function longestCall({ throttled, passing }: RetryPlan, timeout: Duration): number {
  const waits =
    throttled.attempts * throttled.longest.toSeconds() + passing.attempts * passing.longest.toSeconds();
  return (1 + passing.attempts) * timeout.toSeconds() + waits;
}
