import { createHash } from 'node:crypto';
import { buildDependencies, createProve, type ProveAnswer } from '#page/prove/create-prove.ts';
import { isSigned, keyAlias, merkleTree, pageLine, readProof } from '#page/prove/proof.ts';
import { pageInKey, provenPagesKey } from '#records/storage/keys.ts';
import { readEnvironment } from '#registry/environment.ts';
import { defined } from '../assertions/index.ts';
import { BUCKET, type DaybookWorld } from '../world/daybook-world.ts';

/** The key of a world, whose stage has no name. */
export const ALIAS = keyAlias('local');

/** Invokes `prove` of a cold start. A world without a key gets one. `most`: pages of one proof. */
export function prove(world: DaybookWorld, event: unknown = {}, most?: number): Promise<ProveAnswer> {
  if (!world.aws.keys.has(ALIAS)) world.aws.keys.put(ALIAS);
  const dependencies = buildDependencies(readEnvironment(process.env), most);
  return createProve({ ...dependencies, clock: world.clock })(event);
}

/** The page's line, by the bytes in the bucket. */
export async function lineOf(world: DaybookWorld, key: string): Promise<string> {
  const bytes = defined(await world.aws.s3.read(BUCKET, key));
  return pageLine(key, createHash('sha256').update(bytes).digest('hex'));
}

/** There are so many proofs, each signed for a list that is there, and every page, as it is there, is in one of them. */
export async function expectProven(world: DaybookWorld, proofs: number): Promise<void> {
  const keys = world.keys('proofs/2');
  expect(keys).toHaveLength(proofs);
  const proven: string[] = [];
  for (const key of keys) {
    const proof = defined(readProof(await world.text(key)));
    expect(isSigned(proof)).toBe(true);
    const lines = (await world.text(provenPagesKey(proof.root))).split('\n').slice(0, -1);
    expect(merkleTree(lines).root).toBe(proof.root);
    proven.push(...lines);
  }
  const pages = world.keys().filter((key) => pageInKey(key) !== undefined);
  const lines = await Promise.all(pages.map((key) => lineOf(world, key)));
  expect(proven.toSorted()).toEqual(lines.toSorted());
}
