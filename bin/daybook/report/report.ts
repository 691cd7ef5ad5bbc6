import { merchantSettings } from '#domain/registry/merchants.ts';
import { S3RegistrySource } from '#registry/s3-registry-source.ts';
import type { CommandContext } from '../context.ts';
import type { ExitStatus } from '../perform.ts';
import { assertKnownMerchant } from '../stage/unknown-merchant.ts';
import { counted } from '../terminal/counted.ts';
import { beginWork } from '../terminal/progress.ts';
import { shown } from '../terminal/shown-text.ts';
import { reportEvent } from './report-event.ts';
import type { ReportOptions } from './report-event.ts';
import { showReport } from './show-report.ts';
import { runReport } from './run-report.ts';

/** Does `daybook report`. */
export async function report(
  context: CommandContext,
  code: string,
  options: ReportOptions,
): Promise<ExitStatus> {
  const { output, questions } = context;
  const event = reportEvent(code, options);
  const stage = await context.stage();
  const { registry } = await new S3RegistrySource(stage.s3(), stage.bucket, stage.registryKey).load();
  assertKnownMerchant(registry, code, stage.lines);
  const { name, currency, recipients } = merchantSettings(registry, code);
  // The others reach nobody who has the mail.
  if (event.resend === true) {
    const everybody = counted(recipients.length, 'recipient');
    const question = `Send the mail of ${shown(event.day, 40)} again to ${everybody} of ${code}, also to those who have it?`;
    if (!(await questions.confirm(question))) {
      output.note('Nothing was sent.');
      return 1;
    }
  }
  const work = beginWork(`daily-report runs for ${code}`);
  const answer = await runReport(stage, event).finally(() => work.stop());
  output.result(answer, () =>
    showReport(output, { name, currency, answer, isDryRun: options.dryRun === true, lines: stage.lines }),
  );
  return answer.balanced && answer.mail.status !== 'held' ? 0 : 1;
}
