import { NOTHING_BEHIND, byAmount, FirstItems, itemOf, type Behind } from '../rules/behind.ts';
import type { UsualByQuarter } from '#records/ledger/alert-state.ts';
import { againstUsual, type AgainstUsual, type Need, type Needs, type Readings } from '../rules/measures.ts';
import { dayAt } from '#records/day/business-day.ts';
import type { Manifest } from '#records/revision/manifest.ts';
import { settingsOfNext } from '#page/page-settings.ts';
import { parseSum, parseAmount } from '#records/money/money.ts';
import type { MerchantSettings } from '#registry/registry-schema.ts';
import { knownMerchantId } from '#page/known-merchant-id.ts';
import { sealedRefundIds } from '#page/sealed-rows.ts';
import type { PaymentsClient } from '#service/client.ts';
import { withMerchantClient } from '#service/with-merchant-client.ts';
import type { Run } from './alert-check-run.ts';
import type { Dependencies } from './dependencies.ts';
import { readAmounts, readCounts, type AmountReadings } from './read-invoices.ts';
import { againstUsualDay, newestWholeDay, readExpiring, readUsualByQuarter } from './read-sealed-days.ts';
import type { AlertItem } from '#records/ledger/alert-line.ts';
import { lastQuarter } from '#records/figures/paid-by-quarter.ts';
import { RefundDayTotals } from '#records/figures/refund-totals.ts';
import { redactedColumns } from '#records/rows/redaction.ts';
import { readDayRefunds } from '#service/refunds/day-refunds.ts';

interface RefundReadings {
  refunds: NonNullable<Readings['refunds']>;
  items: readonly AlertItem[];
}

/** Of a batch, so that five checks side by side have no more requests under way than one report. */
const REQUESTS_OF_CHECK = 3;

interface GatherRequest extends Pick<Run, 'service' | 'settings' | 'day' | 'now' | 'isBatch'> {
  newest: Manifest | undefined;
  /** Whether it is of the whole day. */
  isDaySealed: boolean;
  needs: Needs;
  /** The service's own id of the merchant, if an earlier check of the day looked it up. */
  merchantId: string | undefined;
  /** What is usual of the day, if an earlier check of the day looked it up. */
  usual: UsualByQuarter | undefined;
  /** Milliseconds UTC by which reading must end. */
  deadline: number;
}

interface FromService extends Pick<Readings, 'counts' | 'amounts' | 'refunds'> {
  paidBefore: AmountReadings['paidBefore'];
  /** `null` when it is not known, or nothing was read. */
  merchantId: string | null;
  behind: Omit<Behind, 'expiring'>;
}

/** `null` when reading fails: the rules that need it have no data, and the others go on. */
async function attempted<T>(
  { telemetry }: Pick<Dependencies, 'telemetry'>,
  reading: Need | 'service',
  read: () => Promise<T>,
): Promise<T | null> {
  try {
    return await read();
  } catch (error) {
    telemetry.count('ReadingsFailed', 1);
    telemetry.logger.warn('a reading failed', { reading });
    telemetry.logError(error);
    return null;
  }
}

async function readAmountsOfDay(
  dependencies: Dependencies,
  { settings, day, newest, isDaySealed, now }: GatherRequest,
  client: PaymentsClient,
): Promise<AmountReadings | null> {
  const { invoiceStatuses } = settings;
  // Amounts of a day that was sealed out of balance may be only a part.
  if (isDaySealed && newest?.balanced === true && newest.amounts !== null) {
    return { amounts: newest.amounts, paidBefore: null, items: NOTHING_BEHIND };
  }
  if (invoiceStatuses === undefined) return null;
  return attempted(dependencies, 'amounts', () => readAmounts(client, day, settings, invoiceStatuses, now));
}

/**
 * A day's refunds by `refund_at` (docs/contract.md, 2.4 Refund record). `null`, unless the registry ignores
 * the comparison, when listed ones are missing (a smaller sum would look well) or one has a field twice.
 */
async function readRefunds(
  dependencies: Dependencies,
  { settings, day, newest }: GatherRequest,
  client: PaymentsClient,
): Promise<RefundReadings | null> {
  const { merchantCode, refunds, balance, redact, currency } = settings;
  return attempted(dependencies, 'refunds', async () => {
    const [sealed, watched] = await Promise.all([
      sealedRefundIds(dependencies.snapshots, newest),
      refunds.source === 'list' ? [] : dependencies.watchedRefundIds(merchantCode),
    ]);
    const totals = new RefundDayTotals(day, refunds.statuses);
    let largest = 0n;
    const first = new FirstItems(byAmount);
    const isReferenceShown = !redactedColumns(redact).has('order_reference_number');
    const read = await readDayRefunds(client, day, refunds.source, [...sealed, ...watched], (refund) => {
      totals.add(refund);
      if (refund['refund_at'] !== day) return;
      const amount = parseAmount(refund.amount);
      if (amount > largest) largest = amount;
      const { id, order_reference_number: reference } = refund;
      const source = { id, reference, amount: refund.amount, expiresOn: null, currency };
      first.add(itemOf(source, isReferenceShown));
    });
    const isShort = read.isListCut && !balance.ignore.includes('refundListCount');
    const isUnclear = !read.repeatedFields.isEmpty && !balance.ignore.includes('repeatedFields');
    if (isShort || read.isListedMissing || isUnclear) return null;
    const { count, total } = totals.figures();
    return { refunds: { count, total: parseSum(total), largest }, items: first.items() };
  });
}

