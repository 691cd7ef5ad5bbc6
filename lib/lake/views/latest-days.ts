import type { Table } from '#records/revision/manifest.ts';
import type { LakeView, ViewColumn } from '../lake-view.ts';
import { MANIFEST_MEANINGS } from '../meanings/manifest.ts';
import { dataFileOf, newestSealed } from '../sealed-files.ts';
import { ownColumn as column, utcColumn } from './own-column.ts';

const AMOUNT = "amount in the merchant's currency, three fraction digits";

function count(name: string, member: string, meaning: string): ViewColumn {
  return column(name, 'bigint', `d."counts"."${member}"`, meaning, { unit: 'count', nullable: true });
}

function amount(name: string, path: string, meaning: string, nullable: boolean): ViewColumn {
  return column(name, 'decimal(38,3)', `CAST(d.${path} AS decimal(38,3))`, meaning, {
    unit: AMOUNT,
    nullable,
  });
}

/** SQL for the number of rows in a data file of the manifest. */
function rowsOf(table: Table): string {
  return `${dataFileOf(table, 'json', 'd')}."rows"`;
}

const IF_CONFIGURED = 'null where the registry has no `invoiceStatuses`.';

/** One row per merchant and day, from its newest sealed revision. */
export const LATEST_DAYS: LakeView = {
  name: 'latest_days',
  description: 'One merchant and day: the figures of its newest sealed revision.',
  columns: [
    column(
      'day',
      'varchar',
      'd."day"',
      'The day. The partition: a condition on it is what keeps a query cheap.',
      {
        unit: 'YYYY-MM-DD',
      },
    ),
    column(
      'business_date',
      'date',
      'CAST(d."day" AS date)',
      "The same as a date, in the merchant's own zone.",
      {
        unit: 'date',
      },
    ),
    column('merchant_code', 'varchar', 'd."merchantcode"', MANIFEST_MEANINGS.merchantCode.meaning),
    column('revision', 'bigint', 'd."revision"', 'Number of the newest revision: how many there are.'),
    utcColumn('pulled_at', 'd."pulledat"', MANIFEST_MEANINGS.pulledAt.meaning),
    utcColumn('scheduled_time', 'd."scheduledtime"', MANIFEST_MEANINGS.scheduledTime.meaning, true),
    column('balanced', 'boolean', 'd."balanced"', MANIFEST_MEANINGS.balanced.meaning),
    column('differences', 'varchar', 'd."differences"', MANIFEST_MEANINGS.differences.meaning, {
      unit: 'JSON array of name, what, service, rows, ids',
    }),
    column('not_compared', 'varchar', 'd."notcompared"', MANIFEST_MEANINGS.notCompared.meaning, {
      unit: 'JSON array of name, what, service, rows, ids',
      nullable: true,
    }),
    count('invoices', 'total', 'Invoices; null where the service does not say.'),
    count('paid', 'paid', 'Of them paid when the day was last read; null where the service does not say.'),
    count('not_paid', 'notpaid', 'Of them not paid; null where the service does not say.'),
    count('cancelled', 'cancelled', 'Of them cancelled; null where the service does not say.'),
    count('other', 'other', 'Of them in no state that the service counts; null where that is not known.'),
    amount(
      'paid_amount',
      '"amounts"."paid"',
      `Sum of the invoices made on the day and paid when it was last read; what is paid later is in no figure; ${IF_CONFIGURED}`,
      true,
    ),
    amount('not_paid_amount', '"amounts"."notpaid"', `Sum of those not paid; ${IF_CONFIGURED}`, true),
    amount('cancelled_amount', '"amounts"."cancelled"', `Sum of the cancelled ones; ${IF_CONFIGURED}`, true),
    amount('other_amount', '"amounts"."other"', `Sum of the others; ${IF_CONFIGURED}`, true),
    column('refunds', 'bigint', 'd."refunds"."count"', 'Refunds whose `refund_at` is the day.', {
      unit: 'count',
    }),
    amount('refund_amount', '"refunds"."total"', 'Their sum, over all statuses.', false),
    column('invoice_rows', 'bigint', rowsOf('invoices'), 'Rows of the revision in `invoices`.', {
      unit: 'count',
    }),
    column('refund_rows', 'bigint', rowsOf('refunds'), 'Rows of the revision in `refunds`.', {
      unit: 'count',
    }),
    column('currency', 'varchar', 'd."currency"', MANIFEST_MEANINGS.currency.meaning, {
      unit: 'three capitals',
      nullable: true,
    }),
    column('drift', 'varchar', 'd."drift"', MANIFEST_MEANINGS.drift.meaning, { unit: 'JSON object' }),
    column('pull', 'varchar', 'd."pull"', MANIFEST_MEANINGS.pull.meaning),
    column('digest', 'varchar', 'd."digest"', MANIFEST_MEANINGS.digest.meaning, { unit: 'SHA-256, hex' }),
  ],
  from: `${newestSealed()} AS d`,
};
