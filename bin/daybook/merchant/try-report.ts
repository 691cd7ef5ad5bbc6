import type { CommandContext } from '../context.ts';
import type { ReportAnswer } from '../report/report-answer.ts';
import type { Stage } from '../stage/stage.ts';
import { beginWork } from '../terminal/progress.ts';
import type { ReportEvent } from '../report/report-event.ts';
import { runReport } from '../report/run-report.ts';

/** What is to be tried with a new merchant. */
export interface TryOptions {
  dryRun?: boolean | undefined;
  preview?: string | undefined;
}

/**
 * Makes yesterday's report of a merchant, without mail (`dryRun`) or as a preview for one address.
 *
 * @throws {CommandError} when the function fails
 */
async function tryReport(stage: Stage, what: string, event: Omit<ReportEvent, 'day'>): Promise<ReportAnswer> {
  const work = beginWork(what);
  try {
    return await runReport(stage, { day: 'yesterday', ...event });
  } finally {
    work.stop();
  }
}

/** Does what the options say, and asks about it where somebody can answer. */
export async function offerTries(
  { questions }: CommandContext,
  stage: Stage,
  merchantCode: string,
  options: TryOptions,
): Promise<{ dryRun: ReportAnswer | null; preview: ReportAnswer | null }> {
  const { canAsk } = questions;
  const isDry =
    options.dryRun ?? (canAsk && (await questions.confirm("Make yesterday's report, without a mail?")));
  const dryRun = isDry
    ? await tryReport(stage, "Making yesterday's report", { merchantCode, dryRun: true })
    : null;
  const to =
    options.preview ??
    (canAsk
      ? await questions.text({
          message: "Mail yesterday's report as a preview to (empty: nobody)",
          option: '--preview',
        })
      : '');
  const preview =
    to === '' ? null : await tryReport(stage, 'Mailing the preview', { merchantCode, to: [to] });
  return { dryRun, preview };
}
