import * as z from 'zod';
import { sameDifferences } from '#records/balance/balance.ts';
import { MOST_MISSING_REFUNDS } from '#records/balance/comparisons.ts';
import { dataFile, soFarUntil, figuresOf, manifestSchema } from '#records/revision/manifest.ts';
import { daysBefore, firstReadingOf, firstReadingSchema } from '#records/figures/history.ts';
import type { FirstReading } from '#records/figures/history.ts';
import { invoiceState, type InvoiceStatusNames } from '#records/figures/invoice-state-totals.ts';
import { pagePayments, type EarlierOutcomes } from '#records/figures/outcome-tally.ts';
import { isSameJson } from '#records/json/same-json.ts';
import { sameFigures } from '#page/mail-decision.ts';
import type { MerchantSettings } from '#registry/registry-schema.ts';
import type { Manifest } from '#records/revision/manifest.ts';
import { meaningOf, settingsOfNext, type PageSettings } from '#page/page-settings.ts';
import { merchantDay } from '#records/storage/keys.ts';
import { MOST_ATTEMPTS, numberAfter, sealNext, unlessSpoilt } from '#page/page-store.ts';
import { invoiceSchema } from '#records/rows/contract-records.ts';
import { IdSet } from '#records/rows/id-set.ts';
import type { PaymentsClient } from '#service/client.ts';
import type { Clock } from '#runtime/clock.ts';
import type { KnownHistory } from '#page/history-store.ts';
import { knownMerchantId } from '#page/known-merchant-id.ts';
import { sealedRefundIds, sealedRows } from '#page/sealed-rows.ts';
import type { DayStore } from '#page/day-store.ts';
import type { Telling } from '#page/told-days.ts';
import { readKnownDay, type KnownDay } from '../prepare-run.ts';
import { pullDay, type Pull, type Witness } from '../pull/pull-day.ts';
import { Spool } from '../pull/spool.ts';

export interface SealRequest {
  settings: MerchantSettings;
  day: string;
  scheduledTime: string | null;
  known: KnownDay;
  history: () => Promise<KnownHistory>;
  telling: (
    settings: PageSettings,
    standing: Manifest | undefined,
    history: KnownHistory,
  ) => Promise<Telling>;
  /** Besides those of the newest revision. */
  refundIds: readonly string[];
  absentTypes?: readonly string[] | undefined;
  /** `undefined`: nothing is asked of it. */
  witness?: (settings: PageSettings) => Promise<Witness | undefined>;
  onPull: (pull: Pull, attempt: number) => void;
}

/** `unchanged`: the newest revision already has all that was pulled. */
export interface SealedDay {
  manifest: Manifest;
  unchanged: boolean;
  pull: Pull;
  history?: KnownHistory | undefined;
}

/** What a pull found, with what it and the days before say of payments. */
interface Made {
  pull: Pull;
  /** With the meaning that the day was sealed with. */
  settings: PageSettings;
  payments: ReturnType<typeof pagePayments>;
  history: KnownHistory;
}

/** The same rows, figures and differences. An unfinished day's revision never equals a whole day's pull. */
function hasSameContent(manifest: Manifest, { pull, settings, payments }: Made): boolean {
  if (pull.soFarUntil === null && soFarUntil(manifest, settings.timeZone) !== null) return false;
  // A page of an earlier version says nothing of payments.
  const isOfEarlierVersion = manifest.outcomes === null && manifest.received === null;
  return (
    (isOfEarlierVersion ||
      (isSameJson(manifest.outcomes, payments.outcomes) &&
        isSameJson(manifest.received, payments.received))) &&
    manifest.digest === pull.digest &&
    sameFigures(figuresOf(manifest), pull.figures) &&
    sameDifferences(manifest.differences, pull.differences)
  );
}

/** Its refunds, and those that the service did not know. */
async function knownRefundIds(snapshots: DayStore, { newest, check }: KnownDay): Promise<readonly string[]> {
  const record = check?.record;
  // The record has them if they are few. Then the sealed file need not be read.
  if (newest !== undefined && record?.revision === newest.revision && record.refundIds !== null) {
    return [...newest.missingRefundIds, ...record.refundIds];
  }
  return sealedRefundIds(snapshots, newest);
}

const openRowSchema = z.lazy(() => invoiceSchema.unwrap().pick({ id: true, invoice_status: true }));

/** The invoices unpaid in a revision, to know what was settled since. `undefined` when its rows are unreadable. */
async function earlierOutcomes(
  snapshots: DayStore,
  manifest: Manifest | undefined,
  names: InvoiceStatusNames | undefined,
): Promise<EarlierOutcomes | undefined> {
  if (manifest === undefined || names === undefined) return undefined;
  const open = new IdSet();
  const seen = manifest.outcomes?.seen ?? [];
  const wasOpen: EarlierOutcomes['wasOpen'] = (id) => open.has(id);
  if (manifest.outcomes?.open.length === 0) return { seen, wasOpen };
  return unlessSpoilt(async () => {
    const file = dataFile(manifest, 'invoices', 'json');
    for await (const { id, invoice_status: status } of sealedRows(snapshots, file, openRowSchema)) {
      if (invoiceState(names, status) === 'notPaid') open.add(id);
    }
    return { seen, wasOpen };
  });
}

