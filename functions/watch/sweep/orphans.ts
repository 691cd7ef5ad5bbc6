import { dataFileInKey } from '#records/storage/keys.ts';

/** `lastModified` is milliseconds UTC. */
export interface ListedObject {
  key: string;
  lastModified: number;
}

/**
 * Data files from before `before` (milliseconds UTC; a pull that runs wrote later) that no manifest names. A
 * key that is not exactly a data file's is never an orphan.
 * @param named the keys in all manifests of these days and merchants
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
