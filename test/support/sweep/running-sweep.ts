import { buildDependencies } from '#watch/sweep/dependencies.ts';
import { createSweep, type SweepAnswer } from '#watch/sweep/create-sweep.ts';
import type { Ledger } from '#records/ledger/ledger.ts';
import { addressHash } from '#records/storage/keys.ts';
import { BUCKET, type DaybookWorld } from '../world/daybook-world.ts';
import { partsOf } from '../world/world-clock.ts';

export function sweep(world: DaybookWorld, event: Record<string, unknown> = {}): Promise<SweepAnswer> {
  return createSweep(partsOf(buildDependencies, world.clock))(event);
}

/** The ledger of a run that died while it mailed these addresses. */
export async function leaveDead(
  world: DaybookWorld,
  key: string,
  kind: Ledger['kind'],
  to: readonly string[],
): Promise<void> {
  const at = new Date(world.clock.now()).toISOString();
  const begun = { status: 'intended', intendedAt: at, until: at, writer: 'w', round: 1 };
  const recipients = to.map((address) => ({
    to: addressHash(address),
    status: 'intended',
    messageId: null,
    at,
  }));
  await world.aws.s3.write(BUCKET, key, JSON.stringify({ key, kind, figures: null, ...begun, recipients }));
}