/** Of an unfinished day there is none. */
function firstReading({ pull, payments, settings }: Made, newest: Manifest | undefined): FirstReading | null {
  if (pull.soFarUntil !== null) return null;
  if (newest === undefined || soFarUntil(newest, settings.timeZone) !== null)
    return firstReadingSchema.parse({ ...pull.figures, ...payments });
  return firstReadingOf(newest);
}

function manifestOf(
  request: SealRequest,
  made: Made,
  newest: Manifest | undefined,
  sealedIds: readonly string[],
  files: Manifest['files'],
  { told, older }: Telling,
): Manifest {
  const { day, scheduledTime } = request;
  const { pull, settings, payments, history } = made;
  const { counts, amounts, refunds, balanced } = pull.figures;
  const onceThere = new Set(sealedIds);
  // Parsed, so that nothing is sealed that could not be read again.
  return manifestSchema.parse({
    merchantCode: settings.merchantCode,
    day,
    merchantId: pull.merchantId,
    ...numberAfter(merchantDay(settings.merchantCode, day), newest),
    pull: pull.id,
    pulledAt: pull.pulledAt,
    soFarUntil: pull.soFarUntil,
    scheduledTime,
    balanced,
    differences: pull.differences,
    notCompared: pull.notCompared,
    counts,
    amounts,
    refunds,
    breakdown: pull.breakdown,
    ...payments,
    told,
    older,
    first: firstReading(made, newest),
    // Only refunds that the day once had. Otherwise a mistyped id would stay for ever.
    missingRefundIds: pull.missingRefundIds.filter((id) => onceThere.has(id)).slice(0, MOST_MISSING_REFUNDS),
    digest: pull.digest,
    drift: pull.drift,
    history: daysBefore(history.days, day, history.yearBefore),
    files,
    ...meaningOf(settings),
    merchantName: settings.name,
  });
}

/**
 * Seals the day as the next revision, or finds it unchanged. A pull during which the service changed counts
 * only as the last of three, with what does not agree marked. What is stored is read before each.
 * @param store `false` for a dry run
 * @throws {SealContestedError} when another run took the number during the last pull
 */
export async function sealDay(
  client: PaymentsClient,
  snapshots: DayStore,
  clock: Clock,
  request: SealRequest,
  store = true,
): Promise<SealedDay> {
  const { settings: registered, day } = request;
  const id = merchantDay(registered.merchantCode, day);
  let reading: Promise<KnownHistory> | undefined;
  const readHistory = () => (reading ??= request.history());
  let known = request.known;
  let made: Made | undefined;

  async function newest(attempt: number): Promise<Manifest | undefined> {
    if (attempt > 1) {
      known = await readKnownDay(snapshots, registered.merchantCode, day);
      reading = undefined;
    }
    return known.newest;
  }

  async function make(standing: Manifest | undefined, attempt: number): Promise<Manifest | undefined> {
    client.identity.expect(await knownMerchantId(snapshots, registered, day, standing, readHistory));
    const sealedIds = await knownRefundIds(snapshots, known);
    const settings = settingsOfNext(standing, registered);
    const last = attempt === MOST_ATTEMPTS;
    const spool = new Spool();
    try {
      const knownRefundIds = [...request.refundIds, ...sealedIds];
      const earlier = await earlierOutcomes(snapshots, standing, settings.invoiceStatuses);
      const { absentTypes } = request;
      const witness = await request.witness?.(settings);
      const asked = { settings, day, knownRefundIds, earlier, absentTypes, last, witness };
      const pulled = await pullDay(client, spool, clock, asked);
      request.onPull(pulled, attempt);
      if (pulled.unsettled && !last) return undefined;
      const history = await readHistory();
      const others = history.days.map((known) => ({ ...known, outcomes: known.followed?.outcomes }));
      const payments = pagePayments({
        day,
        currency: settings.currency,
        outcomes: pulled.outcomes,
        followed: pulled.followed,
        others,
      });
      const pull = witness?.heard(pulled, payments.received, others) ?? pulled;
      made = { pull, settings, history, payments };
      if (standing !== undefined && hasSameContent(standing, made)) return standing;
      // The report of a whole day tells of older ones.
      const nothing: Telling = { told: [], older: null };
      const [files, telling] = await Promise.all([
        stored(pull),
        pull.soFarUntil === null ? request.telling(settings, standing, history) : nothing,
      ]);
      made = { ...made, history: { ...history, accounted: telling.accounted ?? null } };
      return manifestOf(request, made, standing, sealedIds, files, telling);
    } finally {
      await spool.discard();
    }
  }

  async function stored({ id: pull, files }: Pull): Promise<Manifest['files']> {
    if (!store) return files.map(({ packed: _packed, ...file }) => ({ ...file, key: '' }));
    const [named] = await Promise.all([
      snapshots.upload(registered.merchantCode, day, pull, files),
      snapshots.announce(id, clock.now()),
    ]);
    return named;
  }

  const { page, unchanged } = await sealNext({
    id,
    pages: snapshots,
    store,
    clock,
    newest,
    make,
    isSame: (standing) => made !== undefined && hasSameContent(standing, made),
  });
  if (made === undefined) throw new Error('a page is sealed that no pull has made');
  return { manifest: page, unchanged, pull: made.pull, history: made.history };
}
