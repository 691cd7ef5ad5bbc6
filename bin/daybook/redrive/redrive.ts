import { QUEUE_NAMES } from '#lib/functions.ts';
import type { QueueName } from '#lib/functions.ts';
import type { CommandContext, ExitStatus } from '../context.ts';
import { StageQueues, subjectOf } from '../stage/stage-queues.ts';
import type { DeadLetter } from '../stage/stage-queues.ts';
import { InterruptedError } from '../terminal/command-errors.ts';
import type { Output } from '../terminal/output.ts';
import { counted, utcMinute } from '../terminal/shown-text.ts';

const MOST_LISTED = 200;
const LONGEST = 160;
const DIED = 'every run died: see the log of its function';

function showLetters(output: Output, letters: readonly DeadLetter[]): void {
  output.table(
    ['Queue', 'Whose', 'What', 'Since (UTC)', 'Reason'],
    letters.slice(0, MOST_LISTED).map((letter) => {
      const { whose, what } = subjectOf(letter.message);
      const reason = { text: letter.reason ?? DIED, limit: LONGEST };
      return [letter.queue, whose, what, utcMinute(letter.since), reason];
    }),
  );
  if (letters.length > MOST_LISTED) output.line(`and ${letters.length - MOST_LISTED} more`);
}

/** Does `daybook redrive`: says what was put aside, and moves it back. @param only one queue, or all of them */
export async function redrive(context: CommandContext, only: QueueName | undefined): Promise<ExitStatus> {
  const { output, questions } = context;
  const stage = await context.stage();
  const queues = new StageQueues(stage);
  const names = only === undefined ? QUEUE_NAMES : [only];
  const letters = (await Promise.all(names.map((name) => queues.deadLetters(name)))).flat();
  if (!output.isJson) showLetters(output, letters);
  if (letters.length > 0 && !(await questions.confirm(`Move back ${counted(letters.length, 'message')}?`)))
    throw new InterruptedError('nothing was moved');
  let moved = 0;
  await output.during('Moving messages back', letters.length, async (work) => {
    for (const name of names.filter((one) => letters.some(({ queue }) => queue === one))) {
      const before = moved;
      moved += await queues.moveBack(name, (count) => work.done(before + count));
    }
  });
  const messages = letters.map(({ queue, message, reason, since }) => ({ queue, message, reason, since }));
  output.result({ stage: stage.name, moved, messages }, () => {
    if (letters.length === 0) output.line('No message was put aside.');
    else
      output.line(
        `${counted(moved, 'message')} moved back. "${context.lines.daybook('status')}" shows what becomes of them.`,
      );
  });
  return 0;
}
