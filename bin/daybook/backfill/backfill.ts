import * as z from 'zod';
import { isDay } from '#records/day/business-day.ts';
import { daysOf } from '#records/period/period.ts';
import { DayStore } from '#page/day-store.ts';
import type { CommandContext, ExitStatus } from '../context.ts';
import { invokeFunction } from '../stage/invoke-function.ts';
import { StageQueues } from '../stage/stage-queues.ts';
import type { DeadLetter, FailedDay } from '../stage/stage-queues.ts';
import type { Stage } from '../stage/stage.ts';
import { CommandError, InterruptedError, UsageError } from '../terminal/command-errors.ts';
import type { Output } from '../terminal/output.ts';
import { counted, firstNamed, shown } from '../terminal/shown-text.ts';
import { fewDays, followBackfill } from './follow-backfill.ts';
import type { BackfillEvent } from './follow-backfill.ts';

interface BackfillOptions {
  from?: string | undefined;
  to?: string | undefined;
  merchant?: readonly string[] | undefined;
  send?: true | undefined;
  /** The `scheduledTime` of one that was started before: it is only followed. */
  watch?: string | undefined;
}

const answerSchema = z.object({
  itemCount: z.int(),
  sent: z.boolean(),
  /** Left out when there are very many. */
  items: z.array(z.object({ merchantCode: z.string() })).optional(),
  rejected: z.array(z.object({ path: z.string(), reason: z.string() })),
});

function assertNoneMissing(
  { merchants = [] }: BackfillEvent,
  { itemCount, items, rejected }: z.infer<typeof answerSchema>,
): void {
  if (merchants.length <= itemCount) return;
  const planned = new Set(items?.map(({ merchantCode }) => merchantCode));
  const index = items === undefined ? -1 : merchants.findIndex((code) => !planned.has(code));
  const reason = rejected.find(({ path }) => path === `merchants[${index}]`)?.reason;
  const which = merchants[index] ?? `${merchants.length - itemCount} of those named`;
  throw new CommandError(`merchant ${which} cannot be reported: ${shown(reason ?? 'plan leaves it out')}`);
}

/** `codes`: `undefined` when there are very many. @throws {CommandError} when there is nothing to do */
async function askPlan(stage: Stage, event: BackfillEvent, output: Output) {
  const answer = answerSchema.parse(await invokeFunction(stage, 'plan', { ...event, dryRun: true }));
  assertNoneMissing(event, answer);
  const [first, ...others] = answer.rejected;
  if (first !== undefined) {
    const more = others.length === 0 ? '' : `, and ${others.length} more`;
    output.warn(`a part of the registry cannot be used: ${shown(`${first.path}: ${first.reason}`)}${more}`);
  }
  if (answer.itemCount === 0) throw new CommandError('there is no merchant to report');
  return { merchants: answer.itemCount, codes: answer.items?.map(({ merchantCode }) => merchantCode) };
}

interface BackfillResult {
  stage: string;
  scheduledTime: string;
  merchants: number;
  succeeded: number;
  failed: readonly (FailedDay & { merchantCode: string })[];
}

const MOST_LISTED = 200;

function showEnd({ output, lines }: CommandContext, result: BackfillResult): void {
  const { failed, merchants, succeeded } = result;
  const done = `${succeeded} of ${merchants} merchants are done`;
  output.line(
    failed.length === 0 ? `${done}: every day is sealed.` : `${done}, ${merchants - succeeded} failed:`,
  );
  output.table(
    ['Merchant', 'Day', 'Error'],
    failed
      .slice(0, MOST_LISTED)
      .map(({ merchantCode, day, error }) => [merchantCode, day, error ?? 'not known']),
  );
  if (failed.length > MOST_LISTED)
    output.line(`and ${failed.length - MOST_LISTED} more days; --json lists all of them`);
  const [first] = failed;
  if (first === undefined) return;
  if (failed.some(({ error }) => error === null))
    output.note(
      'Where no error is known, the run died, or its reason has no room for more days: the log of daily-report says more.',
    );
  output.note(
    `"${lines.daybook('why', first.merchantCode, first.day)}" says more. When the cause is mended, "${lines.daybook('redrive', 'backfills')}" does the rest.`,
  );
}

