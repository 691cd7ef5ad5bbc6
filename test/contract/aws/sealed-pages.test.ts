import type { Manifest } from '#records/revision/manifest.ts';
import { SealedPages } from '#page/page-store.ts';
import {
  dayPrefix,
  manifestKey,
  merchantDay,
  ownerPart,
  notifiedPeriodKey,
  pageKey,
  periodPrefix,
  addressHash,
  ledgerKey,
} from '#records/storage/keys.ts';
import { DayStore } from '#page/day-store.ts';
import { awsUnderTest } from '#support/aws-contract/aws-under-test.ts';
import { placedManifest, aLedger, anEntry } from '#support/records/manifests.ts';
import { TARGET } from '#support/aws-contract/known-differences.ts';
import { fc, forAllAsync, defined } from '#support/assertions/index.ts';
import { GroupHeads } from '#watch/delivery-watch/look-at-pages.ts';
import { NotifiedStore } from '#watch/delivery-watch/notified.ts';
import { AlertStateStore } from '#alerts/alert-state-store.ts';
import { LedgerStore } from '#mail/ledger-store.ts';
import { SuppressionList } from '#mail/suppression-list.ts';
import { systemClock } from '#runtime/clock.ts';
import { settleLedger } from '#mail/mail-events/create-mail-events.ts';
import type { Ledger } from '#records/ledger/ledger.ts';
import type { AlertState } from '#records/ledger/alert-state.ts';

const aws = await awsUnderTest();
const sealed = new SealedPages(aws.clients.s3, aws.bucket);
const DAY = '2026-11-20';
/** More than one page of a listing, with or without a delimiter. */
const MERCHANTS = 1_050;
const codeOf = (n: number) => String(700_001 + n);

async function writeAll(keys: readonly string[]): Promise<void> {
  for (let start = 0; start < keys.length; start += 50)
    await Promise.all(keys.slice(start, start + 50).map((key) => aws.write(key, '{}')));
}

/** Pages requested since the last call. */
const pages = () => aws.s3.taken().filter(({ query }) => query.has('list-type')).length;

describe(`listings, on ${TARGET}`, () => {
  test('are empty for a day that no merchant has', async () => {
    expect(await sealed.newestRevisions(dayPrefix('2026-11-19'))).toEqual(new Map());
    expect(await sealed.merchantsOf('2026-11-19')).toEqual(new Set());
  });

  test('give more merchants than one page holds, each with its newest revision', async () => {
    const first = Array.from({ length: MERCHANTS }, (_, n) => manifestKey(DAY, codeOf(n), 1));
    // The last merchant of the first page has its second revision on the next page.
    const second = [0, 498, 499, 500, 998, 999, MERCHANTS - 1].map((n) => manifestKey(DAY, codeOf(n), 2));
    await writeAll([...first, ...second]);
    // Keys that a prefix must not match, and an object that is no manifest.
    await writeAll([manifestKey('2026-11-21', '1', 1), `days/day=${DAY}/merchant=x/notes.txt`]);
    aws.s3.taken();

    const revisions = await sealed.newestRevisions(dayPrefix(DAY));
    expect(pages()).toBe(2);
    expect(revisions.size).toBe(MERCHANTS);
    expect([...revisions.values()].filter((revision) => revision === 2)).toHaveLength(second.length);
    expect(revisions.get(ownerPart({ merchantCode: codeOf(999) }))).toBe(2);

    const merchants = await sealed.merchantsOf(DAY);
    expect(pages()).toBe(2);
    expect(merchants.size).toBe(MERCHANTS + 1);
    expect(merchants.has(codeOf(MERCHANTS - 1))).toBe(true);
  });
});

const places = fc.record({
  merchantCode: fc.constantFrom('700001', '70000', '7000011', 'A-1'),
  day: fc.constantFrom('2026-10-20', '2026-10-21'),
  revision: fc.constantFrom(1, 2, 10),
  pull: fc.constantFrom('20261121T030005Z-9f2c61aa', '20261121T030005Z-00000000'),
});

describe(`a manifest, on ${TARGET}`, () => {
  const snapshots = new DayStore(aws.clients.s3, aws.bucket);

  type Place = Pick<Manifest, 'merchantCode' | 'day' | 'revision' | 'pull'>;

  async function readFrom({ merchantCode, day, revision }: Place, manifest: Manifest) {
    await aws.write(manifestKey(day, merchantCode, revision), JSON.stringify(manifest));
    return snapshots.revision({ ...merchantDay(merchantCode, day), revision });
  }

  test('in its own place is read', () =>
    forAllAsync([places], { numRuns: 20 }, async (own) => {
      expect(await readFrom(own, placedManifest(own))).toMatchObject(own);
    }));

  test('of another merchant, day, revision or pull is never accepted', () =>
    forAllAsync([places, places], { numRuns: 30 }, async (own, other) => {
      fc.pre(JSON.stringify(own) !== JSON.stringify(other));
      const [here, there] = [placedManifest(own), placedManifest(other)];
      // Any part of the other manifest in this one, while the rest is correct.
      const members = (['merchantCode', 'day', 'revision', 'pull', 'previous', 'files'] as const).filter(
        (member) => JSON.stringify(here[member]) !== JSON.stringify(there[member]),
      );
      for (const member of members) {
        const mixed = { ...here, [member]: there[member] };
        await expect(readFrom(own, mixed), member).rejects.toThrow('belongs to another key');
      }
    }));
});

const heads = new GroupHeads(aws.clients.s3, aws.bucket);
const notified = new NotifiedStore(aws.clients.s3, aws.bucket, 'statements', () => undefined);
const PERIOD = '2026-11';
const SHOPS = { owner: { group: 'shops' }, period: PERIOD, revision: 1 };

