import { dataFileInKey } from '#domain/storage/keys.ts';

/** An object of the bucket in a listing. `lastModified`: milliseconds UTC. */
export interface ListedObject {
  key: string;
  lastModified: number;
}

/**
 * The objects that a run left without a seal: data files from before `before` that no manifest names. A key
 * that is not exactly the key of a data file is never an orphan.
 *
 * @param named the keys in all manifests of the same days and merchants
 * @param before milliseconds UTC; a pull that still runs wrote its files later than that
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
