import { merchantSettings } from '#domain/registry/merchants.ts';
import { S3RegistrySource } from '#registry/s3-registry-source.ts';
import type { CommandContext } from '../context.ts';
import type { ExitStatus } from '../perform.ts';
import { invokeFunction } from '../stage/invoke-function.ts';
import type { Stage } from '../stage/stage.ts';
import { assertKnownMerchant } from '../stage/unknown-merchant.ts';
import { CommandError } from '../terminal/command-errors.ts';
import { beginWork } from '../terminal/progress.ts';
import { reportAnswerSchema } from './report-answer.ts';
import type { ReportAnswer } from './report-answer.ts';
import { reportEvent } from './report-event.ts';
import type { ReportOptions } from './report-event.ts';
import { showReport } from './show-report.ts';

/** Does `daybook report`. */
export async function report(
  context: CommandContext,
  code: string,
  options: ReportOptions,
): Promise<ExitStatus> {
  const { output } = context;
  const event = reportEvent(code, options);
  const stage = await context.stage();
  const { registry } = await new S3RegistrySource(stage.s3(), stage.bucket, stage.registryKey).load();
  assertKnownMerchant(registry, code);
  const { name, currency } = merchantSettings(registry, code);
  const work = beginWork(`daily-report runs for ${code}`);
  const answer = await invoked(stage, event).finally(() => work.stop());
  output.result(answer, () =>
    showReport(output, { name, currency, answer, isDryRun: options.dryRun === true }),
  );
  return answer.balanced && answer.mail.status !== 'held' ? 0 : 1;
}

async function invoked(stage: Stage, event: unknown): Promise<ReportAnswer> {
  const answer = reportAnswerSchema.safeParse(await invokeFunction(stage, 'daily-report', event));
  if (answer.success) return answer.data;
  throw new CommandError(
    'the answer of daily-report has another form than this version knows: deploy this version, or use that of the stage',
  );
}
