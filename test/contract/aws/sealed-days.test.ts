import { describe, expect, test } from 'vitest';
import { S3SealedDays } from '#snapshots/s3-sealed-days.ts';
import { manifestKey } from '#domain/storage/keys.ts';
import { awsUnderTest } from '#support/aws-contract/aws-under-test.ts';
import { TARGET } from '#support/aws-contract/known-differences.ts';

const aws = await awsUnderTest();
const sealedDays = new S3SealedDays(aws.clients.s3, aws.bucket);
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
    expect(await sealedDays.newestRevisions('2026-11-19')).toEqual(new Map());
    expect(await sealedDays.merchants('2026-11-19')).toEqual(new Set());
  });

  test('give more merchants than one page holds, each with its newest revision', async () => {
    const first = Array.from({ length: MERCHANTS }, (_, n) => manifestKey(DAY, codeOf(n), 1));
    // The last merchant of the first page has its second revision on the next page.
    const second = [0, 498, 499, 500, 998, 999, MERCHANTS - 1].map((n) => manifestKey(DAY, codeOf(n), 2));
    await writeAll([...first, ...second]);
    // Keys that a prefix must not match, and an object that is no manifest.
    await writeAll([manifestKey('2026-11-21', '1', 1), `days/day=${DAY}/merchant=x/notes.txt`]);
    aws.s3.taken();

    const revisions = await sealedDays.newestRevisions(DAY);
    expect(pages()).toBe(2);
    expect(revisions.size).toBe(MERCHANTS);
    expect([...revisions.values()].filter((revision) => revision === 2)).toHaveLength(second.length);
    expect(revisions.get(codeOf(999))).toBe(2);

    const merchants = await sealedDays.merchants(DAY);
    expect(pages()).toBe(2);
    expect(merchants.size).toBe(MERCHANTS + 1);
    expect(merchants.has(codeOf(MERCHANTS - 1))).toBe(true);
  });
});
