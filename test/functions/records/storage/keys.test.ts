import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as keys from '#records/storage/keys.ts';

const DAY = '2026-11-20';
const MERCHANT = '700001';

describe('keys', () => {
  it.each([
    [1, 'r0001'],
    [42, 'r0042'],
    [9999, 'r9999'],
    [10000, 'r10000'],
  ])('of revision %d are named %s', (revision, name) => {
    expect(keys.manifestKey(DAY, MERCHANT, revision)).toBe(
      `days/day=2026-11-20/merchant=700001/${name}.json`,
    );
    expect(keys.ledgerKey(DAY, MERCHANT, revision)).toBe(`mail/day=2026-11-20/merchant=700001/${name}.json`);
  });

  it('of manifests have one common prefix', () => {
    expect(keys.pagePrefix(keys.merchantDay(MERCHANT, DAY))).toBe('days/day=2026-11-20/merchant=700001/');
  });

  it('contain no address and nothing from notices to ops', () => {
    expect(keys.suppressionKey(keys.addressHash('Canary@Example.com'))).toMatch(
      /^mail-stops\/[0-9a-f]{64}\.json$/,
    );
    expect(keys.opsNoticeKey('canary of merchant 700001')).toMatch(/^mail\/ops\/[0-9a-f]{64}\.json$/);
  });
});

describe('revisionInKey', () => {
  it('reads back what manifestKey and ledgerKey write', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1_000_000 }), (revision) => {
        expect(keys.revisionInKey(keys.manifestKey(DAY, MERCHANT, revision))).toBe(revision);
        expect(keys.revisionInKey(keys.ledgerKey(DAY, MERCHANT, revision))).toBe(revision);
      }),
    );
  });

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

describe('addressHash', () => {
  it('is SHA-256 of the address in lower case, without blanks around it', () => {
    expect(keys.addressHash('a@example.com')).toBe(
      '08168cd80dfd534ab0f10af10f1303fe00af2d43ab5c1432360d137f8197e17a',
    );
    expect(keys.addressHash(' A@Example.COM ')).toBe(keys.addressHash('a@example.com'));
  });

  it('distinguishes addresses', () => {
    expect(keys.addressHash('a@example.com')).not.toBe(keys.addressHash('b@example.com'));
  });
});
