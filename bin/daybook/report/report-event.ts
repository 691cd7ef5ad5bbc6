import { UsageError } from '../terminal/command-errors.ts';

/** The options of `daybook report`. */
export interface ReportOptions {
  day: string;
  dryRun?: true | undefined;
  to?: readonly string[] | undefined;
  resend?: true | undefined;
  failed?: true | undefined;
  only?: readonly string[] | undefined;
}

/** The event of `daily-report` that the command sends. */
export interface ReportEvent {
  merchantCode: string;
  day: string;
  dryRun?: true;
  to?: readonly string[];
  resend?: true | 'failed' | readonly string[];
}

function resendOf({ resend, failed, only }: ReportOptions): Pick<ReportEvent, 'resend'> {
  if (resend === undefined) {
    if (failed === undefined && only === undefined) return {};
    throw new UsageError(`${failed === undefined ? '--only' : '--failed'} goes with --resend`);
  }
  if (failed !== undefined && only !== undefined) {
    throw new UsageError('give either --failed or --only: each says to whom it is sent again');
  }
  return { resend: failed === undefined ? (only ?? true) : 'failed' };
}

/**
 * The event for the options.
 *
 * @throws {UsageError} when they contradict each other
 */
export function reportEvent(merchantCode: string, options: ReportOptions): ReportEvent {
  const { day, dryRun, to } = options;
  const asked = [dryRun && '--dry-run', to && '--to', options.resend && '--resend'].filter(
    (option) => typeof option === 'string',
  );
  if (asked.length > 1) throw new UsageError(`${asked.join(' and ')} cannot be given together`);
  return {
    merchantCode,
    day,
    ...resendOf(options),
    ...(dryRun && { dryRun }),
    ...(to !== undefined && { to }),
  };
}
