import { randomBytes } from 'node:crypto';
import { ListMultipartUploadsCommand } from '@aws-sdk/client-s3';
import { gunzipSync } from 'node:zlib';
import { DayStore, type SpooledFile } from '#page/day-store.ts';
import { Spool } from '#page/daily-report/pull/spool.ts';
import { manifestKey, merchantDay } from '#records/storage/keys.ts';
import type { Manifest } from '#records/revision/manifest.ts';
import { placedManifest } from '#support/records/manifests.ts';
import { awsUnderTest } from '#support/aws-contract/aws-under-test.ts';
import { TARGET } from '#support/aws-contract/known-differences.ts';
import { defined } from '#support/assertions/index.ts';

const aws = await awsUnderTest();
const { bucket } = aws;
const snapshots = new DayStore(aws.clients.s3, bucket);
const CODE = '700001';
const NOW = Date.parse('2026-11-21T03:00:07Z');
const MEBIBYTE = 1024 * 1024;

function manifest(day: string, revision: number, pull = `20261121T030005Z-${revision}`): Manifest {
  return placedManifest({ day, revision, pull });
}

function seal(page: Manifest): Promise<Manifest> {
  return snapshots.seal({ ...merchantDay(CODE, page.day), revision: page.revision }, page, NOW);
}

/** A row of the merchant's day as Daybook writes it. */
function row(members: object): string {
  return JSON.stringify({ _merchant_code: CODE, _day: '2026-11-20', _query_type: '1', ...members });
}

/** Spools rows of a table and hands the finished file to the test. */
async function spooled(lines: Iterable<string>): Promise<SpooledFile> {
  const spool = new Spool();
  onTestFinished(() => spool.discard());
  const writer = spool.writer('invoices', 'json');
  for (const line of lines) {
    writer.addRow(Buffer.from(line));
    await writer.room();
  }
  return writer.finish();
}

/** Rows that do not compress, with about this number of bytes in the file. */
function* largeRows(bytes: number): Generator<string> {
  for (let left = bytes; left > 0; left -= 48 * 1024)
    yield row({ noise: randomBytes(48 * 1024).toString('base64') });
}

async function uploadsUnderWay(): Promise<string[]> {
  const { Uploads = [] } = await aws.clients.s3.send(new ListMultipartUploadsCommand({ Bucket: bucket }));
  return Uploads.map(({ Key = '' }) => Key);
}

describe(`a seal, on ${TARGET}`, () => {
  test('is stored under its number and is the newest', async () => {
    const day = '2026-11-01';
    expect(await snapshots.newest(merchantDay(CODE, day))).toBeUndefined();
    const first = manifest(day, 1);
    expect(await seal(first)).toBe(first);
    expect(await snapshots.newest(merchantDay(CODE, day))).toEqual(first);
    const second = manifest(day, 2);
    await seal(second);
    expect(await snapshots.newest(merchantDay(CODE, day))).toEqual(second);
    expect(await snapshots.revision({ ...merchantDay(CODE, day), revision: 1 })).toEqual(first);
    expect(await snapshots.revision({ ...merchantDay(CODE, day), revision: 3 })).toBeUndefined();
  });

  test('answers with the owner when its number is taken', async () => {
    const theirs = await seal(manifest('2026-11-02', 1, 'theirs'));
    expect(await seal(manifest('2026-11-02', 1, 'ours'))).toEqual(theirs);
  });

  test('is made by one of twelve runs at once, and the others learn which one', async () => {
    const day = '2026-11-03';
    const runs = Array.from({ length: 12 }, (_, n) => manifest(day, 1, `pull-${n}`));
    const standing = await Promise.all(runs.map(seal));
    const pulls = new Set(standing.map(({ pull }) => pull));
    expect(pulls.size).toBe(1);
    expect(await snapshots.newest(merchantDay(CODE, day))).toMatchObject({ pull: defined([...pulls][0]) });
    expect(await aws.keys(`days/day=${day}/`)).toEqual([manifestKey(day, CODE, 1)]);
  });

  test('is recognised as its own when the answer is lost', async () => {
    aws.s3.loseAnswer(({ method, key }) => method === 'PUT' && key.startsWith('days/'));
    const ours = manifest('2026-11-04', 1, 'ours');
    expect(await seal(ours)).toEqual(ours);
  });

  test('keeps the record of the last check', async () => {
    const nothing = {
      pull: null,
      revision: null,
      scheduledTime: null,
      asOf: null,
      mail: null,
      refundIds: null,
    };
    const failed = { ...nothing, outcome: 'failed', error: 'ServiceTimeout' } as const;
    const check = { merchantCode: CODE, day: '2026-11-06', checkedAt: '2026-11-07T03:00:00.000Z', ...failed };
    expect(await snapshots.lastCheck(CODE, '2026-11-06')).toBeUndefined();
    await snapshots.recordCheck(check);
    await snapshots.recordCheck({ ...check, outcome: 'unchanged', error: null });
    expect(await snapshots.lastCheck(CODE, '2026-11-06')).toMatchObject({ outcome: 'unchanged' });
  });
});

