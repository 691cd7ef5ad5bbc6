import { afterEach, describe, expect, it } from 'vitest';
import { manifestKey } from '#records/storage/keys.ts';
import { BUCKET, CODE, DAY, DaybookWorld } from '#support/world/daybook-world.ts';

/*
 * A day is pulled again for two reasons: the service changed while the day was read, or another run has sealed different
 * content meanwhile. Together, both reasons can use at most three pulls.
 */

let world: DaybookWorld;
afterEach(() => world.close());

/** A day that is sealed once and has changed since then. */
async function start(): Promise<void> {
  world = await DaybookWorld.start({ perPage: 3 });
  world.payments.data.seedDay(CODE, DAY, { invoices: 40, refunds: 2 });
  await world.report();
  world.payments.data.evolve(CODE, DAY);
}

/** How often the day was pulled since then. Each pull requests the second page of a type once. */
async function pullsOf(run: () => Promise<unknown>): Promise<number> {
  const asked = () =>
    world.payments.requests.filter(({ query }) => query['invoiceType'] === '1' && query['page'] === '2')
      .length;
  const before = asked();
  await run();
  return asked() - before;
}

/** Another run takes this many revision numbers with its own content, each just before this run would take it. */
function contest(times: number): void {
  let revision = 1;
  world.aws.faults.add({
    service: 's3',
    operation: 'PutObject',
    key: /^days\//,
    times,
    action: {
      kind: 'call',
      before: async () => {
        const standing = await world.manifest(revision);
        revision += 1;
        const taken = {
          ...standing,
          revision,
          digest: revision.toString().padStart(64, '0'),
          previous: manifestKey(DAY, CODE, revision - 1),
        };
        await world.aws.s3.write(BUCKET, manifestKey(DAY, CODE, revision), JSON.stringify(taken));
      },
    },
  });
}

/** The service changes during this many pulls. */
function move(pulls: number): void {
  world.payments.behaviour.faults.add({
    operation: 'invoices',
    page: 2,
    invoiceType: '1',
    times: pulls,
    action: { kind: 'call', after: () => void world.payments.data.insertInvoice(CODE, DAY) },
  });
}

describe('one invocation makes at most three pulls', () => {
  it('if every pull is unsettled and every number is taken', async () => {
    await start();
    move(Infinity);
    contest(Infinity);
    const pulls = await pullsOf(() =>
      expect(world.report()).rejects.toMatchObject({
        name: 'SealContestedError',
        message: `merchant ${CODE}, day ${DAY}: another run sealed other content during the last of 3 attempts`,
      }),
    );
    expect(pulls).toBe(3);
    expect(world.mails('correction')).toEqual([]);
  });

  it('if the first pull is unsettled and the numbers of the others are taken', async () => {
    await start();
    move(1);
    contest(2);
    const run = () => expect(world.report()).rejects.toMatchObject({ name: 'SealContestedError' });
    expect(await pullsOf(run)).toBe(3);
  });

  it('if the number of the first is taken and the others are unsettled: the last one is sealed and marked', async () => {
    await start();
    contest(1);
    let listed = 0;
    world.payments.behaviour.faults.add({
      operation: 'invoices',
      page: 2,
      invoiceType: '1',
      times: Infinity,
      action: {
        kind: 'call',
        after: () => {
          listed += 1;
          if (listed > 1) world.payments.data.insertInvoice(CODE, DAY);
        },
      },
    });
    const run = async () => {
      expect(await world.report()).toMatchObject({ revision: 3, unchanged: false, balanced: false });
    };
    expect(await pullsOf(run)).toBe(3);
    expect((await world.manifest(3)).previous).toBe(manifestKey(DAY, CODE, 2));
  });

  it('and only two if one number is taken', async () => {
    await start();
    contest(1);
    const run = async () => {
      expect(await world.report()).toMatchObject({ revision: 3, balanced: true });
    };
    expect(await pullsOf(run)).toBe(2);
  });

  it('also in a dry run', async () => {
    await start();
    move(Infinity);
    expect(await pullsOf(() => world.report({ dryRun: true }))).toBe(3);
  });
});
