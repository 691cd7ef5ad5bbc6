import { createHash, createHmac } from 'node:crypto';
import { LONGEST_TOKEN, readToken, signedToken, type LinkClaim } from '#mail/links/link-tokens.ts';
import { addressHash, type PageOwner } from '#records/storage/keys.ts';
import { fc, forAllAsync } from '#support/assertions/index.ts';
import { STOPPABLE } from '#records/storage/readers-stop.ts';

const KEY = 'k'.repeat(64);
const OTHER = 'o'.repeat(64);

const name = fc.stringMatching(/^[A-Za-z0-9-]{1,64}$/);
const owner = fc.oneof(
  name.map((merchantCode): PageOwner => ({ merchantCode })),
  name.map((group): PageOwner => ({ group })),
);
const hash = fc.string().map(addressHash);
const claims: fc.Arbitrary<LinkClaim> = fc.oneof(
  fc.record({
    kind: fc.constant('file' as const),
    place: fc.record({
      owner,
      period: fc.constantFrom('2026-11-20', '2026-W47', '2026-11'),
      revision: fc.integer({ min: 1, max: 999_999_999 }),
    }),
    format: fc.constantFrom('csv' as const, 'xlsx' as const, 'pdf' as const),
    hash,
    mailedAt: fc.integer({ min: 1, max: 4_000_000_000 }).map((seconds) => seconds * 1_000),
  }),
  fc.record({
    kind: fc.constant('stop' as const),
    of: fc.record({ owner, mails: fc.constantFrom(...STOPPABLE) }),
    hash,
  }),
);

/** The id of a key, as it stands in its tokens. */
function idOf(key: string): string {
  const stop = { owner: { group: 'shops' }, mails: 'pages' } as const;
  return (
    signedToken(key, { kind: 'stop', of: stop, hash: addressHash('a') })
      .split('.')
      .at(-2) ?? ''
  );
}

function read(text: string, keys = [KEY]): Promise<LinkClaim | undefined> {
  return readToken(text, (id) => Promise.resolve(keys.find((key) => idOf(key) === id)));
}

/** The token with the id of a key, signed with another. */
function signedAs(id: string, key: string, token: string): string {
  const body = token.split('.').slice(0, -2).concat(id).join('.');
  return `${body}.${createHmac('sha256', key).update(body).digest('base64url')}`;
}

/** A text made from a token: no longer that token. */
const spoilt = fc
  .tuple(claims, fc.nat(), fc.nat({ max: 7 }), fc.string({ unit: 'grapheme', minLength: 1, maxLength: 3 }))
  .chain(([claim, at, bit, foreign]) => {
    const token = signedToken(KEY, claim);
    const place = at % token.length;
    const flipped = Buffer.from(token);
    flipped[place] = (flipped[place] ?? 0) ^ (1 << bit);
    const digest = createHash('sha256').update(`${at}`).digest('base64url');
    const parts = token.split('.');
    const with_ = (index: number, part: string) => parts.with(index, part).join('.');
    return fc
      .constantFrom(
        flipped.toString('latin1'),
        flipped.toString('utf8'),
        token.slice(0, place),
        token.slice(place + 1),
        `${token}${foreign}`,
        `${foreign}${token}`,
        token.slice(0, place) + foreign + token.slice(place),
        with_(2, `${parts[2] ?? ''}x`),
        with_(1, parts[1] === 'm' ? 'g' : 'm'),
        with_(parts.length - 3, digest),
        with_(parts.length - 1, digest),
        `${token}=`,
        encodeURIComponent(`${token}/`),
        `${token}\n`,
        signedAs(idOf(KEY), OTHER, token),
        signedToken(OTHER, claim),
      )
      .filter((text) => text !== token);
  });

describe('a token', () => {
  it('says what was signed, in letters that a link keeps, and in under 200 characters', () =>
    forAllAsync([claims], async (claim) => {
      const token = signedToken(KEY, claim);
      expect(token).toMatch(/^[\w.-]+[A-Za-z0-9]$/);
      expect(token.length).toBeLessThanOrEqual(LONGEST_TOKEN);
      expect(await read(token)).toEqual(claim);
      expect(await read(token, [OTHER, KEY])).toEqual(claim);
    }));

  it('is read as nothing when it is not exactly that, each of 10,000 times, and soon', async () => {
    let slowest = 0;
    await forAllAsync([spoilt], { numRuns: 10_000 }, async (text) => {
      const before = process.cpuUsage();
      expect(await read(text)).toBeUndefined();
      const { user, system } = process.cpuUsage(before);
      slowest = Math.max(slowest, (user + system) / 1_000);
    });
    // Milliseconds of the processor, with what else the process did in between.
    expect(slowest).toBeLessThan(50);
  });

  it('of a page that cannot be says nothing, whoever signed it', async () => {
    const place = { owner: { merchantCode: '700001' }, period: '2026-13', revision: 1 };
    const claim = { kind: 'file', place, format: 'csv', hash: addressHash('a'), mailedAt: 0 } as const;
    expect(await read(signedToken(KEY, claim))).toBeUndefined();
  });

  it('names no key that another secret has, and nothing of the secret', () => {
    expect(idOf(KEY)).not.toBe(idOf(OTHER));
    expect(createHash('sha256').update(KEY).digest('base64url')).not.toContain(idOf(KEY));
  });
});
