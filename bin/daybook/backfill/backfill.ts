import { SnapshotStore } from '#page/snapshot-store.ts';
import type { CommandContext } from '../context.ts';
import type { ExitStatus } from '../perform.ts';
import type { Stage } from '../stage/stage.ts';
import { StageQueues } from '../stage/stage-queues.ts';
import type { DeadLetter, FailedDay } from '../stage/stage-queues.ts';
import { InterruptedError } from '../terminal/command-errors.ts';
import { FewDays, followBackfill } from './follow-backfill.ts';
import { askedBackfill, sendBackfill, sizeInWords, sizeOfBackfill } from './planned-backfill.ts';
import type { BackfillEvent, BackfillOptions, BackfillSize } from './planned-backfill.ts';

interface BackfillResult {
  stage: string;
  /** ISO 8601 in UTC. It names the backfill. */
  scheduledTime: string;
  merchants: number;
  /** How many merchants have no failure. */
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
  const warn = (text: string) => output.note(output.noteStyle('yellow', text));
  const size = await sizeOfBackfill(stage, event, warn);
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

/** Says how much it will be, and asks where it is much. @throws {InterruptedError} when the person does not want it */
async function announce(
  { output, questions }: CommandContext,
  size: BackfillSize,
  event: BackfillEvent,
): Promise<void> {
  output.note(sizeInWords(size, event));
  // The reports are mailed to every recipient of these merchants.
  const asks = event.send === true || size.merchants * size.days > MOST_UNASKED;
  if (asks && !(await questions.confirm('Start it?'))) throw new InterruptedError('nothing was started');
}

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
