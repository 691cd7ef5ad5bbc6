import { invokeFunction } from '../stage/invoke-function.ts';
import type { Stage } from '../stage/stage.ts';
import { CommandError } from '../terminal/command-errors.ts';
import { statementAnswerSchema } from './statement-answer.ts';
import type { StatementAnswer } from './statement-answer.ts';
import type { StatementEvent } from './statement-event.ts';

/**
 * Runs `statement` and waits for its answer.
 *
 * @throws {CommandError} when the function fails, or another version of it is deployed
 */
export async function runStatement(stage: Stage, event: StatementEvent): Promise<StatementAnswer> {
  const answer = statementAnswerSchema.safeParse(await invokeFunction(stage, 'statement', event));
  if (answer.success) return answer.data;
  throw new CommandError(
    'the answer of statement has another form than this version knows: deploy this version, or use that of the stage',
  );
}
