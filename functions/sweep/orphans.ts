import { dataFileInKey } from '#domain/storage/keys.ts';

/** An object of the bucket as a listing shows it. `lastModified`: milliseconds UTC. */
export interface ListedObject {
  key: string;
  lastModified: number;
}

/**
 * Which of these objects are nothing but what a run left that did not come to its seal: files of data, written before
 * that time, that no manifest names. Whatever is not exactly a key of data is none.
 *
 * @param named the keys in all manifests of the days and merchants that the objects are of
 * @param before milliseconds UTC; a pull under way has written its files later than that
 */
export function orphansAmong(
  objects: readonly ListedObject[],
  named: ReadonlySet<string>,
  before: number,
): string[] {
  return objects
    .filter(
      ({ key, lastModified }) => lastModified < before && !named.has(key) && dataFileInKey(key) !== undefined,
    )
    .map(({ key }) => key);
}
