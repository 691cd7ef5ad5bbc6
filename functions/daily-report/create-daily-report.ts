import type { Context } from 'aws-lambda';
import { dayAt, resolveDay } from '#domain/day/business-day.ts';
import { DaybookError } from '#domain/errors/daybook-error.ts';
import type { Counts, Difference, RefundFigures } from '#domain/figures/figures.ts';
import { manifestKey } from '#domain/storage/keys.ts';
import type { Manifest } from '#domain/revision/manifest.ts';
import { merchantSettings } from '#domain/registry/merchants.ts';
import type { MerchantSettings } from '#domain/registry/registry-schema.ts';
import type { Registry } from '#domain/registry/registry.ts';
import type { MailAnswer } from '#mailing/once/mail-once.ts';
import type { PaymentsClient } from '#payments/client.ts';
import type { CheckRecord } from '#domain/revision/check-record.ts';
import type { LocalDate } from '#snapshots/history-store.ts';
import { remainingTime } from '#runtime/remaining-time.ts';
import { withMerchantClient } from '#dependencies/merchant-client.ts';
import { listedDifferences, listedMail } from './answer-size.ts';
import { readDailyReportEvent } from './daily-report-event.ts';
import type { DailyReportEvent } from './daily-report-event.ts';
import type { Dependencies } from './dependencies.ts';
import { mailAsAsked } from './mail/mail-as-asked.ts';
import { assertPreviewAllowed } from './mail/preview-addresses.ts';
import type { SealedDay, SealRequest } from './seal/seal-day.ts';
import { suggestIgnore } from './seal/suggest-ignore.ts';

/** A revision was to be sent again, and the day has none. */
export class NothingSealedError extends DaybookError {
  override readonly name = 'NothingSealedError';
}

/** What `daily-report` answers (docs/interfaces.md, 4.2 daily-report). */
export interface DailyReportAnswer {
  merchantCode: string;
  day: string;
  /** `null` for a dry run. */
  revision: number | null;
  unchanged: boolean;
  balanced: boolean;
  /** The first hundred; the manifest has them all. */
  differences: Difference[];
  counts: Counts;
  refunds: RefundFigures;
  manifestKey: string | null;
  mail: MailAnswer;
}

export type DailyReport = (event: unknown, context?: Context) => Promise<DailyReportAnswer>;

/** What is left for sealing and mailing when the pull must have ended. Milliseconds. */
const AFTER_PULL = 30_000;
/** What is left for the answer when the last mail must have gone. Milliseconds. */
const AFTER_MAIL = 5_000;

/** One invocation: what was asked, for whom, and until when. */
interface Run {
  event: DailyReportEvent;
  registry: Registry;
  settings: MerchantSettings;
  day: string;
  /** When the function ends, milliseconds UTC. */
  end: number;
}

/** The function over its dependencies: gather, seal, mail, each step asking first what is already there. */
export function createDailyReport(dependencies: Dependencies): DailyReport {
  const { telemetry } = dependencies;
  return (input, context) =>
    telemetry.during(context, async () => {
      const run = await prepare(dependencies, input, context);
      telemetry.about({ merchantCode: run.settings.merchantCode, day: run.day });
      const answer = await report(dependencies, run);
      const { refunds: _refunds, mail, ...told } = answer;
      telemetry.logger.info('reported', { ...told, mail: mail.status });
      return answer;
    });
}

