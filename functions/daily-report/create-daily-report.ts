import type { Context } from 'aws-lambda';
import { DaybookError } from '#domain/errors/daybook-error.ts';
import { manifestKey } from '#domain/storage/keys.ts';
import { answerOf } from './answer.ts';
import type { DailyReportAnswer } from './answer.ts';
import type { Dependencies } from './dependencies.ts';
import { mailAsAsked } from './mail/mail-as-asked.ts';
import { prepareRun } from './prepare-run.ts';
import type { Run } from './prepare-run.ts';
import { withDayClient } from './pull/with-day-client.ts';
import { recordHistory, recordOutcome, recordSealed } from './seal/record-outcome.ts';
import type { SealedDay } from './seal/seal-day.ts';
import { suggestIgnore } from './seal/suggest-ignore.ts';

/** A revision was to be sent again, but the day has no revision. */
export class NothingSealedError extends DaybookError {
  override readonly name = 'NothingSealedError';
}

/** Handles one event of `daily-report`. Throws the errors of docs/operations.md. */
export type DailyReport = (event: unknown, context?: Context) => Promise<DailyReportAnswer>;

/** Milliseconds that are kept for the answer after the last mail. */
const AFTER_MAIL = 5_000;

/**
 * Builds `daily-report` (docs/interfaces.md, 4.2 daily-report): pull, seal, mail. Each step first looks at
 * what is already done.
 */
export function createDailyReport(dependencies: Dependencies): DailyReport {
  const { telemetry } = dependencies;
  return (input, context) =>
    telemetry.during(context, async () => {
      const run = await prepareRun(dependencies, input, context);
      telemetry.about({ merchantCode: run.settings.merchantCode, day: run.day });
      const answer = await report(dependencies, run);
      const { refunds: _refunds, mail, ...logged } = answer;
      telemetry.logger.info('reported', { ...logged, mail: mail.status });
      return answer;
    });
}

async function report(dependencies: Dependencies, run: Run): Promise<DailyReportAnswer> {
  const { event, settings, day, end } = run;
  if (event.dryRun) return dryRun(dependencies, run);
  const sealed = await sealedRevision(dependencies, run);
  const { manifest } = sealed;
  const mail = await mailAsAsked(dependencies, { event, settings, manifest, deadline: end - AFTER_MAIL });
  const { revision } = manifest;
  if (!event.resend) await suggestIgnore(dependencies, { settings, manifest, end });
  return answerOf(sealed, { revision, manifestKey: manifestKey(day, settings.merchantCode, revision), mail });
}

/** The same tick may be written in two ways, such as with and without milliseconds. */
function isSameTime(a: string | null, b: string): boolean {
  return a !== null && Date.parse(a) === Date.parse(b);
}

/**
 * The revision to mail. If this run's work is already done, that is the newest revision. Otherwise it is what
 * a pull seals.
 */
async function sealedRevision(
  dependencies: Dependencies,
  run: Run,
): Promise<Pick<SealedDay, 'manifest' | 'unchanged'>> {
  const { event, settings, day } = run;
  const newest = await dependencies.snapshots.newest(settings.merchantCode, day);
  if (event.resend) {
    if (newest !== undefined) return { manifest: newest, unchanged: true };
    throw new NothingSealedError(
      `merchant ${settings.merchantCode}, day ${day}: no revision is sealed, so there is nothing to send again`,
    );
  }
  const scheduled = event.scheduledTime ?? null;
  if (newest !== undefined && scheduled !== null && isSameTime(newest.scheduledTime, scheduled)) {
    await recordSealed(dependencies, run, newest);
    await recordHistory(dependencies, run, newest);
    return { manifest: newest, unchanged: false };
  }
  return recordOutcome(dependencies, run, () =>
    withDayClient(dependencies, run, async (request, client) => {
      // The code that pulls and seals is loaded only for a pull: a run that only continues the mail does not
      // need it.
      const { sealDay } = await import('./seal/seal-day.ts');
      return sealDay(client, dependencies.snapshots, dependencies.clock, request);
    }),
  );
}

async function dryRun(dependencies: Dependencies, run: Run): Promise<DailyReportAnswer> {
  const { settings } = run;
  const sealed = await withDayClient(dependencies, run, async (request, client) => {
    const { previewDay } = await import('./seal/seal-day.ts');
    return previewDay(client, dependencies.snapshots, dependencies.clock, request);
  });
  // Highlights and attachments are made from sealed files. A dry run has none.
  const mail = { manifest: sealed.manifest, preview: true };
  const { composeReport } = await import('./mail/composers.ts');
  await composeReport(settings, dependencies.senderProfile, null, mail);
  return answerOf(sealed, {
    revision: null,
    manifestKey: null,
    mail: { status: 'skipped', reason: 'dry run', messageIds: [] },
  });
}
