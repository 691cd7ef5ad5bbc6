import { generateKeyPairSync, sign } from 'node:crypto';
import {
  checkEvidence,
  evidenceSchema,
  fingerprint,
  gatherEvidence,
  type Evidence,
} from '#bin/daybook/verify/verify.ts';
import { lineOf, readLine, readProof, sha256, signedText, type Proof } from '#page/prove/proof.ts';
import { merchantDay, proofKey } from '#records/storage/keys.ts';
import { createS3Client } from '#runtime/s3-client.ts';
import { defined, expectLinearTime } from '#support/assertions/index.ts';
import { prove } from '#support/proofs/running-prove.ts';
import { BUCKET, CODE, DAY, shareWorld } from '#support/world/daybook-world.ts';

/*
 * What a check finds: every single byte that was changed, and every chain that is not the one that was signed. And it refuses
 * nothing that is unchanged.
 */

const world = shareWorld({ merchants: 3 });
let evidence: Evidence;

const evidenceOf = (merchantCode: string, day: string) =>
  gatherEvidence({ s3: createS3Client, bucket: BUCKET }, merchantDay(merchantCode, day));

const DAYS = ['2026-11-18', '2026-11-19', DAY, '2026-11-21'];
const MERCHANTS = [CODE, '700002', '700003'];

beforeAll(async () => {
  for (const [index, day] of DAYS.entries()) {
    world.clock.setTo(`2026-11-${21 + index}T04:00:00Z`);
    for (const merchantCode of MERCHANTS) {
      world.payments.data.seedDay(merchantCode, day, { invoices: 6, refunds: 2 });
      await world.report({ merchantCode, day, send: false });
    }
    await prove(world);
  }
  const found = await evidenceOf(CODE, DAY);
  evidence = defined(found.evidence);
  expect(found.findings).toEqual([]);
});

/** The same numbers in every run. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

function changed(bytes: Buffer, random: (below: number) => number): Buffer {
  const copy = Buffer.from(bytes);
  const at = random(copy.length);
  copy[at] = (defined(copy[at]) + 1 + random(255)) % 256;
  return copy;
}

const wrongObjects = (of: Evidence, trusted?: string[]) =>
  checkEvidence(of, trusted).flatMap(({ kind, object }) => (kind === 'wrong' ? [object] : []));

/** The evidence with one of its objects changed, and the name that a finding must have. */
function oneChange(random: (below: number) => number): { object: string; of: Evidence } {
  const of = structuredClone(evidence);
  const text = (before: string) => changed(Buffer.from(before), random).toString();
  const objects = [
    () => {
      of.page.text = text(of.page.text);
      return of.page.key;
    },
    () => {
      const row = defined(of.rows[random(of.rows.length)]);
      row.content = changed(Buffer.from(row.content ?? '', 'base64'), random).toString('base64');
      return row.key;
    },
    () => {
      const proof = defined(of.proofs[random(of.proofs.length)]);
      proof.text = text(proof.text);
      return proof.key;
    },
    () => {
      const at = random(of.path.hashes.length);
      of.path.hashes[at] = changed(Buffer.from(defined(of.path.hashes[at]), 'hex'), random).toString('hex');
      return of.page.key;
    },
  ];
  return { object: defined(objects[random(objects.length)])(), of };
}

describe('a check of a page', () => {
  it('finds 8,000 single bytes that were changed in a page, its rows, a proof or the path, and says where', () => {
    const random = numbers(38);
    for (let count = 0; count < 8_000; count += 1) {
      const { object, of } = oneChange(random);
      expect(wrongObjects(of)).toContain(object);
    }
  }, 240_000);

  it('finds 2,000 single bytes that were changed in the file, and accepts the file', () => {
    const text = lineOf(evidence);
    const random = numbers(6962);
    for (let count = 0; count < 2_000; count += 1) {
      const read = readLine(evidenceSchema, changed(Buffer.from(text), random).toString());
      // A proof of another date, with a path that leads nowhere, is found by the check.
      if (read !== undefined) expect(wrongObjects(read)).not.toEqual([]);
    }
    expect(checkEvidence(defined(readLine(evidenceSchema, text)))).toEqual([]);
  }, 240_000);

  it('finds a last symbol of base64 that says the same bytes', () => {
    // The unused last bits are zero as they are written.
    const spoilt = (text: string) =>
      text.replace(
        /(.)(=+)$/,
        (_, last: string, end: string) => `${String.fromCodePoint(1 + defined(last.codePointAt(0)))}${end}`,
      );
    const [{ text } = { text: '' }] = evidence.proofs;
    const proof: Proof = defined(readProof(text));
    const bytes = (symbols: string) => Buffer.from(symbols, 'base64');
    const read = (content: string) => [
      readProof(lineOf({ ...proof, signature: content })),
      readLine(evidenceSchema, lineOf({ ...evidence, rows: [{ key: 'rows', content }] })),
    ];
    for (const length of [70, 71]) {
      const signature = Buffer.alloc(length).toString('base64');
      expect(bytes(spoilt(signature))).toEqual(bytes(signature));
      expect(read(signature)).not.toContain(undefined);
      expect(read(spoilt(signature))).toEqual([undefined, undefined]);
    }
  });

  it('takes time in proportion to the files that a page names', () =>
    expectLinearTime((size) => {
      const files = Array.from({ length: size }, (_, index) => ({
        key: `${index}`,
        sha256: sha256(''),
        rows: 1,
      }));
      const rows = files.flatMap(({ key }) => [key, `no ${key}`].map((one) => ({ key: one, content: '' })));
      const page = { ...evidence.page, text: JSON.stringify({ files }) };
      expect(checkEvidence({ ...evidence, page, rows })).toHaveLength(size + 1);
    }, 4_000));

  it('accepts every page that is as it was sealed', async () => {
    for (const day of DAYS)
      for (const merchantCode of MERCHANTS) {
        const { evidence: of, findings } = await evidenceOf(merchantCode, day);
        expect([...findings, ...checkEvidence(defined(of))]).toEqual([]);
      }
  });
});

