import { describe, expect, it } from 'vitest';
import {
  countReasons,
  countStatuses,
  merchantStatus,
  needsLook,
} from '#bin/daybook/status/merchant-status.ts';
import type { Delivery } from '#functions/delivery-watch/delivery.ts';
import { expectedReport } from '#functions/delivery-watch/expected-reports.ts';
import type { LookedPage } from '#functions/delivery-watch/look-at-pages.ts';

const ARRIVED: Delivery = {
  owner: { merchantCode: '700001' },
  period: '2026-11-20',
  revision: 1,
  isDue: true,
  counts: true,
  missing: null,
  mail: 'delivered',
  isGood: true,
};

/** A report of which `delivery-watch` says this. */
function looked(delivery: Partial<Delivery>, isAnythingSealed = true): LookedPage {
  const revision = isAnythingSealed ? 1 : undefined;
  const all = { ...ARRIVED, revision, ...delivery };
  const { owner, period, isDue } = all;
  const who = { owner, name: 'Palm Café', entry: 'usable' as const, recipients: [] };
  return {
    page: expectedReport(who, { day: period, isDue }, 'UTC'),
    records: { revision, isGood: undefined, ledger: undefined, hasParts: false },
    delivery: all,
  };
}

const NOTHING_SEALED = { mail: null, missing: 'no run' } as const;

describe('the state of a report', () => {
  it.each<[string, Partial<Delivery>, boolean]>([
    ['delivered', {}, false],
    ['mailed', { mail: 'accepted' }, false],
    ['without mail', { mail: 'none' }, false],
    ['unbalanced', { isGood: false, missing: 'unbalanced' }, true],
    ['bounced', { mail: 'bounced', missing: 'bounced' }, true],
    ['bounced', { mail: 'skipped', missing: 'complained' }, true],
    ['held', { mail: 'held', missing: 'mail held' }, true],
    ['held', { mail: 'held', missing: 'mail held', isDue: false }, true],
    ['missing', NOTHING_SEALED, true],
    ['missing', { mail: 'failed', missing: 'mail not sent' }, true],
    ['waiting', { ...NOTHING_SEALED, isDue: false }, false],
    ['waiting', { mail: 'unfinished', missing: 'mail not sent', isDue: false }, false],
    // A run cannot bring this one.
    ['missing', { mail: null, missing: 'entry not usable', isDue: false }, true],
  ])('is "%s" for %j', (state, delivery, look) => {
    const status = merchantStatus(looked(delivery));
    expect(status).toMatchObject({ state, reason: delivery.missing ?? null });
    expect(needsLook(status)).toBe(look);
  });

  it('says nothing about the balance of a day that is not sealed', () => {
    expect(merchantStatus(looked(NOTHING_SEALED, false))).toMatchObject({
      sealed: false,
      balanced: null,
      revision: null,
      mail: null,
    });
  });

  it('does not say whether a day is sealed whose records cannot be read', () => {
    const unreadable = { ...looked({ mail: null, missing: 'records not readable' }), records: undefined };
    expect(merchantStatus(unreadable)).toMatchObject({ state: 'missing', sealed: null, balanced: null });
  });
});

describe('the counts', () => {
  const merchants = [
    looked({}),
    looked({ mail: 'accepted', isGood: false, missing: 'unbalanced' }),
    looked({ mail: 'none' }),
    looked({ mail: 'held', missing: 'mail held' }),
    looked(NOTHING_SEALED, false),
    looked({ ...NOTHING_SEALED, missing: 'pull failed: CipherError' }, false),
    looked({ ...NOTHING_SEALED, isDue: false }, false),
  ].map(merchantStatus);

  it('count an unbalanced report that was mailed as both', () => {
    expect(countStatuses(merchants)).toEqual({
      expected: 7,
      sealed: 4,
      balanced: 3,
      mailed: 2,
      delivered: 1,
      withoutMail: 1,
      unbalanced: 1,
      bounced: 0,
      held: 1,
      missing: 2,
      waiting: 1,
    });
  });

  it('give the most frequent reason first', () => {
    expect(countReasons(merchants)).toEqual([
      { reason: 'no run', count: 2 },
      { reason: 'mail held', count: 1 },
      { reason: 'pull failed: CipherError', count: 1 },
      { reason: 'unbalanced', count: 1 },
    ]);
  });
});
