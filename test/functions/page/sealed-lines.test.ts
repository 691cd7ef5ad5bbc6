import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { isUnreadableObject } from '#runtime/s3-objects.ts';
import { sealedLines, sealedLinesOf } from '#page/sealed-lines.ts';
import { mostUnpacked } from '#records/storage/object-bounds.ts';
import type { DataFile } from '#records/revision/manifest.ts';
import { textWith, expectLinearTime, fc, forAllAsync, ANY_CHARACTER } from '#support/assertions/index.ts';

const MIB = 1024 * 1024;
const KEY = 'invoices/json/day=2026-11-20/merchant=700001/20261121T030005Z-9f2c61aa.jsonl.gz';

function fileOf(bytes: number, rows: number): DataFile {
  return { table: 'invoices', format: 'json', key: KEY, rows, bytes, sha256: '' };
}

/** The manifest's description of a file that was sealed in this way. */
function sealed(packed: Buffer, rows: number): DataFile {
  return { ...fileOf(packed.length, rows), sha256: createHash('sha256').update(packed).digest('hex') };
}

function read(body: Buffer | Readable, file: DataFile): Promise<string[]> {
  const stream = body instanceof Readable ? body : Readable.from(body, { objectMode: false });
  return Array.fromAsync(sealedLines(stream, file));
}

/** A gzip file with several members, which unpacks to this many MiB of the text. It has a few KiB for each 64 MiB. */
function bomb(text: string, mebibytes: number): Buffer {
  const member = gzipSync(Buffer.alloc(64 * MIB, text), { level: 9 });
  return Buffer.concat(Array.from({ length: mebibytes / 64 }, () => member));
}

it('sealed lines are the rows as they were written, whatever they contain', async () => {
  const rows = fc.array(
    fc.string({ unit: ANY_CHARACTER, maxLength: 50 }).map((row) => `{${row.replaceAll('\n', ' ')}`),
  );
  await forAllAsync([rows, fc.integer({ min: 1, max: 20 })], async (lines, size) => {
    const expected = lines.map((line) => line.toWellFormed());
    const packed = gzipSync(expected.map((line) => `${line}\n`).join(''));
    const pieces = Array.from({ length: Math.ceil(packed.length / size) }, (_, index) =>
      packed.subarray(index * size, (index + 1) * size),
    );
    const body = Readable.from(pieces, { objectMode: false });
    expect(await read(body, sealed(packed, lines.length))).toEqual(expected);
    expect([...sealedLinesOf(packed, sealed(packed, lines.length))]).toEqual(expected);
  });
});

it('sealed lines in memory are refused if they are not the file in the manifest', () => {
  const packed = gzipSync('{}\n{}\n');
  const other = gzipSync('{}\n[]\n');
  const reading = (content: Buffer, rows: number) => () => [...sealedLinesOf(content, sealed(packed, rows))];
  expect(reading(packed, 2)()).toEqual(['{}', '{}']);
  expect(reading(other, 2)).toThrow('is not the file that was sealed');
  expect(reading(packed, 1)).toThrow('has more lines than the 1 rows');
});

const LINES = bomb('{}\n', 640);
const ROWS = bomb(`${'a'.repeat(1_023)}\n`, 6_400);

it.each<[string, Buffer, { bytes?: number; rows: number }, string]>([
  ['in bytes', LINES, { bytes: 1_000, rows: 5 }, 'has more than the 1000 bytes of its manifest'],
  ['in rows', LINES, { rows: 5 }, 'has more lines than the 5 rows'],
  ['in one endless line', bomb('a', 6_400), { rows: 5 }, 'has a line of more than'],
  ['unpacked, although its manifest was changed to match', ROWS, { rows: 1e9 }, 'unpacked'],
])(
  'a file that is larger than its manifest says ends the reading at once with an error that names its key: %s',
  async (_what, packed, { bytes = packed.length, rows }, reason) => {
    let characters = 0;
    const reading = async () => {
      const stream = Readable.from(packed, { objectMode: false });
      for await (const line of sealedLines(stream, fileOf(bytes, rows))) characters += line.length;
    };
    const refused = { name: 'StoredObjectError', key: KEY, message: textWith(reason) };
    await expect(reading()).rejects.toMatchObject(refused);
    // The whole file would be gigabytes, or hundreds of millions of rows.
    expect(characters).toBeLessThanOrEqual(mostUnpacked(packed.length));
  },
  30_000,
);

it('a long line takes time in proportion to its length', async () => {
  await expectLinearTime(async (mebibytes) => {
    // Random bytes compress badly, so the line comes in many pieces.
    const line = Buffer.from(
      Array.from({ length: mebibytes * MIB }, (_, index) => 32 + ((index * 2_654_435_761) % 94)),
    ).toString('latin1');
    const packed = gzipSync(`${line}\n`, { level: 1 });
    expect(await read(packed, sealed(packed, 1))).toHaveLength(1);
  }, 1);
});

describe('a file that cannot be read to its end', () => {
  const packed = gzipSync('{}\n{}\n');
  const expectFailure = async (body: Buffer | Readable, code: string, isForEver: boolean) => {
    const error: unknown = await read(body, sealed(packed, 2)).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ name: 'StoredObjectError', key: KEY });
    expect(String(error)).toContain(`cannot be read to its end (${code})`);
    expect(isUnreadableObject(error)).toBe(isForEver);
  };

  it('may be read later when the connection broke', async () => {
    const reset = Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });
    const broken = async function* () {
      yield packed.subarray(0, 10);
      await Promise.reject(reset);
    };
    await expectFailure(Readable.from(broken(), { objectMode: false }), 'ECONNRESET', false);
  });

  it.each([
    ['Z_DATA_ERROR', 'not gzip', Buffer.from('x'.repeat(packed.length))],
    ['Z_BUF_ERROR', 'incomplete', packed.subarray(0, packed.length - 4)],
  ])('can never be read (%s) when its content is %s', async (code, _what, body) =>
    expectFailure(body, code, true),
  );
});
