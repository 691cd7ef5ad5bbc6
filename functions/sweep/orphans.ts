import { dataFileInKey } from '#domain/storage/keys.ts';

/** `lastModified` is milliseconds UTC. */
export interface ListedObject {
  key: string;
  lastModified: number;
}

/**
 * From before `before` (milliseconds UTC; a pull that runs wrote later), and named by none of the manifests'
 * keys in `named`. A key that is not exactly a data file's is never an orphan.
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