async function prepare(
  dependencies: Dependencies,
  input: unknown,
  context: Context | undefined,
): Promise<Run> {
  const { clock, environment } = dependencies;
  const event = readDailyReportEvent(input);
  const end = clock.now() + remainingTime(context);
  const { registry } = await dependencies.registry.load();
  const settings = merchantSettings(registry, event.merchantCode);
  if (event.to !== undefined) {
    await assertPreviewAllowed(event.to, {
      recipients: settings.recipients,
      opsRecipients: environment.OPS_RECIPIENTS,
      mailFrom: environment.MAIL_FROM,
    });
  }
  return { event, registry, settings, day: resolveDay(event.day, clock.now(), settings.timeZone), end };
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

/** Two ways to write one moment, such as with and without milliseconds, are one tick. */
function isSameTime(a: string | null, b: string): boolean {
  return a !== null && Date.parse(a) === Date.parse(b);
}

/** The revision to mail: the newest one where this run's work on it is done already, else what a pull seals. */
async function sealedRevision(
  dependencies: Dependencies,
  run: Run,
): Promise<Pick<SealedDay, 'manifest' | 'unchanged'>> {
  const { event, settings, day } = run;
  const newest = await dependencies.snapshots.newest(settings.merchantCode, day);
  if (event.resend) {
    if (newest !== undefined) return { manifest: newest, unchanged: true };
    throw new NothingSealedError(
      `merchant ${settings.merchantCode}, day ${day}: no revision is sealed, nothing to send again`,
    );
  }
  const scheduled = event.scheduledTime ?? null;
  if (newest !== undefined && scheduled !== null && isSameTime(newest.scheduledTime, scheduled)) {
    await recordSealed(dependencies, run, newest);
    await recordHistory(dependencies, run, newest);
    return { manifest: newest, unchanged: false };
  }
  return checked(dependencies, run, async (request, client) => {
    // What reads and seals a day is loaded where one is pulled: a run that only goes on with the mail does not.
    const { sealDay } = await import('./seal/seal-day.ts');
    return sealDay(client, dependencies.snapshots, dependencies.clock, request);
  });
}

async function dryRun(dependencies: Dependencies, run: Run): Promise<DailyReportAnswer> {
  const { settings } = run;
  const sealed = await withClient(dependencies, run, async (request, client) => {
    const { previewDay } = await import('./seal/seal-day.ts');
    return previewDay(client, dependencies.snapshots, dependencies.clock, request);
  });
  // Highlights and attachments are made of sealed files, and a dry run has none.
  const mail = { manifest: sealed.manifest, before: null, preview: true };
  const { composeReport } = await import('./mail/compose-report.ts');
  await composeReport(settings, dependencies.letterhead, null, mail);
  return answerOf(sealed, {
    revision: null,
    manifestKey: null,
    mail: { status: 'skipped', reason: 'dry run', messageIds: [] },
  });
}

function todayOf({ clock }: Dependencies, { settings: { timeZone } }: Run): LocalDate {
  return { today: dayAt(clock.now(), timeZone), timeZone };
}

/** Pulls with a client of this merchant's own, which ends with the pull. */
async function withClient<T>(
  dependencies: Dependencies,
  run: Run,
  use: (request: SealRequest, client: PaymentsClient) => Promise<T>,
): Promise<T> {
  const { telemetry } = dependencies;
  const { event, registry, settings, day, end } = run;
  const { merchantCode } = settings;
  const watched = settings.refunds.source === 'list' ? [] : await dependencies.watchedRefundIds(merchantCode);
  const request: SealRequest = {
    settings,
    day,
    scheduledTime: event.scheduledTime ?? null,
    history: () => dependencies.history.read(merchantCode, day, todayOf(dependencies, run)),
    refundIds: [...event.refundIds, ...watched],
    onPull: (pull, attempt) => {
      telemetry.count('InvoicesPulled', pull.rows.invoices);
      telemetry.count('RefundsPulled', pull.rows.refunds);
      telemetry.logger.info('pulled', {
        merchantCode,
        day,
        pull: pull.id,
        attempt,
        rows: pull.rows,
        unsettled: pull.unsettled,
      });
    },
  };
  const { service } = registry;
  return withMerchantClient(dependencies, { service, settings, deadline: end - AFTER_PULL }, (client) =>
    use(request, client),
  );
}

/** Pulls and seals, and leaves word of how it went under `checked/`. */
async function checked(
  dependencies: Dependencies,
  run: Run,
  seal: (request: SealRequest, client: PaymentsClient) => Promise<SealedDay>,
): Promise<SealedDay> {
  const { telemetry } = dependencies;
  let sealed: SealedDay;
  try {
    sealed = await withClient(dependencies, run, seal);
  } catch (error) {
    telemetry.count('PullsFailed', 1);
    const { snapshots } = dependencies;
    await recordCheck(dependencies, run, async () => {
      const last = await snapshots.lastCheck(run.settings.merchantCode, run.day);
      const name = error instanceof DaybookError ? error.name : 'UnexpectedError';
      const { revision, asOf } = last ?? { revision: null, asOf: null };
      return { pull: null, outcome: 'failed', revision, error: name, asOf };
    });
    throw error;
  }
  const { manifest, unchanged, pull } = sealed;
  telemetry.count(unchanged ? 'DaysUnchanged' : 'RevisionsSealed', 1);
  if (!manifest.balanced) telemetry.count('DaysUnbalanced', 1);
  const outcome = unchanged ? 'unchanged' : 'sealed';
  await recordCheck(dependencies, run, () =>
    Promise.resolve({
      pull: pull.id,
      outcome,
      revision: manifest.revision,
      error: null,
      asOf: pull.soFarUntil ?? pull.pulledAt,
    }),
  );
  await recordHistory(dependencies, run, manifest);
  return sealed;
}

/** Writes the record of the pull that a revision was sealed from, where that run died before it could. */
async function recordSealed(dependencies: Dependencies, run: Run, sealed: Manifest): Promise<void> {
  await recordCheck(dependencies, run, async () => {
    const { pull, pulledAt, revision, soFarUntil } = sealed;
    const last = await dependencies.snapshots.lastCheck(run.settings.merchantCode, run.day);
    if ((last?.revision ?? 0) >= revision) return undefined;
    return { pull, outcome: 'sealed', revision, error: null, asOf: soFarUntil ?? pulledAt };
  });
}

/**
 * Remembers the day's figures, also where an earlier run sealed them and died before it could. That it could not be done
 * holds no mail up: the next run on the day does it.
 */
async function recordHistory(dependencies: Dependencies, run: Run, manifest: Manifest): Promise<void> {
  const { history, telemetry } = dependencies;
  try {
    const { merchantCode, day, revision } = manifest;
    if (await history.record(manifest, todayOf(dependencies, run))) return;
    telemetry.logger.warn('history not recorded: others wrote it', { merchantCode, day, revision });
  } catch (failure) {
    telemetry.logError(failure);
  }
}

/** What a record says of the pull. */
type PullResult = Pick<CheckRecord, 'pull' | 'outcome' | 'revision' | 'error' | 'asOf'>;

/** Writes the record of a pull. That it could not be written hides no failure, and holds no mail up. */
async function recordCheck(
  { clock, snapshots, telemetry }: Dependencies,
  { event, settings, day }: Run,
  result: () => Promise<PullResult | undefined>,
): Promise<void> {
  try {
    const told = await result();
    if (told === undefined) return;
    await snapshots.recordCheck({
      merchantCode: settings.merchantCode,
      day,
      checkedAt: new Date(clock.now()).toISOString(),
      scheduledTime: event.scheduledTime ?? null,
      ...told,
    });
  } catch (failure) {
    telemetry.logError(failure);
  }
}

function answerOf(
  { manifest, unchanged }: Pick<SealedDay, 'manifest' | 'unchanged'>,
  rest: Pick<DailyReportAnswer, 'revision' | 'manifestKey' | 'mail'>,
): DailyReportAnswer {
  const { merchantCode, day, balanced, differences, counts, refunds } = manifest;
  const { revision, manifestKey: key, mail } = rest;
  return {
    merchantCode,
    day,
    revision,
    unchanged,
    balanced,
    differences: listedDifferences(differences),
    counts,
    refunds,
    manifestKey: key,
    mail: listedMail(mail),
  };
}
