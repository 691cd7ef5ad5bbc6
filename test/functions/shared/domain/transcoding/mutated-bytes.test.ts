import { isUtf8 } from 'node:buffer';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '#support/fuzz/mutations.ts';
import { invoice, invoicePage } from '#support/hostile-shapes/answers.ts';
import { answerOf, bothWays } from '#support/transcoding/both-ways.ts';
import { easyStyle, printed } from '#support/transcoding/printed.ts';
import { usualRecord } from '#support/transcoding/records.ts';

interface Edit {
  does: 'replace' | 'insert' | 'delete' | 'cut' | 'repeat';
  at: number;
  length: number;
  bytes: string;
}

/** Bytes that mean something in JSON, in CSV, or in UTF-8. */
const BYTES = [
  ...[
    '"',
    '\\',
    ',',
    ':',
    '{',
    '}',
    '[',
    ']',
    '-',
    '+',
    '.',
    'e',
    'E',
    '0',
    '1',
    '9',
    ' ',
    '/',
    'n',
    'a',
    'u',
  ],
  ...['\n', '\r', '\t', '\0'],
  ...[
    '\x1f',
    '\x7f',
    '\xc3\xa9',
    '\xee\x80\x80',
    '\xe2\x80\xa8',
    '\xed\xa0\x80',
    '\xf0\x9f\xa7\xbe',
    '\xff',
    '\xee',
  ],
  ...[
    '\\"',
    '\\\\',
    '\\u0041',
    '\\ud800',
    '""',
    '","',
    '":"',
    '},{',
    '[]',
    '{}',
    'null',
    'true',
    '"id":1,',
    '1.0',
    '-0',
  ],
];

const edit: fc.Arbitrary<Edit> = fc.record({
  does: fc.constantFrom(
    'replace',
    'replace',
    'replace',
    'insert',
    'insert',
    'delete',
    'delete',
    'cut',
    'repeat',
  ),
  at: fc.noBias(fc.nat({ max: 100_000 })),
  length: fc.oneof({ weight: 4, arbitrary: fc.constant(1) }, fc.integer({ min: 1, max: 40 })),
  bytes: fc.constantFrom(...BYTES),
});

function edited(page: Buffer, { does, at, length, bytes }: Edit): Buffer {
  const start = at % (page.length + 1);
  const inserted = Buffer.from(bytes, 'latin1');
  const part = page.subarray(start, start + length);
  const pieces = {
    replace: [page.subarray(0, start), inserted, page.subarray(start + inserted.length)],
    insert: [page.subarray(0, start), inserted, page.subarray(start)],
    delete: [page.subarray(0, start), page.subarray(start + length)],
    cut: [page.subarray(0, start)],
    repeat: [page.subarray(0, start), part, page.subarray(start)],
  };
  return Buffer.concat(pieces[does]);
}

const answer = fc.oneof(
  fc
    .array(fc.tuple(usualRecord, easyStyle), { minLength: 1, maxLength: 2 })
    .map((records) => answerOf(...records.map(([record, style]) => printed(record, style)))),
  fc.constant(Buffer.from(invoicePage(`${invoice(1)},${invoice(2)}`))),
);

describe('an answer with changed bytes', () => {
  it('is left to the parser, or is accepted by the parser with the same lines', () => {
    let taken = 0;
    fc.assert(
      fc.property(answer, fc.array(edit, { minLength: 1, maxLength: 3 }), (page, edits) => {
        const changed = edits.reduce(edited, page);
        // The cipher refuses any other bytes.
        fc.pre(isUtf8(changed));
        const { isTaken, transcoded, parsed } = bothWays(changed);
        if (isTaken) taken += 1;
        expect(transcoded).toEqual(parsed);
      }),
      runs(4_000),
    );
    expect(taken).toBeGreaterThan(runs(4_000).numRuns / 60);
  });

  it('is the same for every byte of a record that is changed', () => {
    const page = answerOf(invoice(1, ''), invoice(2));
    const start = page.indexOf('{"id":1');
    const end = page.indexOf(',{"id":2');
    const bytes = ['"', '\\', ',', '0', '-', '}', ']', 'n', ' ', '\n', '\x7f'].map((byte) =>
      Buffer.from(byte),
    );
    let taken = 0;
    for (let at = start; at <= end; at += 1) {
      for (const byte of bytes) {
        const changed = Buffer.concat([page.subarray(0, at), byte, page.subarray(at + 1)]);
        if (!isUtf8(changed)) continue;
        const { isTaken, transcoded, parsed } = bothWays(changed);
        if (isTaken) taken += 1;
        expect(transcoded).toEqual(parsed);
      }
    }
    expect(taken).toBeGreaterThan(100);
  });

  it.each([0, 1, 2])('is left to the parser wherever it is cut off, with %i records', (records) => {
    const page = answerOf(...Array.from({ length: records }, (_, index) => invoice(index)));
    for (let length = 0; length < page.length; length += 1) {
      expect(bothWays(page.subarray(0, length)).isTaken).toBe(false);
    }
    expect(bothWays(page).isTaken).toBe(true);
  });
});
