import { beforeEach, expect, it } from 'vitest';
import { CODE, DAY, useWorld } from '#support/world/daybook-world.ts';
import { checkRecord, doneKeys, failureOf, spoolsLeft } from '#support/daily-report/failed-run.ts';

const OTHER = '700002';

const world = useWorld({ merchants: 2 });
beforeEach(() => {
  world.payments.data.seedDay(CODE, DAY, { invoices: 20, refunds: 2 });
  world.payments.data.seedDay(OTHER, DAY, { invoices: 30, refunds: 3 });
});

/** The faults of the first merchant only. */
const failures: [string, string, () => Promise<void> | void][] = [
  ['a refused login', 'LoginRefusedError', () => void (world.payments.behaviour.loginRefused = [CODE])],
  [
    'a malformed entry in the shared secret',
    'SecretError',
    () => world.putSecret({ [CODE]: { accessCode: 7 } }),
  ],
  [
    'a malformed entry in the registry',
    'InvalidMerchantError',
    () => world.putRegistry({ [CODE]: { timeZone: 'Nowhere' } }),
  ],
  [
    'answers that are not JSON',
    'MalformedAnswerError',
    () =>
      world.serviceDoes({ kind: 'cut-json' }, { merchantCode: CODE, operation: 'invoices', times: Infinity }),
  ],
  [
    'a service that fails',
    'ServerError',
    () => world.serviceDoes({ kind: 'server-error', status: 500 }, { merchantCode: CODE, times: Infinity }),
  ],
];

it.each(failures)(
  '%s of one merchant affects no other merchant in the same warm function',
  async (_name, error, fail) => {
    await fail();
    const warm = world.coldStart();
    const [failed, answer] = [
      await failureOf(warm({ merchantCode: CODE, day: DAY })),
      await warm({ merchantCode: OTHER, day: DAY }),
    ];
    expect(failed.name).toBe(error);
    expect(doneKeys(world, CODE)).toEqual([]);
    expect(answer).toMatchObject({
      revision: 1,
      balanced: true,
      counts: { total: 30 },
      refunds: { count: 3 },
    });
    expect(answer.mail.status).toBe('sent');
    expect(world.mails().map((mail) => mail.tags['merchant'])).toEqual([OTHER]);
    expect(await checkRecord(world, OTHER)).toMatchObject({ outcome: 'sealed', error: null });
    expect(await spoolsLeft()).toEqual([]);
  },
);
