import { addressHash, checkedKey, ledgerKey, manifestKey } from '#records/storage/keys.ts';
import { addDays } from '#records/day/business-day.ts';
import type { CheckRecord } from '#records/revision/check-record.ts';
import type { Ledger } from '#mail/ledger/ledger.ts';
import { merchantCodeOf, recipientOf, registryOf } from '../fleet/world.ts';

/** Days on which every merchant has a sealed revision, the measured day among them. */
const SEALED_DAYS = 14;

function ledgerOf(merchantCode: string, key: string, pulledAt: string): Ledger {
  const byStatus = { approved: { count: 11, total: '140.500' }, pending: { count: 1, total: '3.000' } };
  const sums = { count: 12, total: '143.500', byStatus };
  return {
    key,
    status: 'delivered',
    kind: 'report',
    corrects: null,
    figures: {
      counts: { total: 428, paid: 301, notPaid: 96, cancelled: 31, other: 0 },
      amounts: { paid: '9021.250', notPaid: '2210.000', cancelled: '611.750', other: '0.000' },
      refunds: { ...sums, saleBasis: sums },
      balanced: true,
    },
    intendedAt: pulledAt,
    until: pulledAt,
    writer: '3f2c61aa-9f2c-4d1e-8a55-0c1f6f0a7c11',
    round: 1,
    reason: null,
    nothingToSend: null,
    recipients: [
      {
        to: addressHash(recipientOf(merchantCode)),
        status: 'delivered',
        messageId: '0102018f-0000-4000-8000-000000000000',
        at: pulledAt,
        reason: null,
        round: 1,
      },
    ],
  };
}

/**
 * The objects of a bucket after a day on which every merchant's report arrived, by their keys: the registry, the day's
 * ledgers and records, and the keys of the manifests of two weeks. The manifests are empty: nobody reads them.
 */
export function storedDays(merchants: number, day: string): Map<string, string> {
  const pulledAt = `${addDays(day, 1)}T03:00:07.480Z`;
  const objects = new Map([['config/merchants.json', registryOf(merchants, 'https://service.example', 16)]]);
  for (let index = 0; index < merchants; index += 1) {
    const code = merchantCodeOf(index);
    for (let back = 0; back < SEALED_DAYS; back += 1) {
      objects.set(manifestKey(addDays(day, -back), code, 1), '{}');
    }
    const key = ledgerKey(day, code, 1);
    objects.set(key, JSON.stringify(ledgerOf(code, key, pulledAt)));
    const check: CheckRecord = {
      merchantCode: code,
      day,
      checkedAt: pulledAt,
      pull: '20261121T030007Z-9f2c61aa',
      outcome: 'sealed',
      revision: 1,
      scheduledTime: pulledAt,
      error: null,
      mail: 'sent',
      refundIds: null,
      asOf: pulledAt,
    };
    objects.set(checkedKey(day, code), JSON.stringify(check));
  }
  return objects;
}
