import { expect, it } from 'vitest';
import { RegisteredMerchants } from '#lake/registered-merchants.ts';
import { REGISTERED_MERCHANTS } from '#records/storage/keys.ts';
import { RegistrySource } from '#registry/registry-source.ts';
import { createS3Client } from '#runtime/s3-client.ts';
import { recordOf } from '#support/assertions/record-of.ts';
import { BUCKET, CODE, DaybookWorld } from '#support/world/daybook-world.ts';

const SECOND = '700002';
const HOSTILE = `'; DROP TABLE "x" --\u2028\n\\ نور`;
const at = (hour: number) => `2026-11-22T0${hour}:00:00.000Z`;

async function keeper(world: DaybookWorld) {
  const s3 = createS3Client();
  const registered = () =>
    new RegisteredMerchants(s3, BUCKET, new RegistrySource(s3, BUCKET, 'config/merchants.json'));
  const keep = (hour: number) => registered().keep(Date.parse(at(hour)));
  const rows = async () =>
    (await world.text(REGISTERED_MERCHANTS))
      .trimEnd()
      .split('\n')
      .map((line) => recordOf(JSON.parse(line)));
  await keep(1);
  return { keep, rows, forget: (merchantCode: string) => registered().forget(merchantCode) };
}

it('has a line for each merchant, with all that words and units need', async () => {
  const world = await DaybookWorld.ofTest({ merchants: 2 });
  const groups = [
    { name: 'all', merchants: 'all', recipients: ['ops@example.com'] },
    { name: 'one', merchants: [CODE], recipients: ['ops@example.com'] },
  ];
  await world.putRegistry({ [CODE]: { name: HOSTILE, charges: ['admin_charge'] } }, {}, { groups });
  const { rows } = await keeper(world);
  expect(await rows()).toEqual([
    {
      ...{ merchantCode: CODE, name: HOSTILE, timeZone: 'Asia/Kuwait', currency: 'KWD' },
      invoiceStatuses: { 0: 'not_paid', 1: 'paid', 3: 'cancelled' },
      refundStatuses: { 0: 'pending', 1: 'approved', 2: 'rejected' },
      ...{ charges: ['admin_charge'], groups: ['all', 'one'], since: at(1), until: null },
    },
    expect.objectContaining({
      merchantCode: SECOND,
      charges: [],
      groups: ['all'],
      since: at(1),
      until: null,
    }),
  ]);
});

it('keeps what the registry said before, and writes nothing when it says the same', async () => {
  const world = await DaybookWorld.ofTest({ merchants: 2 });
  const { keep, rows } = await keeper(world);
  const first = await rows();
  const writes = () =>
    world.aws.requests.filter(
      ({ operation, key }) => operation === 'PutObject' && key === REGISTERED_MERCHANTS,
    );
  await keep(2);
  expect(writes()).toHaveLength(1);
  await world.putRegistry({ [CODE]: { currency: 'USD' } });
  await keep(3);
  await world.putRegistry({ [CODE]: { currency: 'USD' }, [SECOND]: { timeZone: 'Nowhere/At-All' } });
  await keep(4);
  expect(await rows()).toEqual([
    { ...first[0], until: at(3) },
    // It cannot be used now, and is not gone.
    first[1],
    { ...first[0], currency: 'USD', since: at(3) },
  ]);
  await world.putRegistry({ [CODE]: { currency: 'USD' }, [SECOND]: { merchantCode: '800000' } });
  await keep(5);
  expect((await rows()).slice(1)).toEqual([
    { ...first[1], until: at(5) },
    { ...first[0], currency: 'USD', since: at(3) },
    { ...first[1], merchantCode: '800000', since: at(5) },
  ]);
});

it('forgets all that was said of a merchant that has left, and of no other', async () => {
  const world = await DaybookWorld.ofTest({ merchants: 2 });
  const { keep, rows, forget } = await keeper(world);
  const [first] = await rows();
  await world.putRegistry({ [SECOND]: { merchantCode: '800000' } });
  await keep(2);
  expect(await rows()).toHaveLength(3);
  await forget(SECOND);
  expect(await rows()).toEqual([first, expect.objectContaining({ merchantCode: '800000' })]);
  await keep(3);
  expect(await rows()).toHaveLength(2);
});
