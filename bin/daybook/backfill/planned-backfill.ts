import * as z from 'zod';
import { isDay } from '#records/day/business-day.ts';
import { daysOf } from '#records/period/period.ts';
import { MERCHANT_CODE } from '#records/storage/keys.ts';
import { invokeFunction } from '../stage/invoke-function.ts';
import type { Stage } from '../stage/stage.ts';
import { CommandError, UsageError } from '../terminal/command-errors.ts';
import { shown } from '../terminal/shown-text.ts';
import { counted } from '../terminal/words.ts';

/** What a backfill is asked for. */
export interface BackfillOptions {
  from?: string | undefined;
  to?: string | undefined;
  merchant?: readonly string[] | undefined;
  send?: true | undefined;
  /** The `scheduledTime` of one that was started before: it is only followed. */
  watch?: string | undefined;
}

/** The event of `plan` that starts a backfill (docs/interfaces.md, 4.1 plan). */
export interface BackfillEvent {
  kind: 'daily';
  /** ISO 8601 in UTC. Its messages and the records of its pulls have it. */
  scheduledTime: string;
  from: string;
  to: string;
  merchants?: string[];
  send?: true;
}

/** How much a backfill does. */
export interface BackfillSize {
  merchants: number;
  days: number;
  /** Their codes. `undefined` when there are very many. */
  codes: readonly string[] | undefined;
}

const answerSchema = z.object({
  itemCount: z.int(),
  sent: z.boolean(),
  /** Left out when there are very many. */
  items: z.array(z.object({ merchantCode: z.string() })).optional(),
  rejected: z.array(z.object({ path: z.string(), reason: z.string() })),
});
type PlanAnswer = z.infer<typeof answerSchema>;

/** The event that the options ask for, without its time. @throws {UsageError} when an option is missing or wrong */
export function askedBackfill({
  from,
  to,
  merchant = [],
  send,
  watch,
}: BackfillOptions): Omit<BackfillEvent, 'scheduledTime'> {
  if (from === undefined || to === undefined)
    throw new UsageError('give the first and the last day with --from and --to');
  if (!isDay(from)) throw new UsageError(`--from is not a date (YYYY-MM-DD): ${shown(from)}`);
  if (!isDay(to)) throw new UsageError(`--to is not a date (YYYY-MM-DD): ${shown(to)}`);
  if (to < from) throw new UsageError(`--to is before --from`);
  const wrong = merchant.find((code) => !MERCHANT_CODE.test(code));
  if (wrong !== undefined)
    throw new UsageError(`--merchant has "${shown(wrong)}", which is not a merchant's code`);
  if (watch !== undefined && !z.iso.datetime().safeParse(watch).success)
    throw new UsageError(`--watch is not a time such as 2026-11-27T02:13:21Z: ${shown(watch)}`);
  return {
    kind: 'daily',
    from,
    to,
    ...(merchant.length > 0 && { merchants: [...new Set(merchant)] }),
    ...(send === true && { send }),
  };
}

/** @throws {CommandError} when a merchant that the event names is not among the items */
function assertNoneMissing(
  { merchants = [] }: BackfillEvent,
  { itemCount, items, rejected }: PlanAnswer,
): void {
  if (merchants.length <= itemCount) return;
  const planned = new Set(items?.map(({ merchantCode }) => merchantCode));
  const index = items === undefined ? -1 : merchants.findIndex((code) => !planned.has(code));
  const reason = rejected.find(({ path }) => path === `merchants[${index}]`)?.reason;
  const which = merchants[index] ?? `${merchants.length - itemCount} of those named`;
  throw new CommandError(`merchant ${which} cannot be reported: ${shown(reason ?? 'plan leaves it out')}`);
}

/**
 * Asks `plan` what the event would do.
 *
 * @param warn is called when entries of the registry cannot be used
 * @throws {CommandError} when a merchant is not in the registry, or there is nothing to do
 */
export async function sizeOfBackfill(
  stage: Stage,
  event: BackfillEvent,
  warn: (text: string) => void,
): Promise<BackfillSize> {
  const answer = answerSchema.parse(await invokeFunction(stage, 'plan', { ...event, dryRun: true }));
  assertNoneMissing(event, answer);
  const [first] = answer.rejected;
  if (first !== undefined) {
    const others = answer.rejected.length - 1;
    const more = others === 0 ? '' : `, and ${others} more`;
    warn(`a part of the registry cannot be used: ${shown(`${first.path}: ${first.reason}`)}${more}`);
  }
  if (answer.itemCount === 0) throw new CommandError('there is no merchant to report');
  return {
    merchants: answer.itemCount,
    days: daysOf(event).length,
    codes: answer.items?.map(({ merchantCode }) => merchantCode),
  };
}

/** Has `plan` send the messages. @throws {CommandError} when it has no queue for them */
export async function sendBackfill(stage: Stage, event: BackfillEvent): Promise<void> {
  const { sent } = answerSchema.parse(await invokeFunction(stage, 'plan', event));
  if (!sent) throw new CommandError('plan has no queue for backfills: deploy this version');
}

/** Such as `3 merchants, 2 days each (2026-11-01 to 2026-11-02): 6 reports, without mail`. */
export function sizeInWords({ merchants, days }: BackfillSize, { from, to, send }: BackfillEvent): string {
  const each = merchants === 1 ? '' : ' each';
  const mail = send === true ? 'each mailed' : 'without mail';
  return `${counted(merchants, 'merchant')}, ${counted(days, 'day')}${each} (${from} to ${to}): ${counted(merchants * days, 'report')}, ${mail}`;
}
