import * as z from 'zod';
import { isDay } from '#records/day/business-day.ts';
import { daysOf } from '#records/period/period.ts';
import { MERCHANT_CODE } from '#records/storage/keys.ts';
import { invokeFunction } from '../stage/invoke-function.ts';
import type { Stage } from '../stage/stage.ts';
import { CommandError, UsageError, InterruptedError } from '../terminal/command-errors.ts';
import type { Output } from '../terminal/output.ts';
import { shown, counted, firstNamed } from '../terminal/shown-text.ts';
import { SnapshotStore } from '#page/snapshot-store.ts';
import type { CommandContext, ExitStatus } from '../context.ts';
import { StageQueues } from '../stage/stage-queues.ts';
import type { DeadLetter, FailedDay } from '../stage/stage-queues.ts';
import { FewDays, followBackfill } from './follow-backfill.ts';
import type { BackfillEvent, BackfillSize } from './follow-backfill.ts';

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
type PlanAnswer = z.infer<typeof answerSchema>;

function askedBackfill(options: BackfillOptions): Omit<BackfillEvent, 'scheduledTime'> {
  const { from, to, merchant = [], send, watch } = options;
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

/** Asks `plan` what the event would do. @throws {CommandError} when there is nothing to do */
async function sizeOfBackfill(stage: Stage, event: BackfillEvent, output: Output): Promise<BackfillSize> {
  const answer = answerSchema.parse(await invokeFunction(stage, 'plan', { ...event, dryRun: true }));
  assertNoneMissing(event, answer);
  const [first] = answer.rejected;
  if (first !== undefined) {
    const others = answer.rejected.length - 1;
    const more = others === 0 ? '' : `, and ${others} more`;
    output.warn(`a part of the registry cannot be used: ${shown(`${first.path}: ${first.reason}`)}${more}`);
  }
  if (answer.itemCount === 0) throw new CommandError('there is no merchant to report');
  return {
    merchants: answer.itemCount,
    days: daysOf(event).length,
    codes: answer.items?.map(({ merchantCode }) => merchantCode),
  };
}

async function sendBackfill(stage: Stage, event: BackfillEvent): Promise<void> {
  const { sent } = answerSchema.parse(await invokeFunction(stage, 'plan', event));
  if (!sent) throw new CommandError('plan has no queue for backfills: deploy this version');
}

/** Such as `3 merchants, 2 days each (2026-11-01 to 2026-11-02): 6 reports, without mail`. */
function sizeInWords({ merchants, days }: BackfillSize, { from, to, send }: BackfillEvent): string {
  const each = merchants === 1 ? '' : ' each';
  const mail = send === true ? 'each mailed' : 'without mail';
  return `${counted(merchants, 'merchant')}, ${counted(days, 'day')}${each} (${from} to ${to}): ${counted(merchants * days, 'report')}, ${mail}`;
}

interface BackfillResult {
  stage: string;
  scheduledTime: string;
  merchants: number;
  succeeded: number;
  failed: readonly (FailedDay & { merchantCode: string })[];
}

const MOST_LISTED = 200;
const MOST_UNASKED = 500;

function showEnd({ output, lines }: Pick<CommandContext, 'lines' | 'output'>, result: BackfillResult): void {
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

/** Does `daybook backfill`. */
export async function backfill(context: CommandContext, options: BackfillOptions): Promise<ExitStatus> {
  const asked = askedBackfill(options);
  const stage = await context.stage();
  const { output } = context;
  const now = new Date(context.now()).toISOString().replace(/\.\d+/, '');
  const event = { ...asked, scheduledTime: options.watch ?? now };
  const size = await sizeOfBackfill(stage, event, output);
  if (options.watch === undefined) await announce(context, size, event);
  // From here on Ctrl-C must not lose what has just started.
  const signal = context.untilInterrupted();
  if (options.watch === undefined) {
    await sendBackfill(stage, event);
    output.note(`started: ${event.scheduledTime}`);
  }
  const queues = new StageQueues(stage);
  const days = FewDays.of(new SnapshotStore(stage.s3(), stage.bucket), event, size);
  const again = `The backfill goes on. Follow it with: ${followLine(stage, event)}`;
  const { isLocal } = stage;
  const hasEnded = await followBackfill({ queues, event, size, days, isLocal }, signal, context).catch(
    (error: unknown) => {
      output.note(again);
      throw error;
    },
  );
  if (!hasEnded) throw new InterruptedError(again);
  const failed = await failedOf(await queues.deadLetters('backfills'), event, days);
  const failing = new Set(failed.map(({ merchantCode }) => merchantCode)).size;
  const result: BackfillResult = {
    stage: stage.name,
    scheduledTime: event.scheduledTime,
    merchants: size.merchants,
    succeeded: size.merchants - failing,
    failed,
  };
  output.result(result, () => showEnd(context, result));
  return failed.length === 0 ? 0 : 1;
}

function followLine({ lines }: Stage, { scheduledTime, from, to, merchants }: BackfillEvent): string {
  const only = merchants === undefined ? [] : ['--merchant', merchants.join()];
  return lines.daybook('backfill', '--watch', scheduledTime, '--from', from, '--to', to, ...only);
}

async function announce(
  { output, questions }: CommandContext,
  size: BackfillSize,
  event: BackfillEvent,
): Promise<void> {
  output.note(sizeInWords(size, event));
  // The reports are mailed to every recipient of these merchants.
  const asks = event.send === true || size.merchants * size.days > MOST_UNASKED;
  const question = event.send === true ? `Mail them to ${whoInWords(size)}?` : 'Start it?';
  if (asks && !(await questions.confirm(question))) throw new InterruptedError('nothing was started');
}

function whoInWords({ merchants, codes }: BackfillSize): string {
  return `the recipients of ${codes === undefined ? counted(merchants, 'merchant') : firstNamed(codes, MOST_NAMED)}`;
}

const MOST_NAMED = 5;

/** What failed, by merchant and day: what the dead letters name, and of few merchants what no pull is known of. */
async function failedOf(
  letters: readonly DeadLetter[],
  { scheduledTime }: BackfillEvent,
  days: FewDays | undefined,
): Promise<BackfillResult['failed']> {
  const started = Date.parse(scheduledTime);
  const named = letters.flatMap(({ message, failed }) => {
    if (message?.merchantCode === undefined || Date.parse(message.scheduledTime ?? '') !== started) return [];
    const { merchantCode } = message;
    return failed.map((one) => ({ merchantCode, ...one }));
  });
  const untouched = ((await days?.untouched()) ?? []).map((one) => ({ ...one, error: null }));
  const sortKey = ({ merchantCode, day }: { merchantCode: string; day: string }) => `${merchantCode} ${day}`;
  // A named error comes before one that is not known.
  const all = new Map([...untouched, ...named].map((one) => [sortKey(one), one]));
  return [...all.values()].sort((one, other) => (sortKey(one) < sortKey(other) ? -1 : 1));
}
