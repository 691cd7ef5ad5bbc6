import { createS3Client } from '#runtime/aws-clients.ts';
import { isDay } from '#records/day/business-day.ts';
import { isMerchantDay } from '#records/storage/keys.ts';
import type { ExpectedPage } from '#watch/delivery-watch/delivery.ts';
import { dueDays, expectedReports } from '#watch/delivery-watch/expected-pages.ts';
import { SealedPages } from '#page/page-store.ts';
import { RegistrySource } from '#registry/registry-source.ts';
import type { CommandContext } from '../context.ts';
import type { ExitStatus } from '../perform.ts';
import { deliveryMinutesOfStage } from '../stage/stage-names.ts';
import { shown } from '../terminal/shown-text.ts';
import { askedDay } from './asked-day.ts';
import { countReasons, countStatuses, needsLook, reportMembers, statementMembers } from './page-status.ts';
import { newestStatements, readPages } from './read-pages.ts';
import { showStatus } from './show-status.ts';

/** How many requests are under way at a time. One core signs and parses some 1,500 a second. */
const REQUESTS_AT_ONCE = 64;
const MINUTE = 60_000;

/** Does `daybook status`. */
export async function status(
  context: CommandContext,
  options: { day: string; all?: true | undefined },
): Promise<ExitStatus> {
  const { output } = context;
  const stage = await context.stage();
  const { bucket } = stage;
  const now = context.now();
  const day = askedDay(options.day, now);
  const warn = (text: string) => output.note(output.noteStyle('yellow', shown(text, 1_000)));
  const s3 = createS3Client(REQUESTS_AT_ONCE);
  const { registry, alarm } = await new RegistrySource(s3, bucket, stage.registryKey).load();
  if (alarm !== null) warn(alarm);
  const margin = deliveryMinutesOfStage(stage.name) * MINUTE;
  const expected = await expectedReports(new SealedPages(s3, bucket), registry, dueDays(day, now - margin));
  // A date asks for the reports of that day only. The newest statements are those of now.
  const newest = isDay(options.day)
    ? new Map<ExpectedPage, number>()
    : newestStatements(registry, { now, margin });
  const pages = [...expected, ...newest.keys()];
  const work = output.begin('Reading the records', pages.length);
  let read = 0;
  const statuses = await readPages(pages, newest, {
    s3,
    bucket,
    now,
    atOnce: REQUESTS_AT_ONCE,
    onRead: () => work.done((read += 1)),
    onUnreadable: ({ message }) => warn(message),
  }).finally(() => work.stop());
  const reports = statuses.filter(({ page }) => isMerchantDay(page));
  const statements = statuses.filter(({ page }) => !isMerchantDay(page));
  const days = [...new Set(reports.map(({ page }) => page.period))].sort();
  const result = {
    stage: stage.name,
    days,
    counts: countStatuses(reports),
    reasons: countReasons(reports),
    merchants: reports.map(reportMembers),
    statements: statements.map(statementMembers),
  };
  output.result(result, () => showStatus(context, result, { reports, statements }, options.all === true));
  return statuses.some(needsLook) ? 1 : 0;
}
