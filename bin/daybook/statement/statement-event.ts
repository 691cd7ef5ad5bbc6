import { assertOnlyOne, resendOf } from '../report/resend-option.ts';
import type { ResendMember, ResendOptions } from '../report/resend-option.ts';
import { UsageError } from '../terminal/command-errors.ts';

/** The options of `daybook statement`. */
export interface StatementOptions extends ResendOptions {
  group?: string | undefined;
  period: string;
  dryRun?: true | undefined;
  to?: readonly string[] | undefined;
  /** `false` with `--no-send`. */
  send: boolean;
}

/** The event of `statement` that the command sends. */
export type StatementEvent = ({ merchantCode: string } | { group: string }) &
  ResendMember & { period: string; dryRun?: true; to?: readonly string[]; send?: false };

function ownerOf(
  code: string | undefined,
  group: string | undefined,
): { merchantCode: string } | { group: string } {
  if (code !== undefined && group !== undefined) {
    throw new UsageError('give either a merchant or --group, not both');
  }
  if (code !== undefined) return { merchantCode: code };
  if (group !== undefined) return { group };
  throw new UsageError("give a merchant's code, or a group with --group");
}

/**
 * The event for the options.
 *
 * @param code the merchant's, left out with `--group`
 * @throws {UsageError} when they contradict each other, or name nobody
 */
export function statementEvent(code: string | undefined, options: StatementOptions): StatementEvent {
  const { period, dryRun, to, send } = options;
  assertOnlyOne([dryRun && '--dry-run', to && '--to', options.resend && '--resend', !send && '--no-send']);
  return {
    ...ownerOf(code, options.group),
    period,
    ...resendOf(options),
    ...(dryRun && { dryRun }),
    ...(to !== undefined && { to }),
    ...(!send && { send }),
  };
}
