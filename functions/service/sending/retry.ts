import type { PaymentsError } from '../errors.ts';
import {
  ConnectionError,
  MalformedAnswerError,
  RateLimitedError,
  RequestTimeoutError,
  ServerError,
} from '../errors.ts';

/** Milliseconds. `budget` is for all attempts of one request together. */
export interface RetrySettings {
  firstDelay: number;
  longestDelay: number;
  budget: number;
}

/** The retries of every request in a pull. */
export const RETRY: RetrySettings = { firstDelay: 250, longestDelay: 20_000, budget: 90_000 };

const MALFORMED_ATTEMPTS = 3;

/** Connection failures that may pass. A refused certificate, for example, does not. */
const PASSING_CONNECTION_FAILURES = new Set([
  'ECONNRESET',
  'ECONNREFUSED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EAI_AGAIN',
  'ENOTFOUND',
]);

function isPassing(error: PaymentsError, attempt: number): boolean {
  if (
    error instanceof RateLimitedError ||
    error instanceof ServerError ||
    error instanceof RequestTimeoutError
  ) {
    return true;
  }
  if (error instanceof ConnectionError) return PASSING_CONNECTION_FAILURES.has(error.code);
  // A proxy's page in place of an answer passes. A service that never sends JSON does not.
  return error instanceof MalformedAnswerError && attempt < MALFORMED_ATTEMPTS;
}

/**
 * Milliseconds to the next attempt, `undefined` for none.
 * @param attempt failed ones, from 1
 * @param spent milliseconds since the first began
 * @param random 0 to 1: full jitter
 */
export function retryDelay(
  error: PaymentsError,
  attempt: number,
  spent: number,
  random: number,
  settings: RetrySettings = RETRY,
): number | undefined {
  if (!isPassing(error, attempt)) return undefined;
  const ceiling = Math.min(settings.longestDelay, settings.firstDelay * 2 ** (attempt - 1));
  const jittered = Math.round(random * ceiling);
  // The service may ask for no wait, or for one that is over. The delay must still grow.
  const asked = (error.retryAfter ?? 0) + Math.round(random * settings.firstDelay);
  const delay = Math.max(jittered, asked);
  return spent + delay > settings.budget ? undefined : delay;
}

/** Milliseconds to wait by `Retry-After` (RFC 9110, 10.2.3), `undefined` if unreadable. `now`: milliseconds UTC. */
export function readRetryAfter(header: string | null, now: number): number | undefined {
  if (header === null) return undefined;
  if (/^\s*\d{1,9}\s*$/.test(header)) return Number(header) * 1_000;
  // `Date.parse` finds a date in almost any text with a number. Every HTTP date begins with the weekday.
  const date = /^\s*(?:mon|tue|wed|thu|fri|sat|sun)/i.test(header) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
