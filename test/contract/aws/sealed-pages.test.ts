import { describe, expect, test } from 'vitest';
import type { Manifest } from '#records/revision/manifest.ts';
import { SealedPages } from '#page/page-store.ts';
import { dataKey, dayPrefix, manifestKey, merchantDay, ownerPart } from '#records/storage/keys.ts';
import { SnapshotStore } from '#page/snapshot-store.ts';
import { awsUnderTest } from '#support/aws-contract/aws-under-test.ts';
import { sealedManifest } from '#support/domain/sealed-manifest.ts';
import { TARGET } from '#support/aws-contract/known-differences.ts';
import { fc, forAllAsync } from '#support/assertions/for-all.ts';

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

interface Place {
  merchantCode: string;
  day: string;
  revision: number;
  pull: string;
}

function sealedAt({ merchantCode, day, revision, pull }: Place): Manifest {
  const manifest = sealedManifest();
  return {
    ...manifest,
    merchantCode,
    day,
    revision,
    pull,
    previous: revision === 1 ? null : manifestKey(day, merchantCode, revision - 1),
    files: manifest.files.map((file) => ({
      ...file,
      key: dataKey(file.table, file.format, day, merchantCode, pull),
    })),
  };
}

const places = fc.record({
  merchantCode: fc.constantFrom('700001', '70000', '7000011', 'A-1'),
  day: fc.constantFrom('2026-10-20', '2026-10-21'),
  revision: fc.constantFrom(1, 2, 10),
  pull: fc.constantFrom('20261121T030005Z-9f2c61aa', '20261121T030005Z-00000000'),
});

describe(`a manifest, on ${TARGET}`, () => {
  const snapshots = new SnapshotStore(aws.clients.s3, aws.bucket);

  async function readFrom({ merchantCode, day, revision }: Place, manifest: Manifest) {
    await aws.write(manifestKey(day, merchantCode, revision), JSON.stringify(manifest));
    return snapshots.revision({ ...merchantDay(merchantCode, day), revision });
  }

  test('in its own place is read', () =>
    forAllAsync([places], { numRuns: 20 }, async (own) => {
      expect(await readFrom(own, sealedAt(own))).toMatchObject(own);
    }));

  test('of another merchant, day, revision or pull is never accepted', () =>
    forAllAsync([places, places], { numRuns: 30 }, async (own, other) => {
      fc.pre(JSON.stringify(own) !== JSON.stringify(other));
      const [here, there] = [sealedAt(own), sealedAt(other)];
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
