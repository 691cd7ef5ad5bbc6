import type { Needs } from '../shared/core/alerts/needs.ts';
import type { Need, Readings } from '../shared/core/alerts/readings.ts';
import { dayAt } from '../shared/core/business-day.ts';
import type { Day } from '../shared/core/business-day.ts';
import type { Amounts } from '../shared/core/figures.ts';
import type { Manifest } from '../shared/core/manifest.ts';
import { parseAmount } from '../shared/core/money.ts';
import type { MerchantSettings, ServiceSettings } from '../shared/core/registry.ts';
import { sealedRefundIds } from '../shared/adapters/sealed-rows.ts';
import type { PaymentsClient } from '../shared/payments/client.ts';
import { withMerchantClient } from '../shared/wiring/merchant-client.ts';
import type { Dependencies } from './dependencies.ts';
import { readCounts, readWholeDay } from './read-invoices.ts';
import { readRefunds } from './read-refunds.ts';
import { readExpiring, readLastSealed } from './read-sealed-days.ts';

/** Whose figures are read, of which day, and until when. */
export interface GatherRequest {
  service: ServiceSettings;
  settings: MerchantSettings;
  day: Day;
  /** The day's newest revision. */
  newest: Manifest | undefined;
  /** Whether that one is of the whole day. */
  isDaySealed: boolean;
  needs: Needs;
  /** Milliseconds UTC. */
  now: number;
  /** When reading must have ended, milliseconds UTC. */
  deadline: number;
}

type FromService = Pick<Readings, 'counts' | 'amounts' | 'refunds'>;

function amountReadings(amounts: Amounts | null): Readings['amounts'] {
  if (amounts === null) return null;
  return { paid: parseAmount(amounts.paid), unpaid: parseAmount(amounts.notPaid) };
}

/** A reading, or `null` where it fails: the rules that need it have no data then, and the others go on. */
async function attempted<T>(
  { telemetry }: Pick<Dependencies, 'telemetry'>,
  reading: Need | 'service',
  read: () => Promise<T>,
): Promise<T | null> {
  try {
    return await read();
  } catch (error) {
    telemetry.count('ReadingsFailed', 1);
    telemetry.logger.warn('a reading could not be had', { reading });
    telemetry.logError(error);
    return null;
  }
}

/** Counts and amounts; where the amounts take a reading of all pages, the counts come with it. */
async function readInvoices(
  dependencies: Dependencies,
  request: GatherRequest,
  client: PaymentsClient,
): Promise<Pick<FromService, 'counts' | 'amounts'>> {
  const { settings, day, newest, isDaySealed, needs } = request;
  const { invoiceTypes, invoiceStatuses } = settings;
  // Those of a day that was sealed out of balance may be a sum of a part.
  const sealedAmounts = isDaySealed && newest?.balanced === true ? newest.amounts : null;
  const whole =
    needs.needs.has('amounts') && sealedAmounts === null && invoiceStatuses !== undefined
      ? await attempted(dependencies, 'amounts', () =>
          readWholeDay(client, day, invoiceTypes, invoiceStatuses),
        )
      : null;
  const counts =
    needs.needs.has('counts') && whole === null
      ? await attempted(dependencies, 'counts', () => readCounts(client, day, invoiceTypes))
      : null;
  return {
    counts: whole?.counts ?? counts,
    amounts: amountReadings(whole?.amounts ?? sealedAmounts),
  };
}

async function readRefundsOfDay(
  dependencies: Dependencies,
  request: GatherRequest,
  client: PaymentsClient,
): Promise<Readings['refunds']> {
  const { settings, day, newest } = request;
  const { merchantCode, refunds } = settings;
  return attempted(dependencies, 'refunds', async () => {
    const [sealed, watched] = await Promise.all([
      sealedRefundIds(dependencies.snapshots, newest),
      refunds.source === 'list' ? [] : dependencies.watchedRefundIds(merchantCode),
    ]);
    return readRefunds(client, day, refunds, [...sealed, ...watched]);
  });
}

/** What only the service can tell; it is not asked when no rule needs it. */
async function readService(dependencies: Dependencies, request: GatherRequest): Promise<FromService> {
  const { needs } = request.needs;
  const ofInvoices = needs.has('counts') || needs.has('amounts');
  const nothing = { counts: null, amounts: null };
  if (!ofInvoices && !needs.has('refunds')) return { ...nothing, refunds: null };
  const read = await attempted(dependencies, 'service', () =>
    withMerchantClient(dependencies, request, async (client) => {
      const [invoices, refunds] = await Promise.all([
        ofInvoices ? readInvoices(dependencies, request, client) : nothing,
        needs.has('refunds') ? readRefundsOfDay(dependencies, request, client) : null,
      ]);
      return { ...invoices, refunds };
    }),
  );
  return read ?? { ...nothing, refunds: null };
}

/** Reads what the rules need and nothing else. What cannot be known is `null`, and why stands in the log. */
export async function gatherReadings(dependencies: Dependencies, request: GatherRequest): Promise<Readings> {
  const { snapshots } = dependencies;
  const { settings, now } = request;
  const { merchantCode, timeZone, invoiceStatuses } = settings;
  const { needs, sealedDaysBack } = request.needs;
  const today = dayAt(now, timeZone);
  const [fromService, expiring, lastSealedAt] = await Promise.all([
    readService(dependencies, request),
    needs.has('expiring') && invoiceStatuses !== undefined
      ? attempted(dependencies, 'expiring', () =>
          readExpiring(snapshots, merchantCode, invoiceStatuses, today, sealedDaysBack),
        )
      : null,
    needs.has('lastSealed')
      ? attempted(dependencies, 'lastSealed', () => readLastSealed(snapshots, merchantCode, today))
      : null,
  ]);
  return { now, today, ...fromService, expiring, lastSealedAt };
}
