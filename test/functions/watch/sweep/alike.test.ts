import { beforeEach, describe, expect, it } from 'vitest';
import { alertStateKey, ledgerKey, pageLedgerKey } from '#records/storage/keys.ts';
import { BUCKET, CODE, DAY, useWorld } from '#support/world/daybook-world.ts';
import { leaveDead, sweep } from '#support/sweep/running-sweep.ts';

const HOUR = 60 * 60 * 1_000;

const world = useWorld();

const LEDGERS = [
  ledgerKey(DAY, CODE, 1),
  pageLedgerKey({ owner: { group: 'owners' }, period: '2026-10', revision: 1 }),
];
const NAMES = ['r0001.json.bak', 'r0001.json\n', 'r1.json', 'r00001.json', 'before/r0001.json'];
const SIMILAR = LEDGERS.flatMap((key) => NAMES.map((name) => key.replace('r0001.json', name)));

it.each([...SIMILAR, ledgerKey(DAY, CODE, 1).replace('merchant=', 'copies/merchant=')])(
  'a key that is only similar to the key of a ledger is left alone: %j',
  async (key) => {
    await leaveDead(world, key, 'report', ['owner@merchants.example']);
    const copy = await world.text(key);
    world.clockAhead += 2 * HOUR;
    expect(await sweep(world)).toEqual({ settled: 0, held: 0, removed: 0 });
    expect(await world.text(key)).toBe(copy);
    expect(world.keys('mail/ops/')).toEqual([]);
  },
);

describe('the state of a merchant', () => {
  beforeEach(async () => {
    world.payments.data.seedDay(CODE, DAY, { invoices: 20, refunds: 0 });
    await world.putRegistry({ [CODE]: { alerts: [{ name: 'many', measure: 'invoiceCount', above: 20 }] } });
    await world.alertCheck({ day: DAY });
    world.payments.data.insertInvoice(CODE, DAY, {});
    world.clockAhead += 2 * HOUR;
  });

  it('is left alone if a check came after it was listed and has not begun its mail yet', async () => {
    // The sandbox stamps objects by the machine's clock. For the sweep the state is as old as before the check.
    const action = { kind: 'call', before: () => sweep(world).then(() => undefined) } as const;
    world.aws.faults.add({ service: 's3', operation: 'PutObject', key: /^mail\/alerts\//, action });
    expect(await world.alertCheck({ day: DAY })).toMatchObject({ mailed: true });
    expect(world.mails('ops')).toEqual([]);
  });

  it('is examined once, whatever copies are stored beside it', async () => {
    const action = { kind: 'reset', when: 'before' } as const;
    world.aws.faults.add({
      service: 's3',
      operation: 'PutObject',
      key: /^mail\/alerts\//,
      times: Infinity,
      action,
    });
    await expect(world.alertCheck({ day: DAY })).rejects.toThrow();
    world.aws.faults.clear();
    await world.aws.s3.write(BUCKET, `${alertStateKey(CODE)}.bak`, 'a copy');
    world.clockAhead += 2 * HOUR;
    for (let time = 0; time < 2; time += 1) await sweep(world);
    expect(world.mails('ops')).toHaveLength(1);
  });
});
