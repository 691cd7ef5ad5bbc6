import { createProve, type ProveAnswer } from '#proofs/prove/create-prove.ts';
import { buildDependencies } from '#proofs/prove/dependencies.ts';
import { keyAlias } from '#proofs/proof.ts';
import { readEnvironment } from '#registry/environment.ts';
import type { DaybookWorld } from '../world/daybook-world.ts';

/** The key of a world, whose stage has no name. */
export const ALIAS = keyAlias('local');

/**
 * Invokes `prove` of a cold start, on the world's clock. A world without a key gets one.
 *
 * @param most pages of one proof; left out: as many as the function takes
 */
export function prove(world: DaybookWorld, event: unknown = {}, most?: number): Promise<ProveAnswer> {
  if (world.aws.keys.find(ALIAS) === undefined) world.aws.keys.put(ALIAS);
  const dependencies = buildDependencies(readEnvironment(process.env), most);
  return createProve({ ...dependencies, clock: world.clock })(event);
}
