import { NothingSealedError, DaybookError } from '#records/errors/daybook-error.ts';
import type { CheckRecord, PullFailure, StandingCheck } from '#records/revision/check-record.ts';
import type { Manifest } from '#records/revision/manifest.ts';
import type { KnownHistory } from '#page/history-store.ts';
import type { Dependencies } from '../dependencies.ts';
import { todayOf, type Run, type KnownDay } from '../prepare-run.ts';
import type { SealedDay, SealRequest } from './seal-day.ts';
import type { PaymentsClient } from '#service/client.ts';
import { PaymentsError } from '#service/errors.ts';
import { withMerchantClient } from '#service/with-merchant-client.ts';

/** Milliseconds that are kept for sealing and mailing after the pull. */
const AFTER_PULL = 30_000;

/** Pulls with a client of its own for this merchant. The client is closed after the pull. */
export async function withDayClient<T>(
  dependencies: Dependencies,
  run: Run,
  known: KnownDay,
  use: (request: SealRequest, client: PaymentsClient) => Promise<T>,
): Promise<T> {
  const { telemetry } = dependencies;
  const { event, registry, settings, day, end } = run;
  const { merchantCode } = settings;
  const deadline = end - AFTER_PULL;
  const watched = settings.refunds.source === 'list' ? [] : await dependencies.watchedRefundIds(merchantCode);
  const request: SealRequest = {
    settings,
    day,
    scheduledTime: event.scheduledTime ?? null,
    known,
    history: () => dependencies.history.read(merchantCode, day, todayOf(dependencies, run)),
    telling: async (page, standing, history) => {
      // Loaded for a new revision only.
      const { tellingOf } = await import('#page/told-days.ts');
      return tellingOf(dependencies, page, { day, standing, history, now: dependencies.clock.now() });
    },
    refundIds: [...event.refundIds, ...watched],
    absentTypes: run.absentTypes,
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
  if (service.transactionsPath !== undefined) {
    request.witness = async (page) => {
      const { secondWitness } = await import('../pull/second-witness.ts');
      return secondWitness(dependencies, day, { service, settings: page, deadline });
    };
  }
  return withMerchantClient(dependencies, { service, settings, deadline }, (client) => use(request, client));
}

/** UTF-16 units. */
const LONGEST_SENTENCE = 300;

/**
 * What a pull's record says of its failure: the first sentence and the service's status, and how often it was tried.
 * @param before of the pull before, if that failed, too @param now milliseconds UTC
 */
function failureAfter(before: PullFailure | undefined, error: unknown, now: number): PullFailure {
  const [sentence = ''] = error instanceof DaybookError ? error.message.split(/(?<=[.!?])\s/) : [];
  return {
    says: sentence === '' ? null : sentence.slice(0, LONGEST_SENTENCE).toWellFormed(),
    status: error instanceof PaymentsError ? (error.status ?? null) : null,
    tries: (before?.tries ?? 0) + 1,
    since: before?.since ?? new Date(now).toISOString(),
  };
}

type PullResult = Omit<CheckRecord, 'merchantCode' | 'day' | 'checkedAt' | 'scheduledTime'>;

/** Records a failed pull, without hiding the pull's own error. */
async function recordFailure(dependencies: Dependencies, run: Run, error: unknown): Promise<void> {
  const { snapshots, telemetry } = dependencies;
  try {
    const last = await snapshots.standingCheck(run.settings.merchantCode, run.day);
    const { revision, asOf, mail, refundIds, failure: before } = last?.record ?? NOTHING_KNOWN;
    const name = error instanceof DaybookError ? error.name : 'UnexpectedError';
    const failure = failureAfter(before, error, dependencies.clock.now());
    const known = { failure, revision, asOf, mail, refundIds };
    await recordPull(dependencies, run, { pull: null, outcome: 'failed', error: name, ...known }, last);
  } catch (failure) {
    telemetry.logError(failure);
  }
}

const NOTHING_KNOWN = { revision: null, asOf: null, mail: null, refundIds: null, failure: undefined };

/**
 * Stores the day's figures, also those of a dead run. A failure does not delay the mail: the next run stores them.
 * @param known if it was read
 * @returns whether they are stored
 */
export async function recordHistory(
  dependencies: Dependencies,
  run: Run,
  manifest: Manifest,
  known?: KnownHistory,
): Promise<boolean> {
  const { history, telemetry } = dependencies;
  try {
    const { merchantCode, day, revision } = manifest;
    if (await history.record(manifest, todayOf(dependencies, run), known)) return true;
    telemetry.logger.warn('history not recorded: others wrote it', { merchantCode, day, revision });
  } catch (failure) {
    telemetry.logError(failure);
  }
  return false;
}

/** Writes the record. A failure to does not hide another one. @param standing the stored one, if it was read */
export async function recordPull(
  { clock, snapshots, telemetry }: Dependencies,
  { event, settings, day }: Run,
  result: PullResult,
  standing: StandingCheck | undefined,
): Promise<void> {
  try {
    const { merchantCode } = settings;
    const checkedAt = new Date(clock.now()).toISOString();
    const scheduledTime = event.scheduledTime ?? null;
    await snapshots.recordCheck({ merchantCode, day, checkedAt, scheduledTime, ...result }, standing);
  } catch (failure) {
    telemetry.logError(failure);
  }
}

export interface SealedRevision {
  manifest: Manifest;
  unchanged: boolean;
  isNew: boolean;
  /** Pulled and sealed by a run of the same tick. */
  isOfEarlierRun?: boolean;
  /** Besides the mail. `undefined` when nothing is to be recorded. */
  pulled?: Omit<PullResult, 'mail'>;
  check?: StandingCheck | undefined;
  history?: KnownHistory | undefined;
}

/** The newest revision. @throws {NothingSealedError} when the day has none */
export function newestOf({ settings: { merchantCode }, day }: Run, { newest }: KnownDay): SealedRevision {
  if (newest !== undefined) return { manifest: newest, unchanged: true, isNew: false };
  throw new NothingSealedError(
    `merchant ${merchantCode}, day ${day}: no revision is sealed, so there is nothing to send again`,
  );
}

/** The same tick may be written with and without milliseconds. */
function isSameTime(a: string | null, b: string): boolean {
  return a !== null && Date.parse(a) === Date.parse(b);
}

/** What a run of the same tick has pulled: it sealed the day, perhaps without a record, or found it unchanged. */
function pulledBefore(
  { pull, pulledAt, revision, soFarUntil, scheduledTime }: Manifest,
  check: StandingCheck | undefined,
  scheduled: string,
): Omit<PullResult, 'mail'> | undefined {
  const record = check?.record?.revision === revision ? check.record : undefined;
  if (isSameTime(scheduledTime, scheduled)) {
    const { refundIds = null } = record ?? {};
    return { pull, outcome: 'sealed', revision, error: null, asOf: soFarUntil ?? pulledAt, refundIds };
  }
  if (record?.outcome !== 'unchanged' || !isSameTime(record.scheduledTime, scheduled)) return undefined;
  const { outcome, error, asOf, refundIds } = record;
  return { pull: record.pull, outcome, revision, error, asOf, refundIds };
}

/** The revision to mail: the newest one if this run's work is already done, else what a pull seals. */
export async function sealedRevision(
  dependencies: Dependencies,
  run: Run,
  known: KnownDay,
): Promise<SealedRevision> {
  const { newest, check } = known;
  const scheduled = run.event.scheduledTime ?? null;
  if (newest !== undefined && scheduled !== null) {
    const pulled = pulledBefore(newest, check, scheduled);
    const unchanged = pulled?.outcome === 'unchanged';
    if (pulled !== undefined)
      return { manifest: newest, unchanged, isNew: false, isOfEarlierRun: true, pulled, check };
  }
  const { manifest, unchanged, pull, history } = await pulledDay(dependencies, run, known);
  const pulled = {
    pull: pull.id,
    outcome: unchanged ? 'unchanged' : 'sealed',
    revision: manifest.revision,
    error: null,
    asOf: pull.soFarUntil ?? pull.pulledAt,
    refundIds: pull.refundIds,
  } as const;
  return { manifest, unchanged, isNew: !unchanged, pulled, check, history };
}

async function pulledDay(dependencies: Dependencies, run: Run, known: KnownDay): Promise<SealedDay> {
  const { telemetry } = dependencies;
  try {
    const sealed = await withDayClient(dependencies, run, known, async (request, client) => {
      // Loaded only for a pull: a run that continues the mail does not need it.
      const { sealDay } = await import('./seal-day.ts');
      return sealDay(client, dependencies.snapshots, dependencies.clock, request);
    });
    telemetry.count(sealed.unchanged ? 'DaysUnchanged' : 'RevisionsSealed', 1);
    if (!sealed.manifest.balanced) telemetry.count('DaysUnbalanced', 1);
    return sealed;
  } catch (error) {
    telemetry.count('PullsFailed', 1);
    await recordFailure(dependencies, run, error);
    throw error;
  }
}