/** The proofs, signed again by a key that is not the stage's, each following the one before it. */
function signedAnew(proofs: Evidence['proofs'], from: number): Evidence['proofs'] {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const der = publicKey.export({ format: 'der', type: 'spki' }).toString('base64');
  const made: { key: string; text: string }[] = [];
  for (const [index, { key, text }] of proofs.entries()) {
    const before = made.at(-1);
    const proof: Proof = defined(readProof(text));
    const { previous } = proof;
    const said = {
      ...proof,
      previous: previous && before ? { ...previous, sha256: sha256(before.text) } : previous,
      publicKey: der,
    };
    const signature = sign('sha256', Buffer.from(signedText(said)), privateKey).toString('base64');
    made.push({ key, text: index < from ? text : lineOf({ ...said, signature }) });
  }
  return made;
}

describe('a check of the chain', () => {
  const keys = ['2026-11-21', '2026-11-22', '2026-11-23', '2026-11-24'].map(proofKey);

  it('refuses a hole, and names what is missing', () => {
    for (const hole of [0, 1, 2]) {
      const found = checkEvidence({ ...evidence, proofs: evidence.proofs.toSpliced(hole, 1) });
      const [follows, is = 'none'] = [keys[hole], keys[hole - 1]];
      expect(found).toContainEqual({
        kind: 'wrong',
        object: keys[hole + 1],
        what: `follows ${follows}, and ${is} is before it: a proof is missing or was moved`,
      });
    }
    const cut = checkEvidence({ ...evidence, proofs: evidence.proofs.slice(0, 2) });
    expect(cut).toEqual([{ kind: 'wrong', object: keys[2], what: 'has the page, and is not here' }]);
  });

  it('refuses another order', () => {
    for (const order of ['0213', '1023', '0132', '00123']) {
      const proofs = Array.from(order, (place) => defined(evidence.proofs[Number(place)]));
      expect(wrongObjects({ ...evidence, proofs })).not.toEqual([]);
    }
  });

  it('refuses a signature of another key, also where it signed everything after', () => {
    for (const from of [1, 2, 3])
      expect(wrongObjects({ ...evidence, proofs: signedAnew(evidence.proofs, from) })).toContain(keys[from]);
    const signer = fingerprint(defined(readProof(defined(evidence.proofs[0]).text)).publicKey);
    expect(checkEvidence(evidence, [signer])).toEqual([]);
    // Only who knows the right key finds a chain that was made anew as a whole.
    const anew = { ...evidence, proofs: signedAnew(evidence.proofs, 0) };
    expect(checkEvidence(anew)).toEqual([]);
    expect(wrongObjects(anew, [signer])).toEqual(keys);
  });

  it('refuses the page of another merchant, and rows that the page does not name', async () => {
    const other = defined((await evidenceOf('700002', DAY)).evidence);
    expect(wrongObjects({ ...evidence, page: other.page })).toContain(other.page.key);
    expect(wrongObjects({ ...evidence, page: { ...evidence.page, key: other.page.key } })).not.toEqual([]);
    const more = checkEvidence({ ...evidence, rows: [...evidence.rows, ...other.rows] });
    expect(more.map(({ object }) => object)).toEqual(other.rows.map(({ key }) => key));
    // A reader of the file may take the first of two, and Daybook the last.
    const [first] = evidence.rows;
    const two = { ...evidence, rows: [{ ...defined(first), content: 'AAAA' }, ...evidence.rows] };
    expect(wrongObjects(two)).toContain(first?.key);
    const gone = checkEvidence({ ...evidence, rows: evidence.rows.slice(1) });
    expect(gone).toMatchObject([{ kind: 'missing', object: evidence.rows[0]?.key }]);
  });
});
