import type { Needs } from '#domain/alerts/needs.ts';
import { NOTHING_BEHIND, byAmount, FirstItems, itemOf } from '#domain/alerts/behind.ts';
import type { Behind } from '#domain/alerts/behind.ts';
import type { Need, Readings } from '#domain/alerts/readings.ts';
import { dayAt } from '#domain/day/business-day.ts';
import type { Day } from '#domain/day/business-day.ts';
import type { Amounts } from '#domain/figures/figures.ts';
import type { Manifest } from '#domain/revision/manifest.ts';
import { settingsOfNext } from '#domain/revision/page-settings.ts';
import { parseSum, parseAmount } from '#domain/money/money.ts';
import type { MerchantSettings, ServiceSettings } from '#domain/registry/registry-schema.ts';
import { knownMerchantId } from '#snapshots/known-merchant-id.ts';
import { sealedRefundIds } from '#snapshots/sealed-rows.ts';
import type { PaymentsClient } from '#payments/client.ts';
import { withMerchantClient } from '#dependencies/merchant-client.ts';
import type { Dependencies } from './dependencies.ts';
import { readAmounts, readCounts } from './read-invoices.ts';
import type { AmountReadings, CountReadings } from './read-invoices.ts';
import { readExpiring, readLastSealed } from './read-sealed-days.ts';
import type { AlertItem } from '#domain/alerts/alert-item.ts';
import { RefundDayTotals } from '#domain/figures/refund-totals.ts';
import { redactedColumns } from '#domain/records/redaction.ts';
import { readDayRefunds } from '#payments/refunds/day-refunds.ts';

/** The figures of a day's refunds, and the largest of them for a mail. */
interface RefundReadings {
  refunds: NonNullable<Readings['refunds']>;
  items: readonly AlertItem[];
}

/**
 * The refunds of a day by `refund_at` (docs/contract.md, 2.4 Refund record), counted as in the day's report,
 * and the largest refund.
 *
 * @param knownIds from the watch list and the day's newest revision
 * @returns `null` in two cases, unless the registry leaves the comparison out of the balance: refunds of the
 * service's own list are missing (a smaller sum would look as if all is well), or a refund has a field twice
 * (it is not known which value is right)
 */
async function readRefunds(
  client: PaymentsClient,
  day: Day,
  {
    refunds,
    balance,
    redact,
    currency,
  }: Pick<MerchantSettings, 'refunds' | 'balance' | 'redact' | 'currency'>,
  knownIds: readonly string[],
): Promise<RefundReadings | null> {
  const totals = new RefundDayTotals(day, refunds.statuses);
  let largest = 0n;
  const first = new FirstItems(byAmount);
  const isReferenceShown = !redactedColumns(redact).has('order_reference_number');
  const read = await readDayRefunds(client, day, refunds.source, knownIds, (refund) => {
    totals.add(refund);
    const amount = parseAmount(refund.amount);
    if (refund['refund_at'] !== day) return;
    if (amount > largest) largest = amount;
    const { id, order_reference_number: reference } = refund;
    const source = { id, reference, amount: refund.amount, expiresOn: null, currency };
    first.add(itemOf(source, isReferenceShown));
  });
  const { ignore } = balance;
  const isShort = read.isListCut && !ignore.includes('refundListCount');
  const isUnclear = !read.repeatedFields.isEmpty && !ignore.includes('repeatedFields');
  if (isShort || read.isListedMissing || isUnclear) return null;
  const { count, total } = totals.figures();
  return { refunds: { count, total: parseSum(total), largest }, items: first.items() };
}

/** The merchant and the day whose figures are read, and the end of the time. */
export interface GatherRequest {
  service: ServiceSettings;
  settings: MerchantSettings;
  day: Day;
  /** The day's newest revision. */
  newest: Manifest | undefined;
  /** Whether the newest revision is of the whole day. */
  isDaySealed: boolean;
  needs: Needs;
  /** Milliseconds UTC. */
  now: number;
  /** Reading must end by this time. Milliseconds UTC. */
  deadline: number;
}

interface FromService extends Pick<Readings, 'counts' | 'amounts' | 'refunds'> {
  behind: Omit<Behind, 'expiring'>;
}

function amountReadings(amounts: Amounts | null): Readings['amounts'] {
  if (amounts === null) return null;
  return { paid: parseSum(amounts.paid), unpaid: parseSum(amounts.notPaid) };
}

