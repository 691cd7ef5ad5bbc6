import type { Manifest } from '#records/revision/manifest.ts';
import { dataKey, manifestKey } from '#records/storage/keys.ts';
import { sealedManifest } from './sealed-manifest.ts';

/** As a sealed day has it, with the keys of its files and of the revision before. Its rows do not exist. */
export function placedManifest(changes: Partial<Manifest> = {}): Manifest {
  const manifest = { ...sealedManifest(), ...changes };
  const { merchantCode, day, revision, pull } = manifest;
  return {
    ...manifest,
    previous: revision === 1 ? null : manifestKey(day, merchantCode, revision - 1),
    files: manifest.files.map((file) => ({
      ...file,
      key: dataKey(file.table, file.format, day, merchantCode, pull),
    })),
  };
}