async function readService(dependencies: Dependencies, request: GatherRequest): Promise<FromService> {
  const { needs } = request.needs;
  const { settings, day, newest } = request;
  const { merchantCode } = settings;
  const { history, snapshots } = dependencies;
  const nothing: FromService = {
    ...{ counts: null, amounts: null, paidBefore: null, refunds: null },
    ...{ behind: NOTHING_BEHIND, merchantId: null },
  };
  const isEveryPage = needs.has('amounts') || needs.has('usualSoFar');
  const areManyPages = isEveryPage || needs.has('refunds');
  if (!needs.has('counts') && !areManyPages) return nothing;
  // Four pages on one connection take no longer than on four that are opened for them.
  const most = !request.isBatch ? Infinity : areManyPages ? REQUESTS_OF_CHECK : 1;
  const maxConcurrency = Math.min(settings.maxConcurrency, most);
  const ofClient = { ...request, settings: { ...settings, maxConcurrency } };
  const read = await attempted(dependencies, 'service', () =>
    withMerchantClient(dependencies, ofClient, async (client) => {
      const merchantId = await knownMerchantId(snapshots, settings, day, newest, async () => ({
        merchantId: request.merchantId ?? (await history.stored(merchantCode)).merchantId,
      }));
      client.identity.expect(merchantId);
      // One after the other: each needs memory for the largest possible answer.
      // Counts apart from amounts: reading all pages may fail when the first ones do not.
      const counts = needs.has('counts')
        ? await attempted(dependencies, 'counts', () => readCounts(client, day, settings))
        : null;
      const amounts = isEveryPage ? await readAmountsOfDay(dependencies, request, client) : null;
      const refunds = needs.has('refunds') ? await readRefunds(dependencies, request, client) : null;
      // The amounts are of all invoices, the counts of the first pages.
      const { unpaid, cancelled } = amounts?.items ?? counts?.items ?? NOTHING_BEHIND;
      return {
        merchantId,
        counts: counts?.counts ?? null,
        amounts: amounts && {
          paid: parseSum(amounts.amounts.paid),
          unpaid: parseSum(amounts.amounts.notPaid),
        },
        paidBefore: amounts?.paidBefore ?? null,
        refunds: refunds?.refunds ?? null,
        behind: { unpaid, cancelled, refunds: refunds?.items ?? [] },
      };
    }),
  );
  return read ?? nothing;
}

/** What was paid on the day up to the last quarter of an hour. `null` for a day that is over, and where a reading failed. */
function usualSoFarOf(
  { day, now }: GatherRequest,
  { timeZone, currency, invoiceStatuses }: MerchantSettings,
  { amounts, paidBefore }: Pick<FromService, 'amounts' | 'paidBefore'>,
  usual: UsualByQuarter | null,
): AgainstUsual | null {
  if (invoiceStatuses === undefined) return { why: 'no names of invoice states' };
  if (amounts === null || day !== dayAt(now, timeZone)) return null;
  if (paidBefore === null) return { why: 'a payment without a time' };
  const { quarter, time } = lastQuarter(now, timeZone);
  const paid = paidBefore[quarter];
  if (usual === null || paid === undefined) return null;
  const sum = parseSum(usual.before[quarter] ?? '0.000');
  return againstUsual({ day, by: time, currency }, paid, { sum, days: usual.days });
}

export interface Gathered {
  readings: Readings;
  /** `null` when it was not needed or is not known. */
  usual: UsualByQuarter | null;
  /** The service's own id of the merchant, `null` when it was not needed or is not known. */
  merchantId: string | null;
}

/** Reads what the rules need, no more. A value that cannot be known is `null`, and the log says why. */
export async function gatherReadings(dependencies: Dependencies, request: GatherRequest): Promise<Gathered> {
  const { snapshots } = dependencies;
  const { now, newest } = request;
  // What the service says of a day means what it meant when the day was sealed.
  const settings = settingsOfNext(newest, request.settings);
  const { needs, sealedDaysBack } = request.needs;
  const today = dayAt(now, request.settings.timeZone);
  const [{ behind, merchantId, paidBefore, ...fromService }, expiring, newestWhole, usual] =
    await Promise.all([
      readService(dependencies, { ...request, settings }),
      needs.has('expiring')
        ? attempted(dependencies, 'expiring', () =>
            readExpiring(snapshots, request.settings, today, sealedDaysBack),
          )
        : null,
      needs.has('lastSealed') || needs.has('usualDay')
        ? attempted(dependencies, 'lastSealed', () => newestWholeDay(snapshots, request.settings, today))
        : null,
      needs.has('usualSoFar')
        ? (request.usual ??
          attempted(dependencies, 'usualSoFar', () => readUsualByQuarter(snapshots, settings, request.day)))
        : null,
    ]);
  return {
    merchantId,
    usual,
    readings: {
      now,
      today,
      currency: settings.currency,
      ...fromService,
      expiring: expiring?.invoices ?? null,
      lastSealedAt: newestWhole ? Date.parse(newestWhole.pulledAt) : null,
      usual: {
        shareOfUsualSoFar: usualSoFarOf(request, settings, { ...fromService, paidBefore }, usual),
        // `null`: it could not be read.
        shareOfUsualDay: newestWhole === null ? null : againstUsualDay(newestWhole, request.settings),
      },
      behind: { ...behind, expiring: expiring?.items ?? [] },
    },
  };
}