/**
 * Reads, or returns `null` when reading fails. Then the rules that need the reading have no data, and the
 * other rules go on.
 */
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

/**
 * The counts of a day from the first pages. They are read apart from the amounts: reading all pages may fail
 * when this does not.
 */
async function readCountsOfDay(
  dependencies: Dependencies,
  { settings, day }: GatherRequest,
  client: PaymentsClient,
): Promise<CountReadings | null> {
  return attempted(dependencies, 'counts', () => readCounts(client, day, settings));
}

async function readAmountsOfDay(
  dependencies: Dependencies,
  { settings, day, newest, isDaySealed }: GatherRequest,
  client: PaymentsClient,
): Promise<AmountReadings | null> {
  const { invoiceStatuses } = settings;
  // Amounts of a day that was sealed out of balance may be only a part.
  if (isDaySealed && newest?.balanced === true && newest.amounts !== null) {
    return { amounts: newest.amounts, items: NOTHING_BEHIND };
  }
  if (invoiceStatuses === undefined) return null;
  return attempted(dependencies, 'amounts', () => readAmounts(client, day, settings, invoiceStatuses));
}

async function readRefundsOfDay(
  dependencies: Dependencies,
  request: GatherRequest,
  client: PaymentsClient,
): Promise<RefundReadings | null> {
  const { settings, day, newest } = request;
  const { merchantCode, refunds } = settings;
  return attempted(dependencies, 'refunds', async () => {
    const [sealed, watched] = await Promise.all([
      sealedRefundIds(dependencies.snapshots, newest),
      refunds.source === 'list' ? [] : dependencies.watchedRefundIds(merchantCode),
    ]);
    return readRefunds(client, day, settings, [...sealed, ...watched]);
  });
}

/** The readings that only the service can give. It is asked only when a rule needs them. */
async function readService(dependencies: Dependencies, request: GatherRequest): Promise<FromService> {
  const { needs } = request.needs;
  const { settings, day, newest } = request;
  const nothing: FromService = { counts: null, amounts: null, refunds: null, behind: NOTHING_BEHIND };
  if (!needs.has('counts') && !needs.has('amounts') && !needs.has('refunds')) return nothing;
  const read = await attempted(dependencies, 'service', () =>
    withMerchantClient(dependencies, request, async (client) => {
      client.identity.expect(await knownMerchantId(dependencies.snapshots, settings, day, newest));
      // One after the other: each needs memory for the largest possible answer.
      const counts = needs.has('counts') ? await readCountsOfDay(dependencies, request, client) : null;
      const amounts = needs.has('amounts') ? await readAmountsOfDay(dependencies, request, client) : null;
      const refunds = needs.has('refunds') ? await readRefundsOfDay(dependencies, request, client) : null;
      // The amounts are of all invoices, the counts of the first pages.
      const { unpaid, cancelled } = amounts?.items ?? counts?.items ?? NOTHING_BEHIND;
      return {
        counts: counts?.counts ?? null,
        amounts: amountReadings(amounts?.amounts ?? null),
        refunds: refunds?.refunds ?? null,
        behind: { unpaid, cancelled, refunds: refunds?.items ?? [] },
      };
    }),
  );
  return read ?? nothing;
}

/**
 * Reads what the rules need and nothing else. A value that cannot be known is `null`, and the log says why.
 */
export async function gatherReadings(dependencies: Dependencies, request: GatherRequest): Promise<Readings> {
  const { snapshots } = dependencies;
  const { now, newest } = request;
  // What the service says of a day means what it meant when the day was sealed.
  const settings = settingsOfNext(newest, request.settings);
  const { needs, sealedDaysBack } = request.needs;
  const today = dayAt(now, request.settings.timeZone);
  const [{ behind, ...fromService }, expiring, lastSealedAt] = await Promise.all([
    readService(dependencies, { ...request, settings }),
    needs.has('expiring')
      ? attempted(dependencies, 'expiring', () =>
          readExpiring(snapshots, request.settings, today, sealedDaysBack),
        )
      : null,
    needs.has('lastSealed')
      ? attempted(dependencies, 'lastSealed', () => readLastSealed(snapshots, request.settings, today))
      : null,
  ]);
  return {
    now,
    today,
    currency: settings.currency,
    ...fromService,
    expiring: expiring?.invoices ?? null,
    lastSealedAt,
    behind: { ...behind, expiring: expiring?.items ?? [] },
  };
}
