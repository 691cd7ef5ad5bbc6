import { Duration } from 'aws-cdk-lib';
import type * as s3 from 'aws-cdk-lib/aws-s3';
import { ALERT_STATES, CHANGES, SUPPRESSIONS } from '#records/storage/keys.ts';
import { MARKERS_KEPT_DAYS } from './lake/history/markers-kept.ts';
import type { Settings } from './settings.ts';

/** How long a tick's items and its runs' results are useful, days. */
const PLAN_DAYS = 30;
/** How long an object that was deleted or replaced can be restored, days. */
const RESTORABLE = { shortly: 1, month: 30 };

interface Kept {
  prefix: string;
  /** Not set: for ever. */
  days?: number;
  /** Not set: shortly. */
  restorable?: number;
}

/**
 * How long the objects of the data bucket are kept, and how long what was deleted or replaced. No rule is for all objects: where two hold,
 * S3 takes the shorter time.
 */
export function dataLifecycle({
  dataDays,
  manifestDays,
  ledgerDays,
}: Settings['retention']): s3.LifecycleRule[] {
  const { month } = RESTORABLE;
  const kept: Kept[] = [
    // Customers' data. A deleted file must be gone soon (docs/forgetting.md).
    { prefix: 'invoices/', days: dataDays },
    { prefix: 'refunds/', days: dataDays },
    { prefix: 'lake/' },
    // What nothing can make again: sealed pages, the proof of what was mailed, the registry. None of it names a customer.
    { prefix: 'days/', days: manifestDays, restorable: month },
    { prefix: 'statements/', restorable: month },
    // Ledgers, and records of notices. They must not expire before the manifest: a day without its ledger would be mailed again.
    { prefix: 'mail/', days: ledgerDays, restorable: month },
    { prefix: 'config/', restorable: month },
    { prefix: 'checked/', days: manifestDays },
    // This object is written again with every day, so an old one belongs to a merchant that left.
    { prefix: 'history/', days: manifestDays },
    { prefix: SUPPRESSIONS },
    { prefix: ALERT_STATES },
    { prefix: CHANGES, days: MARKERS_KEPT_DAYS },
    { prefix: 'plan/' },
    // Not plan/daily.json, which remembers the last tick.
    { prefix: 'plan/daily/', days: PLAN_DAYS },
    { prefix: 'plan/alert/', days: PLAN_DAYS },
    { prefix: 'plan/statement/', days: PLAN_DAYS },
    { prefix: 'plan/results/', days: PLAN_DAYS },
  ];
  return [
    {
      id: 'what was never finished',
      abortIncompleteMultipartUploadAfter: Duration.days(1),
      expiredObjectDeleteMarker: true,
    },
    ...kept.map(({ prefix, days, restorable = RESTORABLE.shortly }) => ({
      id: `${prefix} and its old versions`,
      prefix,
      ...(days !== undefined && { expiration: Duration.days(days) }),
      noncurrentVersionExpiration: Duration.days(restorable),
    })),
  ];
}
