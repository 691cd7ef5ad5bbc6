import { createHash } from 'node:crypto';
import { expect } from 'vitest';
import { isSigned, merkleTree, pageLine, readProof } from '#proofs/proof.ts';
import { pageInKey, provenPagesKey } from '#records/storage/keys.ts';
import { defined } from '#support/assertions/defined.ts';
import { ALIAS, prove } from '../proofs/running-prove.ts';
import { BUCKET, CODE, DAY, type DaybookWorld } from '../world/daybook-world.ts';
import { expectKnownObjects } from './bucket.ts';
import type { Scenario } from './scenario.ts';

const HOUR = 60 * 60 * 1_000;

/** Every page of the bucket is in one of the proofs, each of which is signed for a list that is there. */
async function expectProven(world: DaybookWorld, dates: number): Promise<void> {
  const keys = world.keys('proofs/2');
  expect(keys).toHaveLength(dates);
  const proven: string[] = [];
  for (const key of keys) {
    const proof = defined(readProof(await world.text(key)));
    expect(isSigned(proof)).toBe(true);
    const lines = (await world.text(provenPagesKey(proof.root))).split('\n').slice(0, -1);
    expect(merkleTree(lines).root).toBe(proof.root);
    proven.push(...lines);
  }
  const pages = world.keys().filter((key) => pageInKey(key) !== undefined);
  const lines = pages.map(async (key) => {
    const bytes = defined(await world.aws.s3.read(BUCKET, key));
    return pageLine(key, createHash('sha256').update(bytes).digest('hex'));
  });
  expect(proven.toSorted()).toEqual((await Promise.all(lines)).toSorted());
}

/** The scenario of `prove` in the matrix. */
export const proofScenarios: readonly Scenario[] = [
  {
    name: 'the pages of a night, after an earlier proof',
    functionName: 'prove',
    arrange: async (world) => {
      world.aws.keys.put(ALIAS);
      world.payments.data.seedDay(CODE, DAY, { invoices: 2, refunds: 1 });
      world.payments.data.seedDay(CODE, '2026-11-19', { invoices: 2, refunds: 0 });
      await world.putRegistry();
    },
    before: async (world) => {
      await world.report({ day: '2026-11-19', send: false });
      await prove(world);
      world.clock.ahead += 2 * HOUR;
      await world.report({ send: false });
      world.clock.ahead -= 2 * HOUR;
    },
    event: () => ({}),
    ahead: 24 * HOUR,
    calls: ['ListObjectsV2', 'GetObject', 'GetPublicKey', 'Sign', 'PutObject'],
    verify: async (world) => {
      await expectKnownObjects(world);
      await expectProven(world, 2);
    },
  },
];
