import { createS3Client } from '#aws/aws-clients.ts';
import { isDay } from '#domain/day/business-day.ts';
import { dueDays, expectedReports } from '#functions/delivery-watch/expected-reports.ts';
import { listRevisions } from '#functions/delivery-watch/look-at-pages.ts';
import { SealedPages } from '#page/page-store.ts';
import { RegistrySource } from '#registry/registry-source.ts';
import type { CommandContext } from '../context.ts';
import type { ExitStatus } from '../perform.ts';
import { deliveryMinutesOfStage } from '../stage/stage-names.ts';
import { beginWork } from '../terminal/progress.ts';
import { shown } from '../terminal/shown-text.ts';
import { askedDay } from './asked-day.ts';
import { countReasons, countStatuses, needsLook } from './merchant-status.ts';
import { readMerchants } from './read-merchants.ts';
import { showStatus } from './show-status.ts';
import { readStatements } from './statements/read-statements.ts';
import { showStatements } from './statements/show-statements.ts';
import { statementNeedsLook } from './statements/statement-status.ts';

/** How many requests are under way at a time. At 15 ms a request these are 4,000 a second. */
const REQUESTS_AT_ONCE = 64;
const MINUTE = 60_000;

/** Does `daybook status`. */
export async function status(
  context: CommandContext,
  options: { day: string; all?: true | undefined },
): Promise<ExitStatus> {
  const { output } = context;
  const stage = await context.stage();
  const now = context.now();
  const day = askedDay(options.day, now);
  const warn = (text: string) => output.note(output.noteStyle('yellow', shown(text, 1_000)));
  const s3 = createS3Client(REQUESTS_AT_ONCE);
  const sealedPages = new SealedPages(s3, stage.bucket);
  const { registry, alarm } = await new RegistrySource(s3, stage.bucket, stage.registryKey).load();
  if (alarm !== null) warn(alarm);
  const deadline = deliveryMinutesOfStage(stage.name);
  const reports = await expectedReports(sealedPages, registry, dueDays(day, now - deadline * MINUTE));
  const revisions = await listRevisions(sealedPages, reports);
  const work = beginWork('Reading the records', reports.length);
  let read = 0;
  const share = { bucket: stage.bucket, reports, revisions, now, atOnce: REQUESTS_AT_ONCE };
  const merchants = await readMerchants(share, {
    onRead: () => work.done((read += 1)),
    onUnreadable: warn,
  }).finally(() => work.stop());
  // A date asks for the reports of that day only. The newest statements are those of now.
  const statements = isDay(options.day)
    ? []
    : await readStatements(registry, {
        s3,
        bucket: stage.bucket,
        now,
        margin: deadline * MINUTE,
        atOnce: REQUESTS_AT_ONCE,
        onUnreadable: warn,
      });
  const result = {
    stage: stage.name,
    days: [...new Set(merchants.map(({ day: of }) => of))].sort(),
    counts: countStatuses(merchants),
    reasons: countReasons(merchants.filter(needsLook)),
    merchants,
    statements,
  };
  const isAll = options.all === true;
  output.result(result, () => {
    showStatus(context, result, isAll);
    showStatements(context, statements, isAll);
  });
  return merchants.some(needsLook) || statements.some(statementNeedsLook) ? 1 : 0;
}
