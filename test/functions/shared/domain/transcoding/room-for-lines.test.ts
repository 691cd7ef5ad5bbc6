import { describe, expect, it } from 'vitest';
import { LineBuffer } from '#domain/transcoding/line-buffer.ts';
import { invoiceLayout } from '#domain/transcoding/row-layout.ts';
import { RowTranscoder, ownBytes } from '#domain/transcoding/row-transcoder.ts';
import { invoice, invoiceWith, listOf } from '#support/hostile-shapes/answers.ts';
import { ORIGIN, answerOf, bothWays } from '#support/transcoding/both-ways.ts';

/** A list that is four times as long when it is printed. */
const GROWING = `[${listOf('1e20', 4_900)}]`;
const KIBIBYTE = 1024;

function growing(record: string): string {
  return record.replaceAll(':null', `:${GROWING}`).replace(/"spliturl":[^\]]*\]/, '"spliturl":null');
}

const withName = (record: string, bytes: number) =>
  record.replace('"name":"نورة"', () => `"name":"${'n'.repeat(bytes)}"`);
const withCafe = (record: string, bytes: number) =>
  record.replace('"name":"Cafe"', () => `"name":"${'c'.repeat(bytes)}"`);

describe('lines that are longer than their records', () => {
  it.each([10, 50, 90, 100, 110, 130, 150, 300])(
    'have room for all that follows a value that grows: %i KiB',
    (kibibytes) => {
      const long = withName(growing(invoice(1)), kibibytes * KIBIBYTE);
      const last = withCafe(growing(invoice(2)), kibibytes * KIBIBYTE);
      for (const records of [[long], [last], [long, invoice(3), last]]) {
        const { isTaken, transcoded, parsed } = bothWays(answerOf(...records));
        expect(isTaken).toBe(true);
        expect(transcoded).toEqual(parsed);
      }
    },
  );

  it.each([1_000, 10_000, 20_000])('have room for %i texts with two quotes each', (count) => {
    const many = invoiceWith('payment_method', `[${listOf('""', count * 3)}]`);
    const { isTaken, transcoded, parsed } = bothWays(answerOf(many));
    expect(isTaken).toBe(true);
    expect(transcoded).toEqual(parsed);
  });

  it.each([60, 63, 64, 65, 66, 127, 128, 129])('have room for a record of %i KiB', (kibibytes) => {
    const size = kibibytes * KIBIBYTE;
    for (const value of ['a'.repeat(size), '\\"'.repeat(size / 2), ','.repeat(size)]) {
      const { isTaken, transcoded, parsed } = bothWays(
        answerOf(invoiceWith('url', `"${value}"`), invoice(2)),
      );
      expect(isTaken).toBe(true);
      expect(transcoded).toEqual(parsed);
    }
  });

  it('have room to the last byte, when nothing follows the record', () => {
    const own = ownBytes(ORIGIN);
    for (let short = 0; short < 120; short += 1) {
      const empty = invoiceWith('url', '""');
      const filled = 'u'.repeat(64 * KIBIBYTE - empty.length - short);
      const record = Buffer.from(invoiceWith('url', `"${filled}"`));
      const [json, csv] = [new LineBuffer(), new LineBuffer()];
      const end = new RowTranscoder(invoiceLayout(), new Set()).add(record, 0, own, json, csv);
      expect(end).toBe(record.length);
      const line = json.bytes.subarray(0, json.used);
      expect(line.equals(Buffer.concat([own.json, record.subarray(1), Buffer.from('\n')]))).toBe(true);
    }
  });

  it('have room for many records that fill their memory', () => {
    const records = Array.from({ length: 300 }, (_, index) =>
      withCafe(invoice(index), index % 50).replace(
        '"discount":"0.000"',
        `"discount":"-${'9'.repeat(30)}.999"`,
      ),
    );
    const { isTaken, transcoded, parsed } = bothWays(
      answerOf(...records, invoiceWith('description', '"a\\nb"')),
    );
    expect(isTaken).toBe(true);
    expect(transcoded).toEqual(parsed);
  });

  it('have room for values that are shorter than null, when these are left out', () => {
    const columns = [
      'invoice_type',
      'invoice_sub_type',
      'order_drop_id',
      'subscription',
      'sms_status',
      'url_status',
    ];
    const more = [
      'visited_count',
      'country_id',
      'created_id',
      'payment_method',
      'token',
      'split_access_key',
      'url',
    ];
    const records = Array.from({ length: 200 }, (_, index) => invoice(index).replace('TOKEN501', ''));
    const { isTaken, transcoded, parsed } = bothWays(answerOf(...records), [...columns, ...more]);
    expect(isTaken).toBe(true);
    expect(transcoded).toEqual(parsed);
  });
});
