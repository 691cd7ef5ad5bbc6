import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { GetObjectCommand, NoSuchKey, PutObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import pLimit from 'p-limit';
import type { Day } from '#records/day/business-day.ts';
import { checkedKey, dataFileInKey, dataKey, merchantDay, pageKey } from '#records/storage/keys.ts';
import type { PagePlace } from '#records/storage/keys.ts';
import { FORMATS, TABLES, manifestSchema, soFarUntil } from '#records/revision/manifest.ts';
import type { DataFile, Format, Manifest, Table } from '#records/revision/manifest.ts';
import { PageStore, unlessSpoilt } from './page-store.ts';
import { foreignLineCheck } from '#records/rows/read-sealed-row.ts';
import { checkRecordSchema, NO_CHECK } from '#records/revision/check-record.ts';
import type { CheckRecord, StandingCheck } from '#records/revision/check-record.ts';
import { StoredObjectError } from '#runtime/s3-objects.ts';
import { sealedLines, sealedLinesOf, otherThanSealed } from './sealed-lines.ts';

/** Gzip, with SHA-256 (hex) and bytes of the packed file. */
export interface SpooledFile {
  table: Table;
  format: Format;
  packed: { content: Buffer } | { path: string };
  rows: number;
  bytes: number;
  sha256: string;
}

const CONTENT_TYPES: Record<Format, string> = {
  json: 'application/x-ndjson',
  csv: 'text/csv; charset=utf-8',
};

/** Bytes. Larger files go up in parts of this size, two at a time. */
const PART_SIZE = 5 * 1024 * 1024;

const MOST_READS_AT_ONCE = 8;

/** A run that others overtake so often does not have the newest result. */
const RECORD_ATTEMPTS = 5;

function knowsMore(one: CheckRecord, other: CheckRecord): boolean {
  const [revision, otherRevision] = [one.revision ?? 0, other.revision ?? 0];
  if (revision !== otherRevision) return revision > otherRevision;
  return (one.asOf ?? '') > (other.asOf ?? '');
}

/** Another merchant's rows must not get into a mail. */
function misplacedFile({ merchantCode, day, pull, files }: Manifest): string | undefined {
  const misplaced = files.findIndex(
    ({ table, format, key }) => key !== dataKey(table, format, day, merchantCode, pull),
  );
  if (misplaced !== -1) return `files[${misplaced}].key`;
  const named = new Set(files.map(({ key }) => key));
  return named.size === TABLES.length * FORMATS.length ? undefined : 'files';
}

/** Sealed days, their rows and records (docs/interfaces.md, 5 Keys in the data bucket). */
export class DayStore extends PageStore<Manifest> {
  // For the stores beside it that a run seldom needs.
  declare readonly s3: S3Client;
  declare readonly bucket: string;
  /** JSON files of the last upload, by key: the mail is made right after the seal. */
  readonly #uploaded = new Map<string, Buffer>();

  constructor(s3: S3Client, bucket: string) {
    super(s3, bucket, manifestSchema);
  }

  override async revision(place: PagePlace): Promise<Manifest | undefined> {
    const manifest = await super.revision(place);
    const misplaced = manifest && misplacedFile(manifest);
    if (misplaced === undefined) return manifest;
    throw new StoredObjectError(pageKey(place), `belongs to another key: ${misplaced}`);
  }

  async upload(
    merchantCode: string,
    day: Day,
    pull: string,
    files: readonly SpooledFile[],
  ): Promise<DataFile[]> {
    const named = files.map(({ packed, ...file }) => ({
      packed,
      file: { ...file, key: dataKey(file.table, file.format, day, merchantCode, pull) },
    }));
    this.#uploaded.clear();
    await Promise.all(
      named.map(async ({ packed, file }) => {
        const input = { Bucket: this.bucket, Key: file.key, ContentType: CONTENT_TYPES[file.format] };
        if ('path' in packed) {
          // Most days need no more than one request a file, so what uploads in parts is loaded for large files only.
          const { Upload } = await import('#runtime/upload.ts');
          const params = { ...input, Body: createReadStream(packed.path) };
          await new Upload({ client: this.s3, partSize: PART_SIZE, queueSize: 1, params }).done();
          return;
        }
        await this.s3.send(new PutObjectCommand({ ...input, Body: packed.content }));
        if (file.format === 'json') this.#uploaded.set(file.key, packed.content);
      }),
    );
    return named.map(({ file }) => file);
  }

  /**
   * One row each. Fails, at the latest at its end, for another file or rows of another merchant or day: use
   * them after the end only.
   * @throws {StoredObjectError} when the file is gone, or is not the sealed one
   */
  async *lines(file: DataFile): AsyncGenerator<string> {
    const named = dataFileInKey(file.key);
    const isForeign = named && foreignLineCheck(named);
    const uploaded = this.#uploaded.get(file.key);
    const lines =
      uploaded === undefined ? sealedLines(await this.#body(file), file) : sealedLinesOf(uploaded, file);
    for await (const line of lines) {
      if (isForeign?.(line) !== false) {
        throw new StoredObjectError(file.key, 'has a row of another merchant or day');
      }
      yield line;
    }
  }

  async #body(file: DataFile): Promise<Readable> {
    const { key } = file;
    try {
      const input = { Bucket: this.bucket, Key: key };
      const { Body, ContentLength } = await this.s3.send(new GetObjectCommand(input));
      if (Body instanceof Readable) {
        if (ContentLength === file.bytes) return Body;
        Body.destroy();
        throw otherThanSealed(key);
      }
    } catch (error) {
      if (!(error instanceof NoSuchKey)) throw error;
    }
    throw new StoredObjectError(key, 'is named by a manifest but does not exist');
  }

  /** Unless the stored one is of a newer revision or later pull. @param known if it was read */
  async recordCheck(record: CheckRecord, known?: StandingCheck): Promise<void> {
    const { merchantCode, day } = record;
    const key = checkedKey(day, merchantCode);
    for (let attempt = 1; attempt <= RECORD_ATTEMPTS; attempt += 1) {
      const read = attempt === 1 ? known : undefined;
      const standing = read ?? (await this.standingCheck(merchantCode, day));
      if (standing === undefined) return this.putObject(key, record);
      if (standing.record !== undefined && knowsMore(standing.record, record)) return;
      if ((await this.writeObject(key, record, standing.version)) !== undefined) return;
    }
  }

  /** `undefined` when it is not readable. */
  async standingCheck(merchantCode: string, day: Day): Promise<StandingCheck | undefined> {
    try {
      const standing = await this.#readCheck(merchantCode, day);
      return standing === undefined ? NO_CHECK : { record: standing.value, version: standing.version };
    } catch (error) {
      if (error instanceof StoredObjectError) return undefined;
      throw error;
    }
  }

  async #readCheck(
    merchantCode: string,
    day: Day,
  ): Promise<{ value: CheckRecord; version: string } | undefined> {
    const key = checkedKey(day, merchantCode);
    const object = await this.readObject(key, checkRecordSchema);
    if (object !== undefined && (object.value.merchantCode !== merchantCode || object.value.day !== day)) {
      throw new StoredObjectError(key, 'belongs to another key');
    }
    return object;
  }

  /** @throws {StoredObjectError} when it is not readable */
  async lastCheck(merchantCode: string, day: Day): Promise<CheckRecord | undefined> {
    return (await this.#readCheck(merchantCode, day))?.value;
  }
}

/** The newest page of a day that is over; `undefined` also when it is spoilt, which stops only the runs of its own day. */
export async function wholeDay(
  snapshots: Pick<DayStore, 'newest'>,
  { merchantCode, timeZone }: { merchantCode: string; timeZone: string },
  day: Day,
): Promise<Manifest | undefined> {
  const page = await unlessSpoilt(() => snapshots.newest(merchantDay(merchantCode, day)));
  return page !== undefined && soFarUntil(page, timeZone) === null ? page : undefined;
}

/** The newest pages of those days that are over, in the order given, without spoilt ones. */
export async function wholeDays(
  snapshots: Pick<DayStore, 'newest'>,
  merchant: Parameters<typeof wholeDay>[1],
  days: readonly Day[],
): Promise<Manifest[]> {
  const pages = await pLimit(MOST_READS_AT_ONCE).map(days, (day) => wholeDay(snapshots, merchant, day));
  return pages.filter((page) => page !== undefined);
}