describe(`statements, on ${TARGET}`, () => {
  test('are listed with their newest revisions, merchants apart from groups', async () => {
    expect(await sealed.newestRevisions(periodPrefix('2026-10'))).toEqual(new Map());
    const shops = { owner: { merchantCode: 'shops' }, period: PERIOD };
    const keys = [
      pageKey({ ...shops, revision: 1 }),
      pageKey({ ...shops, revision: 2 }),
      pageKey({ ...SHOPS, period: '2026-W47' }),
      `statements/period=${PERIOD}/merchant=shops/r3.json`,
    ];
    await Promise.all(keys.map((key) => aws.write(key, '{}')));
    await aws.write(pageKey(SHOPS), '{}');
    expect(await sealed.newestRevisions(periodPrefix(PERIOD))).toEqual(
      new Map([
        ['group=shops', 1],
        ['merchant=shops', 2],
      ]),
    );
  });

  test.each([
    ['small', 1],
    ['large', 50_000],
  ])(
    'of a group say at their beginning whether they are final, however many merchants follow: %s',
    async (_, count) => {
      const head = { group: 'shops', period: PERIOD, revision: 1, final: false };
      const merchants = Array.from({ length: count }, () => ({ merchantCode: '700001' }));
      await aws.write(pageKey(SHOPS), `${JSON.stringify({ ...head, merchants })}\n`);
      expect(await heads.isFinal(SHOPS)).toBe(false);
    },
  );

  test('of a group that are not there, or empty, cannot be read', async () => {
    await expect(heads.isFinal({ ...SHOPS, revision: 9 })).rejects.toThrow('is not there, or empty');
    await aws.write(pageKey(SHOPS), '');
    await expect(heads.isFinal(SHOPS)).rejects.toThrow('is not there, or empty');
  });

  test('have records of notices, by period', async () => {
    expect(await notified.periods()).toEqual(new Set());
    for (const name of [PERIOD, '2026-W47', '2026-11-20']) await aws.write(notifiedPeriodKey(name), '{}');
    await aws.write('mail/ops/watch/period=2026-11.json.bak', '{}');
    expect(await notified.periods()).toEqual(new Set([PERIOD, '2026-W47', '2026-11-20']));
  });
});

const { bucket } = aws;
const s3 = aws.clients.s3;

const AT = '2026-11-21T03:00:10.000Z';
const NOW = Date.parse(AT);

/** A ledger with this number of recipients, whose mails SES has accepted. */
function acceptedLedger(recipients: number): Ledger {
  const toOf = (n: number) => addressHash(`owner-${n}@merchants.example`);
  return aLedger(
    Array.from({ length: recipients }, (_, n) => anEntry(toOf(n), 'accepted', { messageId: `m-${n}` })),
  );
}

describe(`ledgers, on ${TARGET}`, () => {
  const ledgers = new LedgerStore(s3, bucket);

  test('are created once, read as they were written, and updated only with the known version', async () => {
    const key = ledgerKey('2026-11-20', '700001', 1);
    expect(await ledgers.read(key)).toBeUndefined();
    const created = await ledgers.create(key, acceptedLedger(1), NOW);
    expect(await ledgers.read(key)).toEqual(created);
    expect(await ledgers.create(key, acceptedLedger(2), NOW)).toBeUndefined();
    const updated = await ledgers.update(key, acceptedLedger(3), defined(created).version, NOW);
    expect(await ledgers.read(key)).toEqual(updated);
    expect(await ledgers.update(key, acceptedLedger(4), defined(created).version, NOW)).toBeUndefined();
  });

  test('keep the events of eight recipients that arrive at once', async () => {
    const key = ledgerKey('2026-11-20', '700001', 2);
    const standing = await ledgers.create(key, acceptedLedger(8), NOW);
    const outcomes = await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        settleLedger(
          { ledgers, clock: systemClock },
          key,
          {
            is: 'delivered',
            messageId: `m-${n}`,
            recipient: addressHash(`owner-${n}@merchants.example`),
            at: '2026-11-21T03:01:00.000Z',
            detail: null,
          },
          standing,
        ),
      ),
    );
    expect(outcomes).toEqual(Array.from({ length: 8 }, () => 'changed'));
    expect((await ledgers.read(key))?.ledger.recipients.map(({ status }) => status)).toEqual(
      Array.from({ length: 8 }, () => 'delivered'),
    );
  });
});

test(`alert states, on ${TARGET} are written by only one of two checks that read the same state`, async () => {
  const states = new AlertStateStore(s3, bucket);
  const state: AlertState = { day: '2026-11-20', tick: AT, rules: {}, owed: null };
  expect(await states.read('700001')).toBeUndefined();
  expect(await states.write('700001', state, undefined)).toBe(true);
  expect(await states.write('700001', state, undefined)).toBe(false);
  const known = await states.read('700001');
  expect(known?.state).toEqual(state);
  expect(await states.write('700001', state, defined(known).version)).toBe(true);
  expect(await states.write('700001', state, defined(known).version)).toBe(false);
});

test(`other stored objects, on ${TARGET} keep the first reason of a mail stop, and a repeated event recognises its own stop`, async () => {
  const stops = new SuppressionList(s3, bucket);
  const hash = addressHash('gone@merchants.example');
  expect(await stops.reason(hash)).toBeUndefined();
  expect(await stops.suppress(hash, { reason: 'hard bounce', at: AT, messageId: 'm-1' })).toBe(true);
  expect(await stops.suppress(hash, { reason: 'complaint', at: AT, messageId: 'm-2' })).toBe(false);
  expect(await stops.suppress(hash, { reason: 'hard bounce', at: AT, messageId: 'm-1' })).toBe(true);
  expect(await stops.reason(hash)).toBe('mail to this address is stopped: hard bounce');
});
