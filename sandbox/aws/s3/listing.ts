import type { Answer } from '../service.ts';
import { s3Errors, xmlAnswer } from './errors.ts';
import type { ObjectFiles } from './files/object-files.ts';
import { urlEncoded, type S3Request } from './request.ts';

const pageSize = 1000;

/** An entry of a listing: a key, or the common prefix of several keys. */
interface Entry {
  name: string;
  isPrefix: boolean;
}

/** ListObjectsV2: keys in the order of their UTF-8 bytes. Common prefixes count towards max-keys like keys. */
export function listObjectsV2(files: ObjectFiles, { bucket, query }: S3Request): Answer {
  const prefix = query.get('prefix') ?? '';
  const delimiter = query.get('delimiter') ?? '';
  if (query.has('start-after')) throw s3Errors.notImplemented('start-after');
  const token = query.get('continuation-token');
  const maxKeys = mostOf(query);
  const encoded = query.get('encoding-type') === 'url';
  const encode = (text: string) => (encoded ? urlEncoded(text) : text);

  const last = Buffer.from(token ?? '', 'base64').toString('utf8');
  const entries = grouped(files.keys(bucket, prefix), prefix, delimiter).filter(({ name }) =>
    isAfter(name, last),
  );
  const page = entries.slice(0, maxKeys);
  const next = entries.length > page.length ? page.at(-1) : undefined;

  return xmlAnswer('ListBucketResult', {
    Name: bucket,
    Prefix: encode(prefix),
    Delimiter: delimiter === '' ? undefined : encode(delimiter),
    ContinuationToken: token ?? undefined,
    NextContinuationToken: next && Buffer.from(next.name).toString('base64'),
    EncodingType: encoded ? 'url' : undefined,
    KeyCount: page.length,
    MaxKeys: maxKeys,
    IsTruncated: next !== undefined,
    Contents: page
      .filter(({ isPrefix }) => !isPrefix)
      .map(({ name }) => contents(files, bucket, name, encode)),
    CommonPrefixes: page.filter(({ isPrefix }) => isPrefix).map(({ name }) => ({ Prefix: encode(name) })),
  });
}

/** ListObjectVersions: by key, and the newest first. Common prefixes count towards max-keys like versions. */
export function listObjectVersions(files: ObjectFiles, { bucket, query }: S3Request): Answer {
  const prefix = query.get('prefix') ?? '';
  const [key, id] = [query.get('key-marker'), query.get('version-id-marker')];
  const maxKeys = mostOf(query);
  const versions = Map.groupBy(files.versions(bucket, prefix), (version) => version.key);
  const all = grouped([...versions.keys()], prefix, query.get('delimiter') ?? '').flatMap(
    ({ name, isPrefix }) => {
      const ofKey = isPrefix ? [undefined] : (versions.get(name) ?? []);
      return ofKey.map((version) => ({ name, version }));
    },
  );
  const start = all.findIndex(({ name, version }) => name === key && (version?.versionId ?? null) === id) + 1;
  const page = all.slice(start, start + maxKeys);
  const last = start + page.length < all.length ? page.at(-1) : undefined;
  const listed = page.flatMap(({ version }) => version ?? []);
  const entries = listed.map((version) => ({
    isMarker: version.attributes === undefined,
    shared: {
      Key: version.key,
      VersionId: version.versionId,
      IsLatest: version.isLatest,
      LastModified: version.modified.toISOString(),
    },
    content: { ETag: `"${version.attributes?.etag ?? ''}"`, Size: version.size, StorageClass: 'STANDARD' },
  }));
  return xmlAnswer('ListVersionsResult', {
    Name: bucket,
    Prefix: prefix,
    KeyMarker: key ?? undefined,
    VersionIdMarker: id ?? undefined,
    NextKeyMarker: last?.name,
    NextVersionIdMarker: last?.version?.versionId,
    MaxKeys: maxKeys,
    IsTruncated: last !== undefined,
    Version: entries.flatMap(({ isMarker, shared, content }) => (isMarker ? [] : { ...shared, ...content })),
    DeleteMarker: entries.flatMap(({ isMarker, shared }) => (isMarker ? shared : [])),
    CommonPrefixes: page.flatMap(({ name, version }) => (version === undefined ? { Prefix: name } : [])),
  });
}

function grouped(keys: readonly string[], prefix: string, delimiter: string): Entry[] {
  const entries: Entry[] = [];
  for (const key of keys) {
    const end = delimiter === '' ? -1 : key.indexOf(delimiter, prefix.length);
    if (end < 0) {
      entries.push({ name: key, isPrefix: false });
      continue;
    }
    const name = key.slice(0, end + delimiter.length);
    // The keys are sorted, so those with the same common prefix follow each other.
    if (entries.at(-1)?.name !== name) entries.push({ name, isPrefix: true });
  }
  return entries;
}

function contents(files: ObjectFiles, bucket: string, key: string, encode: (text: string) => string) {
  const object = files.find(bucket, key);
  if (object === undefined) return undefined;
  const { etag, checksum } = object.attributes;
  return {
    Key: encode(key),
    LastModified: object.modified.toISOString(),
    ETag: `"${etag}"`,
    ChecksumAlgorithm: checksum && 'CRC32',
    ChecksumType: checksum?.type,
    Size: object.size,
    StorageClass: 'STANDARD',
  };
}

function isAfter(name: string, other: string): boolean {
  return Buffer.compare(Buffer.from(name), Buffer.from(other)) > 0;
}

function mostOf(query: URLSearchParams): number {
  return Math.min(Number(query.get('max-keys') ?? pageSize), pageSize);
}
