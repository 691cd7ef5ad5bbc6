import { addressHash, checkedKey, historyKey, ledgerKey, watchListKeys } from '#records/storage/keys.ts';
import { merchantSettings } from '#registry/merchants.ts';
import { parseRegistry } from '#registry/registry.ts';
import { BUCKET, CODE, DAY, useWorld } from '#support/world/daybook-world.ts';
import { watch, removeFromRegistry } from '#support/watch/running-watch.ts';
import { captureOutput } from '#support/runtime/captured-output.ts';
import { membersOf, textWith } from '#support/assertions/index.ts';

const OTHER = '700002';
const HUGE = 40 * 1024 * 1024;
const REGISTRY = 'config/merchants.json';
const LAST_GOOD = 'config/last-good/merchants.json';

const world = useWorld({ merchants: 2 });
beforeEach(() => {
  for (const code of [CODE, OTHER]) world.payments.data.seedDay(code, DAY, { invoices: 3, refunds: 1 });
});

/** Replaces an object with one of 40 MB in the expected form. */
async function swell(key: string): Promise<void> {
  const value = membersOf(JSON.parse(await world.text(key)));
  await world.aws.s3.write(BUCKET, key, JSON.stringify({ ...value, more: 'a'.repeat(HUGE) }));
}

describe('an object of 40 MB', () => {
  it.each([
    ['ledger', ledgerKey(DAY, OTHER, 1)],
    ['check', checkedKey(DAY, OTHER)],
  ])(
    'among the records of one merchant hides no other merchant from the watch, and is named: its %s',
    async (_what, key) => {
      await world.report();
      await world.report({ merchantCode: OTHER });
      await swell(key);
      const output = captureOutput();
      expect(await watch(world)).toMatchObject({
        expected: 2,
        delivered: 1,
        missing: [{ merchantCode: OTHER, day: DAY, reason: 'records not readable' }],
      });
      expect(output.text()).toContain(`object ${key} is larger than`);
    },
  );

  it('in place of a watch list makes that merchant’s report fail with a named error, and no other', async () => {
    const { csv } = watchListKeys(OTHER);
    await world.putRegistry({ [OTHER]: { refunds: { source: 'both' } } });
    await world.aws.s3.write(BUCKET, csv, '1\n'.repeat(HUGE / 2));
    await expect(world.report({ merchantCode: OTHER })).rejects.toMatchObject({
      name: 'StoredObjectError',
      key: csv,
    });
    expect(await world.report()).toMatchObject({ balanced: true });
  });

  it('in place of the registry is not used; the last good registry is used instead', async () => {
    await world.aws.s3.write(BUCKET, LAST_GOOD, await world.text(REGISTRY));
    await swell(REGISTRY);
    expect(await world.report()).toMatchObject({ balanced: true });
    await removeFromRegistry(world, OTHER);
  });

  it.each([
    ['nests deeply', '['.repeat(200_000) + ']'.repeat(200_000)],
    ['consists of the shortest values', '{},'.repeat(4_000_000) + '{}'],
  ])('a registry that %s is not used and ends no run: the last good registry is used', async (_, entries) => {
    const good = await world.text(REGISTRY);
    await world.aws.s3.write(BUCKET, LAST_GOOD, good);
    const text = JSON.stringify({ ...membersOf(JSON.parse(good)), merchants: ['HERE'] });
    const spoilt = text.replace('"HERE"', () => entries);
    await world.aws.s3.write(BUCKET, REGISTRY, spoilt);
    expect(await world.report()).toMatchObject({ balanced: true });
    expect(await watch(world)).toMatchObject({ expected: 2 });
  });

  it('in place of a history stops no report', async () => {
    await world.report();
    await world.aws.s3.write(BUCKET, historyKey(CODE), 'a'.repeat(HUGE));
    world.payments.data.insertInvoice(CODE, DAY);
    expect(await world.report()).toMatchObject({ revision: 2 });
  });
});

it('a watch list with more ids than a pull can request is refused with an error that names its key', async () => {
  const { json } = watchListKeys(CODE);
  await world.putRegistry({ [CODE]: { refunds: { source: 'watchlist' } } });
  await world.aws.s3.write(BUCKET, json, JSON.stringify(Array.from({ length: 10_001 }, (_, id) => id)));
  await expect(world.report()).rejects.toMatchObject({
    name: 'WatchListError',
    message: `${json}: 10001 refund ids are more than 10000`,
  });
});

describe('recipients', () => {
  const many = (count: number) => Array.from({ length: count }, (_, index) => `r${index}@merchants.example`);
  const recipients = many(40);
  const slow = { kind: 'call', after: () => Promise.resolve(void (world.clockAhead += 50_000)) } as const;

  it('can be a hundred at most, and the other merchants of the registry are not affected', async () => {
    await world.putRegistry({ [CODE]: { recipients: many(100) }, [OTHER]: { recipients: many(101) } });
    const registry = parseRegistry(await world.text(REGISTRY));
    expect(merchantSettings(registry, CODE).recipients).toHaveLength(100);
    await expect(world.report({ merchantCode: OTHER })).rejects.toMatchObject({
      name: 'InvalidMerchantError',
      path: 'recipients',
      message: textWith('recipients: has more than 100 addresses'),
    });
  });

  it('who are left when the time is over get their mail from the next run, in order and once', async () => {
    await world.putRegistry({ [CODE]: { recipients } });
    world.awsDoes(slow, { service: 'ses', operation: 'SendRawEmail', times: Infinity });
    await expect(world.report()).rejects.toMatchObject({ name: 'MailUnfinishedError' });
    const first = world.mails('report').map(({ destinations }) => destinations[0]);
    expect(first.length).toBeGreaterThan(5);
    expect(first).toEqual(recipients.slice(0, first.length));
    for (let run = 0; run < 5; run += 1) {
      world.clockAhead += 120_000;
      await world.report().catch(() => undefined);
    }
    expect(world.mails('report').map(({ destinations }) => destinations[0])).toEqual(recipients);
  });

  it('to whom mail is stopped take no longer than the time of the run', async () => {
    await world.putRegistry({ [CODE]: { recipients } });
    for (const address of recipients) {
      const key = `mail-stops/${addressHash(address)}.json`;
      await world.aws.s3.write(BUCKET, key, JSON.stringify({ reason: 'asked us to' }));
    }
    world.awsDoes(slow, { operation: 'GetObject', key: /^mail-stops\//, times: Infinity });
    await expect(world.report()).rejects.toMatchObject({ name: 'MailUnfinishedError' });
    expect((await world.ledger(1)).recipients.length).toBeLessThan(30);
  });
});
