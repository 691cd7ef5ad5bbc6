import * as keys from '#records/storage/keys.ts';
import { mailsOfLedger, stopInKey, stopKey } from '#records/storage/readers-stop.ts';
import {
  CHANGES_OF_A_DAY,
  LATEST_CHANGE,
  MARKER_SPAN,
  changeMarker,
  changeMarkerSchema,
} from '#records/storage/change-marker.ts';
import { Readable } from 'node:stream';
import { boundedText } from '#records/storage/object-bounds.ts';
import { fc, forAll, forAllAsync } from '#support/assertions/index.ts';

const DAY = '2026-11-20';
const MERCHANT = '700001';

it('keys contain no address and nothing from notices to ops', () => {
  expect(keys.suppressionKey(keys.addressHash('Canary@Example.com'))).toMatch(
    /^mail-stops\/[0-9a-f]{64}\.json$/,
  );
  expect(keys.opsNoticeKey('canary of merchant 700001')).toMatch(/^mail\/ops\/[0-9a-f]{64}\.json$/);
});

describe('revisionInKey', () => {
  it('reads back what manifestKey and ledgerKey write', () =>
    forAll([fc.integer({ min: 1, max: 1_000_000 })], (revision) => {
      expect(keys.revisionInKey(keys.manifestKey(DAY, MERCHANT, revision))).toBe(revision);
      expect(keys.revisionInKey(keys.ledgerKey(DAY, MERCHANT, revision))).toBe(revision);
    }));

  it.each([
    'days/day=2026-11-20/merchant=700001/',
    'days/day=2026-11-20/merchant=700001/r001.json',
    'days/day=2026-11-20/merchant=700001/r0001.json.bak',
    'days/day=2026-11-20/merchant=700001/x0001.json',
    'r0001.json',
    'days/day=2026-11-20/merchant=r0001/r12x4.json',
  ])('finds no revision in %s', (key) => {
    expect(keys.revisionInKey(key)).toBeUndefined();
  });
});

it('addressHash is SHA-256 of the address in lower case, without blanks around it', () => {
  const hash = '08168cd80dfd534ab0f10af10f1303fe00af2d43ab5c1432360d137f8197e17a';
  expect(['a@example.com', ' A@Example.COM '].map(keys.addressHash)).toEqual([hash, hash]);
});

/** A day and any moment of some centuries, milliseconds UTC. */
const moments = fc.integer({ min: 0, max: Date.parse('2500-01-01T00:00:00Z') });
const changes = fc.constantFrom(...CHANGES_OF_A_DAY);

describe('a change marker', () => {
  it.each([
    ['2026-11-21T06:14:59.999Z', 'noted_on=2026-11-21/0610'],
    ['2026-11-21T00:00:00.000Z', 'noted_on=2026-11-21/0000'],
    ['2026-11-20T23:59:59.999Z', 'noted_on=2026-11-20/2350'],
  ])(
    'of %s has a key with the date and time of its beginning, what changes, and the day',
    (moment, begin) => {
      const key = keys.changeKey(changeMarker('days', DAY, Date.parse(moment)));
      expect(key).toBe(`changes/${begin}-days-2026-11-20.json`);
    },
  );

  it('is the same for all moments of its span and for no other, and LATEST_CHANGE covers a run of 15 minutes', () =>
    forAll([moments, fc.nat(MARKER_SPAN - 1), changes], (moment, later, what) => {
      const begin = moment - (moment % MARKER_SPAN);
      const marker = changeMarker(what, DAY, begin + later);
      expect(marker).toEqual({ day: DAY, what, notedAt: new Date(begin).toISOString() });
      expect(changeMarkerSchema.parse(marker)).toEqual(marker);
      expect(begin + later + 15 * 60_000).toBeLessThan(begin + LATEST_CHANGE - 4 * 60_000);
    }));

  it('has another key for each span, each day and each kind of change', () =>
    forAll([moments, moments, changes, changes], (one, other, what, otherWhat) => {
      const markers = [changeMarker(what, DAY, one), changeMarker(otherWhat, DAY, other)] as const;
      const same = JSON.stringify(markers[0]) === JSON.stringify(markers[1]);
      expect(keys.changeKey(markers[0]) === keys.changeKey(markers[1])).toBe(same);
    }));
});

it('a body is read as text up to the limit and no further, in whatever pieces it arrives', async () => {
  const texts = fc.string({ unit: 'grapheme', maxLength: 200 });
  await forAllAsync([texts, fc.integer({ min: 1, max: 9 }), fc.nat(300)], async (text, size, most) => {
    const bytes = Buffer.from(text);
    const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
      bytes.subarray(index * size, (index + 1) * size),
    );
    const body = Readable.from(pieces, { objectMode: false });
    const expected = bytes.length > most ? undefined : text;
    expect(await boundedText(body, 'checked/x.json', most)).toBe(expected);
  });
});

it('a body that never ends is read up to the limit and no further, and is released', async () => {
  let given = 0;
  const endless = new Readable({
    read() {
      given += 64 * 1024;
      this.push(Buffer.alloc(64 * 1024, 'a'));
    },
  });
  expect(await boundedText(endless, 'checked/x.json', 1024 * 1024)).toBeUndefined();
  expect(endless.destroyed).toBe(true);
  expect(given).toBeLessThan(2 * 1024 * 1024);
});

it('a body that fails is an error that names the key', async () => {
  const broken = new Readable({
    read() {
      this.destroy(new Error('cut'));
    },
  });
  await expect(boundedText(broken, 'checked/x.json', 10)).rejects.toMatchObject({
    name: 'StorageError',
    message: 'S3 GetObject of checked/x.json failed: Error',
  });
});

describe('what a reader stops', () => {
  const recipient = keys.addressHash('a@merchants.example');
  const owner = { merchantCode: MERCHANT };

  it.each([
    [keys.ledgerKey(DAY, MERCHANT, 3), { owner, mails: 'reports' }],
    [keys.pageLedgerKey({ owner, period: '2026-W47', revision: 1 }), { owner, mails: 'statements' }],
    [
      keys.pageLedgerKey({ owner: { group: 'shops' }, period: DAY, revision: 1 }),
      { owner: { group: 'shops' }, mails: 'pages' },
    ],
    [keys.alertLedgerKey(MERCHANT, '20261121T030000Z-9f2c61aa'), { owner, mails: 'alerts' }],
    [keys.opsNoticeKey('held'), undefined],
    [keys.manifestKey(DAY, MERCHANT, 1), undefined],
  ] as const)('is said by the ledger: %s', (key, mails) => {
    expect(mailsOfLedger(key)).toEqual(mails);
    // It is never taken for the stop of all mail.
    const stop = mails && { hash: recipient, of: mails };
    expect(stop && stopInKey(stopKey(stop))).toEqual(stop);
  });

  it('of all mail has a key of its own', () => {
    const ofAll = { hash: recipient, of: null };
    expect(stopKey(ofAll)).toBe(keys.suppressionKey(recipient));
    expect(stopInKey(stopKey(ofAll))).toEqual(ofAll);
  });

  it.each([
    `mail-stops/group=shops/reports/${recipient}.json`,
    `mail-stops/merchant=${MERCHANT}/pages/${recipient}.json`,
    `mail-stops/merchant=${MERCHANT}/reports/${recipient}.json.bak`,
  ])('is not in the key %s', (key) => {
    expect(stopInKey(key)).toBeUndefined();
  });
});