let uploads = 0;

/** Uploads a file of the merchant's day, each of another pull. */
async function uploaded(file: SpooledFile) {
  uploads += 1;
  const [stored] = await snapshots.upload(CODE, '2026-11-20', `20261121T030005Z-0000000${uploads}`, [file]);
  return defined(stored);
}

describe(`data files, on ${TARGET}`, () => {
  const name = 'StoredObjectError';

  test('are uploaded in one request when they are small, and read back line by line', async () => {
    const lines = [row({ id: 1, name: 'قهوة' }), row({ id: 2, name: 'line\u2028separator' })];
    aws.s3.taken();
    const file = await uploaded(await spooled(lines));
    expect(aws.s3.taken().map(({ method, key, status }) => ({ method, key, status }))).toEqual([
      { method: 'PUT', key: file.key, status: 200 },
    ]);
    expect(await Array.fromAsync(snapshots.lines(file))).toEqual(lines);
    expect((await aws.read(file.key))?.length).toBe(file.bytes);
  });

  test('are uploaded in parts when they are large, byte for byte as spooled, and read back as a stream', async () => {
    const rows = [...largeRows(17 * MEBIBYTE)];
    const large = await spooled(rows);
    aws.s3.taken();
    const file = await uploaded(large);
    const taken = aws.s3.taken();
    const parts = taken.filter(({ query }) => query.has('partNumber'));
    expect(parts).toHaveLength(Math.ceil(large.bytes / (5 * MEBIBYTE)));
    expect(taken.every(({ status }) => status === 200)).toBe(true);
    const stored = defined(await aws.read(file.key));
    expect(gunzipSync(stored).toString()).toBe(`${rows.join('\n')}\n`);
    let read = 0;
    for await (const line of snapshots.lines(file)) {
      expect(line === rows[read]).toBe(true);
      read += 1;
    }
    expect(read).toBe(rows.length);
    expect(await uploadsUnderWay()).toEqual([]);
  });

  test('free the connection when a reader stops early', async () => {
    const file = await uploaded(await spooled(largeRows(MEBIBYTE)));
    // This is more than the number of the client's connections.
    for (let reader = 0; reader < 60; reader += 1) {
      for await (const line of snapshots.lines(file)) {
        expect(line).not.toBe('');
        break;
      }
    }
  });

  test('are completed when the answer to a part is lost', async () => {
    const large = await spooled(largeRows(9 * MEBIBYTE));
    aws.s3.loseAnswer(({ query }) => query.get('partNumber') === '2');
    const file = await uploaded(large);
    expect((await aws.read(file.key))?.length).toBe(large.bytes);
  });

  test('are stored when the answer to the completion is lost', async () => {
    const large = await spooled(largeRows(9 * MEBIBYTE));
    aws.s3.taken();
    const isCompletion = ({ method, query }: { method: string; query: URLSearchParams }) =>
      method === 'POST' && query.has('uploadId');
    aws.s3.loseAnswer(isCompletion);
    const file = await uploaded(large);
    const completions = aws.s3.taken().filter(isCompletion);
    expect(completions.map(({ status }) => status)).toEqual([200, 200]);
    expect((await aws.read(file.key))?.length).toBe(large.bytes);
  });

  test('leave no object and no paid parts behind when the upload fails', async () => {
    const large = await spooled(largeRows(9 * MEBIBYTE));
    for (let attempt = 0; attempt < 4; attempt += 1)
      aws.s3.loseAnswer(({ query }) => query.get('partNumber') === '1');
    const before = await aws.keys('invoices/');
    const failed = { name: 'StorageError', operation: 'UploadPart' };
    await expect(uploaded(large)).rejects.toMatchObject(failed);
    expect(await aws.keys('invoices/')).toEqual(before);
    expect(await uploadsUnderWay()).toEqual([]);
  });

  test('give an error with their key when a manifest names a missing file', async () => {
    const missing = { ...defined(placedManifest().files[0]), key: 'invoices/json/nowhere.jsonl.gz' };
    const { key } = missing;
    await expect(Array.fromAsync(snapshots.lines(missing))).rejects.toMatchObject({ name, key });
  });

  test('give an error with their key, before any line, when a file is cut off', async () => {
    const file = await uploaded(await spooled(largeRows(MEBIBYTE)));
    const stored = defined(await aws.read(file.key));
    await aws.write(file.key, stored.subarray(0, stored.length / 2));
    const { key } = file;
    await expect(Array.fromAsync(snapshots.lines(file))).rejects.toMatchObject({ name, key });
  });
});
