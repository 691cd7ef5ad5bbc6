import type { Day } from '../day/business-day.ts';
import { dataKey, manifestKey } from '../storage/keys.ts';
import { FORMATS, TABLES } from './manifest.ts';
import type { Manifest } from './manifest.ts';

/** The manifest that a key names. */
export interface ManifestPlace {
  merchantCode: string;
  day: Day;
  revision: number;
}

/**
 * The first member of a manifest that does not belong to the key it was read from, `undefined` when all do.
 * Checked are merchant, day, revision, the revision before, and the keys of its four files. A manifest copied
 * to another key would bring another merchant's rows into a mail.
 *
 * @returns the member, such as `files[2].key`
 */
export function misplacedMember(manifest: Manifest, place: ManifestPlace): string | undefined {
  const { merchantCode, day, revision } = place;
  if (manifest.merchantCode !== merchantCode) return 'merchantCode';
  if (manifest.day !== day) return 'day';
  if (manifest.revision !== revision) return 'revision';
  const previous = revision === 1 ? null : manifestKey(day, merchantCode, revision - 1);
  if (manifest.previous !== previous) return 'previous';
  const misplaced = manifest.files.findIndex(
    ({ table, format, key }) => key !== dataKey(table, format, day, merchantCode, manifest.pull),
  );
  if (misplaced !== -1) return `files[${misplaced}].key`;
  const named = new Set(manifest.files.map(({ key }) => key));
  return named.size === TABLES.length * FORMATS.length ? undefined : 'files';
}
