import { ALIAS, expectProven, prove } from '../proofs/running-prove.ts';
import { CODE, DAY } from '../world/daybook-world.ts';
import type { Scenario } from './scenario.ts';

const HOUR = 60 * 60 * 1_000;

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
      await expectProven(world, 2);
    },
  },
];