export async function backfill(
  context: CommandContext,
  { from, to, merchant = [], send, watch }: BackfillOptions,
): Promise<ExitStatus> {
  if (from === undefined || to === undefined)
    throw new UsageError('give the first and the last day with --from and --to');
  for (const [option, day] of Object.entries({ '--from': from, '--to': to }))
    if (!isDay(day)) throw new UsageError(`${option} is not a date (YYYY-MM-DD): ${shown(day)}`);
  if (to < from) throw new UsageError('--to is before --from');
  if (watch !== undefined && !z.iso.datetime().safeParse(watch).success)
    throw new UsageError(`--watch is not a time such as 2026-11-27T02:13:21Z: ${shown(watch)}`);
  const { output } = context;
  const stage = await context.stage();
  const event: BackfillEvent = {
    kind: 'daily',
    scheduledTime: watch ?? new Date(context.now()).toISOString().replace(/\.\d+/, ''),
    from,
    to,
    ...(merchant.length > 0 && { merchants: [...new Set(merchant)] }),
    ...(send === true && { send }),
  };
  const { scheduledTime } = event;
  const { merchants, codes } = await askPlan(stage, event, output);
  if (watch === undefined) await announce(context, event, merchants, codes);
  // From here on Ctrl-C must not lose what has just started.
  const signal = context.untilInterrupted();
  if (watch === undefined) {
    const { sent } = answerSchema.parse(await invokeFunction(stage, 'plan', event));
    if (!sent) throw new CommandError('plan has no queue for backfills: deploy this version');
    output.note(`started: ${scheduledTime}`);
  }
  const queues = new StageQueues(stage);
  const days = fewDays(new DayStore(stage.s3(), stage.bucket), event, codes);
  const again = `The backfill goes on. Follow it with: ${followLine(stage, event)}`;
  const followed = { queues, scheduledTime, merchants, days, isLocal: stage.isLocal };
  const hasEnded = await followBackfill(followed, signal, context).catch((error: unknown) => {
    output.note(again);
    throw error;
  });
  if (!hasEnded) throw new InterruptedError(again);
  const untouched = (await days?.untouched()) ?? [];
  const failed = failedOf(await queues.deadLetters('backfills'), scheduledTime, untouched);
  const succeeded = merchants - new Set(failed.map(({ merchantCode }) => merchantCode)).size;
  const result: BackfillResult = { stage: stage.name, scheduledTime, merchants, succeeded, failed };
  output.result(result, () => showEnd(context, result));
  return failed.length === 0 ? 0 : 1;
}

function followLine({ lines }: Stage, { scheduledTime, from, to, merchants }: BackfillEvent): string {
  const only = merchants === undefined ? [] : ['--merchant', merchants.join()];
  return lines.daybook('backfill', '--watch', scheduledTime, '--from', from, '--to', to, ...only);
}

const MOST_UNASKED = 500;
const MOST_NAMED = 5;

/** Says how much it is, and asks before it mails the merchants or is large. @throws {InterruptedError} after a no */
async function announce(
  { output, questions }: CommandContext,
  event: BackfillEvent,
  merchants: number,
  codes: readonly string[] | undefined,
): Promise<void> {
  const { from, to, send = false } = event;
  const days = daysOf(event).length;
  const whose = counted(merchants, 'merchant');
  const each = `${counted(days, 'day')}${merchants === 1 ? '' : ' each'} (${from} to ${to})`;
  const mail = send ? 'each mailed' : 'without mail';
  output.note(`${whose}, ${each}: ${counted(merchants * days, 'report')}, ${mail}`);
  if (!send && merchants * days <= MOST_UNASKED) return;
  // The reports are mailed to every recipient of these merchants.
  const whom = codes === undefined ? whose : firstNamed(codes, MOST_NAMED);
  const question = send ? `Mail them to the recipients of ${whom}?` : 'Start it?';
  if (!(await questions.confirm(question))) throw new InterruptedError('nothing was started');
}

/** What failed, by merchant and day: what the dead letters name, and of few merchants what no pull is known of. */
function failedOf(
  letters: readonly DeadLetter[],
  scheduledTime: string,
  untouched: readonly { merchantCode: string; day: string }[],
): BackfillResult['failed'] {
  const started = Date.parse(scheduledTime);
  const named = letters.flatMap(({ message, failed }) => {
    if (message?.merchantCode === undefined || Date.parse(message.scheduledTime ?? '') !== started) return [];
    const { merchantCode } = message;
    return failed.map((one) => ({ merchantCode, ...one }));
  });
  const sortKey = ({ merchantCode, day }: { merchantCode: string; day: string }) => `${merchantCode} ${day}`;
  // A named error comes before one that is not known.
  const all = [...untouched.map((one) => ({ ...one, error: null })), ...named];
  const byDay = new Map(all.map((one) => [sortKey(one), one]));
  return [...byDay.values()].sort((one, other) => (sortKey(one) < sortKey(other) ? -1 : 1));
}
