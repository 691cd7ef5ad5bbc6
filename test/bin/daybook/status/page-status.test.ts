import {
  countReasons,
  countStatuses,
  followedInWords,
  needsLook,
  reportMembers,
  stateOf,
} from '#bin/daybook/status/page-status.ts';
import type { PageStatus } from '#bin/daybook/status/page-status.ts';
import type { Delivery } from '#watch/delivery-watch/delivery.ts';
import { expectedReport } from '#watch/delivery-watch/expected-pages.ts';

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
function looked(delivery: Partial<Delivery>, isReadable = true): PageStatus {
  const all = { ...ARRIVED, ...delivery };
  const { owner, period, isDue } = all;
  const who = { owner, name: 'Palm Café', entry: 'usable' as const, recipients: [] };
  return {
    page: expectedReport(who, { day: period, isDue }, 'UTC'),
    delivery: all,
    pulledAt: null,
    failure: undefined,
    nextTry: null,
    having: 0,
    isReadable,
    lacking: { missing: [], unbalanced: [] },
    deadline: null,
  };
}

const NOT_PULLED = { mail: null, missing: 'no run', revision: undefined } as const;

describe('the state of a page', () => {
  it.each<[string, Partial<Delivery>, boolean]>([
    ['delivered', {}, false],
    ['mailed', { mail: 'accepted' }, false],
    ['without mail', { mail: 'none' }, false],
    ['unbalanced', { isGood: false, missing: 'unbalanced' }, true],
    ['bounced', { mail: 'bounced', missing: 'bounced' }, true],
    ['bounced', { mail: 'skipped', missing: 'complained' }, true],
    ['held', { mail: 'held', missing: 'mail held' }, true],
    ['held', { mail: 'held', missing: 'mail held', isDue: false }, true],
    ['missing', NOT_PULLED, true],
    ['missing', { mail: 'failed', missing: 'mail not sent' }, true],
    ['waiting', { ...NOT_PULLED, isDue: false }, false],
    ['waiting', { mail: 'unfinished', missing: 'mail not sent', isDue: false }, false],
    // A run cannot bring this one.
    ['missing', { mail: null, missing: 'entry not usable', isDue: false }, true],
    ['missing', { mail: 'skipped', missing: 'mail stopped', isDue: false }, true],
    ['waiting', { mail: null, missing: 'not sealed', isDue: false }, false],
    ['missing', { mail: null, missing: 'nothing sealed' }, true],
    ['provisional', { isGood: false }, true],
  ])('is "%s" for %j', (state, delivery, look) => {
    const status = looked(delivery);
    expect(stateOf(status.delivery)).toBe(state);
    expect(needsLook(status)).toBe(look);
  });

  it('says nothing about a day that is not sealed, or whose records cannot be read', () => {
    const notPulled = { sealed: false, balanced: null, revision: null, mail: null };
    expect(reportMembers(looked(NOT_PULLED))).toMatchObject(notPulled);
    const unreadable = looked({ mail: null, missing: 'records not readable' }, false);
    expect(reportMembers(unreadable)).toMatchObject({ state: 'missing', sealed: null, balanced: null });
  });
});

describe('the counts', () => {
  const reports = [
    looked({}),
    looked({ mail: 'accepted', isGood: false, missing: 'unbalanced' }),
    looked({ mail: 'none' }),
    looked({ mail: 'stopped by readers' }),
    looked({ mail: 'held', missing: 'mail held' }),
    looked(NOT_PULLED),
    looked({ ...NOT_PULLED, missing: 'pull failed: CipherError' }),
    looked({ ...NOT_PULLED, isDue: false }),
  ];

  it('count an unbalanced report that was mailed as both', () => {
    expect(countStatuses(reports)).toEqual({
      ...{ expected: 8, sealed: 5, balanced: 4, mailed: 2, delivered: 1, notToAll: 0, withoutMail: 1 },
      ...{ stoppedByReaders: 1, unbalanced: 1, bounced: 0, held: 1, missing: 2, waiting: 1 },
    });
  });

  it('give the most frequent reason first, and none of a report that may still come', () => {
    expect(countReasons([...reports, looked(NOT_PULLED)])).toEqual([
      { reason: 'no run', count: 2 },
      { reason: 'mail held', count: 1 },
      { reason: 'pull failed: CipherError', count: 1 },
      { reason: 'unbalanced', count: 1 },
    ]);
  });

  it('count a report that is tried again by itself as one that may still come', () => {
    const nextTry = { from: '2026-11-21T04:31:00.000Z', until: '2026-11-21T04:51:00.000Z', number: 2 };
    const failed = { ...looked({ ...NOT_PULLED, missing: 'pull failed: ServerError' }), nextTry };
    const found = [looked({}), failed, looked({ ...NOT_PULLED, isDue: false }), looked(NOT_PULLED)];
    expect(followedInWords(found, [])).toContain('1 of 4 reports done, 2 may still come');
  });
});
