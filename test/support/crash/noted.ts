import { LATEST_CHANGE, changeMarkerSchema } from '#records/storage/change-marker.ts';
import { CHANGES } from '#records/storage/keys.ts';
import { changeOf } from '#soak/truths/ledger-of-truths.ts';
import type { DaybookWorld } from '../world/daybook-world.ts';

/** Every manifest and report ledger has a change marker, here one written before it, in the time that readers allow. */
export async function expectNoted(world: DaybookWorld): Promise<void> {
  const markers = new Map(
    await Promise.all(
      world
        .keys(CHANGES)
        .map(async (key) => [key, changeMarkerSchema.parse(JSON.parse(await world.text(key)))] as const),
    ),
  );
  const noted = new Set([...markers.values()].map(({ what, day }) => `${what} ${day}`));
  for (const key of world.keys()) {
    const change = changeOf(key);
    if (change !== undefined) expect(noted, key).toContain(`${change.what} ${change.day}`);
  }
  const requests = world.aws.requests.filter(({ operation }) => operation === 'PutObject');
  for (const [index, { key = '', at, status }] of requests.entries()) {
    const change = changeOf(key);
    // A dead process got no answer (0). Its object may be there.
    if (change === undefined || (status !== 200 && status !== 0)) continue;
    const earlier = requests.slice(0, index).some((request) => {
      const marker = markers.get(request.key ?? '');
      if (request.status !== 200) return false;
      if (marker?.what !== change.what || marker.day !== change.day) return false;
      const age = at.getTime() - Date.parse(marker.notedAt);
      return age >= 0 && age < LATEST_CHANGE;
    });
    expect(earlier, `a marker before ${key}`).toBe(true);
  }
}
