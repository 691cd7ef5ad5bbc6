import type { PaymentsClient } from '#service/client.ts';
import { withMerchantClient } from '#service/merchant-client.ts';
import type { Dependencies } from '../dependencies.ts';
import { todayOf } from '../prepare-run.ts';
import type { Run } from '../prepare-run.ts';
import type { KnownDay } from './known-day.ts';
import type { SealRequest } from '../seal/seal-day.ts';

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
  const watched = settings.refunds.source === 'list' ? [] : await dependencies.watchedRefundIds(merchantCode);
  const request: SealRequest = {
    settings,
    day,
    scheduledTime: event.scheduledTime ?? null,
    known,
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
