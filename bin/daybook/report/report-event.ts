import { assertOnlyOne, resendOf } from './resend-option.ts';
import type { ResendMember, ResendOptions } from './resend-option.ts';

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
