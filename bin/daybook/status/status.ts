import { createS3Client } from '#aws/aws-clients.ts';
import { dueDays } from '#functions/delivery-watch/expected-reports.ts';
import { expectedReports, lookAtReports } from '#functions/delivery-watch/look-at-reports.ts';
import { S3SealedDays } from '#functions/delivery-watch/s3-sealed-days.ts';
import { S3LedgerStore } from '#mailing/s3-ledger-store.ts';
import { S3RegistrySource } from '#registry/s3-registry-source.ts';
import { S3SnapshotStore } from '#snapshots/s3-snapshot-store.ts';
import type { CommandContext } from '../context.ts';
import type { ExitStatus } from '../perform.ts';
import { deliveryMinutesOfStage } from '../stage/stage-names.ts';
import { beginWork } from '../terminal/progress.ts';
import { shown } from '../terminal/shown-text.ts';
import { askedDay } from './asked-day.ts';
import { countReasons, countStatuses, merchantStatus, needsLook } from './merchant-status.ts';
import { showStatus } from './show-status.ts';

/**
 * How many requests are under way at a time. At 15 ms a request these are more than one core can sign and parse, so
 * more would not be faster.
 */
const REQUESTS_AT_ONCE = 64;
/** The deadline of a stage without settings, as the functions have it. */
const DEADLINE_MINUTES = 60;
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
  const s3 = createS3Client(REQUESTS_AT_ONCE);
  const sealedDays = new S3SealedDays(s3, stage.bucket);
  const stores = {
    sealedDays,
    snapshots: new S3SnapshotStore(s3, stage.bucket),
    ledgers: new S3LedgerStore(s3, stage.bucket),
  };
  const { registry, alarm } = await new S3RegistrySource(s3, stage.bucket, stage.registryKey).load();
  if (alarm !== null) output.note(output.noteStyle('yellow', shown(alarm, 1_000)));
  const deadline = deliveryMinutesOfStage(stage.name) ?? DEADLINE_MINUTES;
  const reports = await expectedReports(sealedDays, registry, dueDays(day, now - deadline * MINUTE));
  const work = beginWork('Reading the records', reports.length);
  let read = 0;
  let merchants;
  try {
    const onUnreadable = (error: Error) => output.note(output.noteStyle('yellow', shown(error.message)));
    const looking = { now, atOnce: REQUESTS_AT_ONCE, onUnreadable };
    merchants = await lookAtReports(stores, reports, looking, (looked) => {
      work.done((read += 1));
      return merchantStatus(looked);
    });
  } finally {
    work.stop();
  }
  const result = {
    stage: stage.name,
    days: [...new Set(merchants.map(({ day: of }) => of))].sort(),
    counts: countStatuses(merchants),
    reasons: countReasons(merchants.filter(needsLook)),
    merchants,
  };
  output.result(result, () => showStatus(output, result, options.all === true));
  return merchants.some(needsLook) ? 1 : 0;
}
