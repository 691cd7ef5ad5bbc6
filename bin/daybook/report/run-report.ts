import { invokeFunction } from '../stage/invoke-function.ts';
import type { Stage } from '../stage/stage.ts';
import { CommandError } from '../terminal/command-errors.ts';
import { reportAnswerSchema } from './report-answer.ts';
import type { ReportAnswer } from './report-answer.ts';
import type { ReportEvent } from './report-event.ts';

/**
 * Runs `daily-report` and waits for its answer.
 *
 * @throws {CommandError} when the function fails, or another version of it is deployed
 */
export async function runReport(stage: Stage, event: ReportEvent): Promise<ReportAnswer> {
  const answer = reportAnswerSchema.safeParse(await invokeFunction(stage, 'daily-report', event));
  if (answer.success) return answer.data;
  throw new CommandError(
    'the answer of daily-report has another form than this version knows: deploy this version, or use that of the stage',
  );
}
