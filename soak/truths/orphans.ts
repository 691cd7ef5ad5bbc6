import { dataFileInKey } from '#domain/storage/keys.ts';
import type { BrokenPromise } from './broken-promise.ts';
import type { Evidence } from './evidence.ts';

/** When a pull's id was made, milliseconds UTC. */
function timeOf(pull: string): number {
  return Date.parse(pull.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z.*$/, '$1-$2-$3T$4:$5:$6Z'));
}

/** No file without a seal is older than this. @param before milliseconds UTC */
export function orphans(
  { objects, days }: Pick<Evidence, 'objects' | 'days'>,
  before: number,
): BrokenPromise[] {
  const named = new Set([...days.values()].flat().flatMap(({ files }) => files.map(({ key }) => key)));
  return [...objects.keys()].flatMap((key): BrokenPromise[] => {
    const file = dataFileInKey(key);
    if (file === undefined || named.has(key) || timeOf(file.pull) >= before) return [];
    const { merchantCode, day } = file;
    return [{ merchantCode, day, what: `${key} belongs to no revision and was not removed` }];
  });
}
