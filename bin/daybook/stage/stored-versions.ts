import { ListObjectVersionsCommand } from '@aws-sdk/client-s3';
import type { ListObjectVersionsCommandOutput } from '@aws-sdk/client-s3';
import type { Stage } from './stage.ts';

export interface StoredVersion {
  key: string;
  version: string;
  /** `null`: the mark of a deletion. */
  etag: string | null;
  /** Whether it is the newest one of its key. */
  isLatest: boolean;
  /** Milliseconds UTC. */
  modified: number;
}

/** All versions of the keys with a prefix. With a delimiter, those directly under it, and the folders there. */
export async function versionsUnder(stage: Stage, prefix: string, delimiter?: '/') {
  const found = { versions: new Array<StoredVersion>(), folders: new Array<string>() };
  const input = { Bucket: stage.bucket, Prefix: prefix, Delimiter: delimiter };
  let page: ListObjectVersionsCommandOutput | undefined;
  do {
    const after = { KeyMarker: page?.NextKeyMarker, VersionIdMarker: page?.NextVersionIdMarker };
    page = await stage.s3().send(new ListObjectVersionsCommand({ ...input, ...after }));
    const { Versions: versions = [], DeleteMarkers: marks = [], CommonPrefixes: folders = [] } = page;
    for (const one of [...versions, ...marks.map((mark) => ({ ...mark, ETag: null }))]) {
      const { Key: key = '', VersionId: version = '', ETag: etag = '', IsLatest: isLatest = false } = one;
      found.versions.push({ key, version, etag, isLatest, modified: one.LastModified?.getTime() ?? 0 });
    }
    found.folders.push(...folders.flatMap(({ Prefix: folder }) => folder ?? []));
  } while (page.IsTruncated === true);
  return found;
}
