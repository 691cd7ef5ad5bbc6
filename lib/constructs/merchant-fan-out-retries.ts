import { Duration } from 'aws-cdk-lib';
import * as sfn from 'aws-cdk-lib/aws-stepfunctions';
import { DIED, LAMBDA_FAILED, PASSING_ERRORS, THROTTLED } from './merchant-fan-out-errors.ts';

/** How one call of a function is tried again. Waits are drawn between nothing and their bound. */
export interface RetryPlan {
  throttled: { first: Duration; longest: Duration; attempts: number };
  passing: { first: Duration; longest: Duration; attempts: number; rate: number };
}

/** For children that may take their time: a throttle is waited out, a service that restarts gets some minutes. */
export const PATIENT: RetryPlan = {
  throttled: { first: Duration.seconds(2), longest: Duration.seconds(60), attempts: 10 },
  passing: { first: Duration.seconds(20), longest: Duration.minutes(5), attempts: 3, rate: 3 },
};

/** For children that end after five minutes whatever they do. */
export const HASTY: RetryPlan = {
  throttled: { first: Duration.seconds(1), longest: Duration.seconds(5), attempts: 3 },
  passing: { first: Duration.seconds(2), longest: Duration.seconds(5), attempts: 1, rate: 2 },
};

/** Two retriers, each with its own count: throttles, and what else passes. */
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

/** For `plan`, besides: a run of it that died is run again. */
export const AFTER_DEATH: sfn.RetryProps = {
  errors: DIED,
  interval: Duration.seconds(10),
  maxDelay: Duration.minutes(1),
  maxAttempts: 2,
  backoffRate: 3,
  jitterStrategy: sfn.JitterType.FULL,
};

/**
 * The longest that a call can take with all of its retries, seconds: a throttle ends at once, every other attempt at
 * its time limit at the latest.
 */
export function longestCall({ throttled, passing }: RetryPlan, timeout: Duration): number {
  const waits =
    throttled.attempts * throttled.longest.toSeconds() + passing.attempts * passing.longest.toSeconds();
  return (1 + passing.attempts) * timeout.toSeconds() + waits;
}
