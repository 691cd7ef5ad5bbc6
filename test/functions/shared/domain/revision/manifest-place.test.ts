import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { dataKey, manifestKey } from '#domain/storage/keys.ts';
import { misplacedMember } from '#domain/revision/manifest-place.ts';
import type { Manifest } from '#domain/revision/manifest.ts';
import { sealedManifest } from '#support/domain/sealed-manifest.ts';

interface Place {
  merchantCode: string;
  day: string;
  revision: number;
  pull: string;
}

function sealedAt({ merchantCode, day, revision, pull }: Place): Manifest {
  const manifest = sealedManifest();
  return {
    ...manifest,
    merchantCode,
    day,
    revision,
    pull,
    previous: revision === 1 ? null : manifestKey(day, merchantCode, revision - 1),
    files: manifest.files.map((file) => ({
      ...file,
      key: dataKey(file.table, file.format, day, merchantCode, pull),
    })),
  };
}

const place = fc.record({
  merchantCode: fc.constantFrom('700001', '70000', '7000011', 'A-1'),
  day: fc.constantFrom('2026-11-20', '2026-11-21'),
  revision: fc.constantFrom(1, 2, 10),
  pull: fc.constantFrom('20261121T030005Z-9f2c61aa', '20261121T030005Z-00000000'),
});

it('a manifest in its own place has no misplaced member', () => {
  fc.assert(
    fc.property(place, (own) => {
      expect(misplacedMember(sealedAt(own), own)).toBeUndefined();
    }),
  );
});

it('a manifest of another merchant, day, revision or pull is never accepted', () => {
  fc.assert(
    fc.property(place, place, (own, other) => {
      fc.pre(JSON.stringify(own) !== JSON.stringify(other));
      const [here, there] = [sealedAt(own), sealedAt(other)];
      const asked = { ...own };
      // Any part of the other manifest in this one, while the rest is correct.
      const members = (['merchantCode', 'day', 'revision', 'pull', 'previous', 'files'] as const).filter(
        (member) => JSON.stringify(here[member]) !== JSON.stringify(there[member]),
      );
      for (const member of members) {
        expect(misplacedMember({ ...here, [member]: there[member] }, asked)).toBeDefined();
      }
    }),
  );
});
