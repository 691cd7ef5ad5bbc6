import type { S3Client } from '@aws-sdk/client-s3';
import { csvParseRows } from 'd3-dsv';
import * as z from 'zod';
import { DaybookError } from '#records/errors/daybook-error.ts';
import { watchListKeys } from '#records/storage/keys.ts';
import { integer } from '#records/rows/contract-types.ts';
import { integerText, parseExactJson } from '#records/json/exact-json.ts';
import { readText } from '#runtime/s3-objects.ts';

/** A watch list is malformed. Names the key and the place. */
export class WatchListError extends DaybookError {
  override readonly name = 'WatchListError';
}

/** Each is a request of its own in every pull. */
const MOST_IDS = 10_000;

const ID = /^\d{1,30}$/;
const listSchema = z.lazy(() =>
  z.array(z.union([integer.transform(integerText), z.string()]).pipe(z.string().regex(ID))),
);

/** Some editors add a byte order mark, which is not visible. It is not part of the list. */
function withoutMark(text: string): string {
  return text.replace(/^\uFEFF/, '');
}

function fromCsv(text: string, key: string): string[] {
  return csvParseRows(withoutMark(text)).flatMap(([cell = ''], index) => {
    const id = cell.trim();
    if (id === '' || (index === 0 && id.toLowerCase() === 'id')) return [];
    if (!ID.test(id)) throw new WatchListError(`${key}, line ${index + 1}: is not a refund id (digits)`);
    return id;
  });
}

function fromJson(text: string, key: string): string[] {
  try {
    return listSchema.parse(parseExactJson(withoutMark(text)));
  } catch {
    throw new WatchListError(`${key}: is not a JSON array of refund ids`);
  }
}

/**
 * Refund ids from the CSV object, the JSON object or both (docs/interfaces.md, 5 Keys in the data bucket).
 * @throws {WatchListError} when a list is malformed, or there are too many ids
 * @throws {StoredObjectError} when a list is too large
 */
export async function watchedRefundIds(
  s3: S3Client,
  bucket: string,
  merchantCode: string,
): Promise<string[]> {
  const keys = watchListKeys(merchantCode);
  const [csv, json] = await Promise.all([readText(s3, bucket, keys.csv), readText(s3, bucket, keys.json)]);
  const ids = [
    ...(csv === undefined ? [] : fromCsv(csv.text, keys.csv)),
    ...(json === undefined ? [] : fromJson(json.text, keys.json)),
  ];
  if (ids.length > MOST_IDS) {
    const present = [csv && keys.csv, json && keys.json].filter((key) => key !== undefined);
    throw new WatchListError(`${present.join(', ')}: ${ids.length} refund ids are more than ${MOST_IDS}`);
  }
  return ids;
}
