import { merchantSettings } from '#registry/merchants.ts';
import { RegistrySource } from '#registry/registry-source.ts';
import type { CommandContext } from '../context.ts';
import type { ExitStatus } from '../perform.ts';
import { reportAnswerSchema } from '../stage/function-answers.ts';
import { answerOf } from '../stage/invoke-function.ts';
import { assertKnownMerchant } from '../stage/known-names.ts';
import { askedRecipients, assertOnlyOne, mayMail, resendOf } from './asked-mail.ts';
import type { ResendMember, ResendOptions } from './asked-mail.ts';
import { showReport } from './show-report.ts';

/** The options of `daybook report`. */
interface ReportOptions extends ResendOptions {
  day: string;
  dryRun?: true | undefined;
  to?: readonly string[] | undefined;
}

/** The event of `daily-report` that the command sends. */
interface ReportEvent extends ResendMember {
  merchantCode: string;
  day: string;
  dryRun?: true;
  to?: readonly string[];
}

/**
 * The event for the options.
 *
 * @throws {UsageError} when they contradict each other
 */
function reportEvent(merchantCode: string, options: ReportOptions): ReportEvent {
  const { day, dryRun, to } = options;
  assertOnlyOne([dryRun && '--dry-run', to && '--to', options.resend && '--resend']);
  return {
    merchantCode,
    day,
    ...resendOf(options),
    ...(dryRun && { dryRun }),
    ...(to !== undefined && { to }),
  };
}

/** Does `daybook report`. */
export async function report(
  context: CommandContext,
  code: string,
  options: ReportOptions,
): Promise<ExitStatus> {
  const { output } = context;
  const event = reportEvent(code, options);
  const stage = await context.stage();
  const { registry } = await new RegistrySource(stage.s3(), stage.bucket, stage.registryKey).load();
  assertKnownMerchant(registry, code, stage.lines);
  const { name, currency, recipients } = merchantSettings(registry, code);
  const mail = askedRecipients(event, recipients);
  const what = `the ${event.to === undefined ? '' : 'preview of the '}report of ${event.day} of ${code}`;
  if (mail !== undefined && !(await mayMail(context, { what, ...mail }))) return 1;
  const doing = `daily-report runs for ${code}`;
  const answer = await answerOf(stage, 'daily-report', event, { schema: reportAnswerSchema, output, doing });
  output.result(answer, () =>
    showReport(output, { name, currency, answer, isDryRun: options.dryRun === true, lines: stage.lines }),
  );
  return answer.balanced && answer.mail.status !== 'held' ? 0 : 1;
}
