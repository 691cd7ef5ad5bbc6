import { FUNCTIONS, MAX_RECEIVES } from '#lib/functions.ts';
import type { CheckRecord, PullFailure } from '#records/revision/check-record.ts';
import { secondsUntilBack } from '#runtime/coming-back.ts';
import { counted } from '../terminal/shown-text.ts';

/** Why a pull failed, as the service answered: `invoice list: the service failed (HTTP 503)`. Empty when nobody knows. */
export function answerOf({ says, status }: PullFailure): string {
  const http = status === null || says?.includes('HTTP') === true ? [] : [`HTTP ${status}`];
  return [...(says === null ? [] : [says]), ...http].join(', ');
}

/** How often something was tried, such as `tried 2 times`. */
export function triesOf({ tries }: Pick<PullFailure, 'tries'>): string {
  return `tried ${counted(tries, 'time')}`;
}

export interface NextTry {
  /** At the earliest and at the latest. ISO 8601, UTC. */
  from: string;
  until: string;
  /** Which of the tries of its message it is. */
  number: number;
}

/** Seconds: other days of the same message come after the one that failed. */
const LONGEST_RUN = FUNCTIONS['daily-report'].timeoutMinutes * 60;

/**
 * When the message of a day whose pull failed is tried next by itself. `null`: not any more, or not known.
 * @param now milliseconds UTC
 */
export function nextTryOf(check: CheckRecord | undefined, now: number): NextTry | null {
  // A person's run is no try of a message.
  if (check?.failure === undefined || check.scheduledTime === null) return null;
  // A message that is moved back, and that of a later morning, begin anew.
  const receives = ((check.failure.tries - 1) % MAX_RECEIVES) + 1;
  const { lasts, least, most } = secondsUntilBack([check.error ?? ''], receives);
  if (lasts || receives === MAX_RECEIVES) return null;
  const after = (seconds: number) => Date.parse(check.checkedAt) + seconds * 1_000;
  const [from, until] = [after(least), after(most + LONGEST_RUN)];
  if (until < now) return null;
  return { from: new Date(from).toISOString(), until: new Date(until).toISOString(), number: receives + 1 };
}
