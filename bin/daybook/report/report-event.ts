import { UsageError } from '../terminal/command-errors.ts';

/** The options that say to whom a mail is sent again. */
export interface ResendOptions {
  resend?: true | undefined;
  failed?: true | undefined;
  only?: readonly string[] | undefined;
}

/** The member `resend` of an event. */
export interface ResendMember {
  resend?: true | 'failed' | readonly string[];
}

/**
 * To whom a mail is sent again.
 *
 * @throws {UsageError} when the options contradict each other
 */
export function resendOf({ resend, failed, only }: ResendOptions): ResendMember {
  if (resend === undefined) {
    if (failed === undefined && only === undefined) return {};
    throw new UsageError(`${failed === undefined ? '--only' : '--failed'} goes with --resend`);
  }
  if (failed !== undefined && only !== undefined) {
    throw new UsageError('give either --failed or --only: each says to whom it is sent again');
  }
  return { resend: failed === undefined ? (only ?? true) : 'failed' };
}

/** @throws {UsageError} when more than one of them is given. @param options as they are typed, `undefined` when not given */
export function assertOnlyOne(options: readonly (string | false | undefined)[]): void {
  const asked = options.filter((option) => typeof option === 'string');
  if (asked.length > 1) throw new UsageError(`${asked.join(' and ')} cannot be given together`);
}

/** The options of `daybook report`. */
export interface ReportOptions extends ResendOptions {
  day: string;
  dryRun?: true | undefined;
  to?: readonly string[] | undefined;
}

/** The event of `daily-report` that the command sends. */
export interface ReportEvent extends ResendMember {
  merchantCode: string;
  day: string;
  dryRun?: true;
  to?: readonly string[];
}

/**
 * The event for the options.
 *
 * @throws {UsageError} when they contradict each other
 */
export function reportEvent(merchantCode: string, options: ReportOptions): ReportEvent {
  const { day, dryRun, to } = options;
  assertOnlyOne([dryRun && '--dry-run', to && '--to', options.resend && '--resend']);
  return {
    merchantCode,
    day,
    ...resendOf(options),
    ...(dryRun && { dryRun }),
    ...(to !== undefined && { to }),
  };
}
