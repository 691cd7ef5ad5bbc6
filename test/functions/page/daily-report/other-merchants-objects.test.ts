import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { addDays } from '#records/day/business-day.ts';
import { alertStateKey, checkedKey, historyKey, ledgerKey, manifestKey } from '#records/storage/keys.ts';
import type { Manifest } from '#records/revision/manifest.ts';
import { BUCKET, CODE, DAY, useWorld } from '#support/world/daybook-world.ts';
import { watch } from '#support/watch/running-watch.ts';
import { defined, membersOf } from '#support/assertions/index.ts';

/*
 * Objects of one merchant under the keys of another merchant, by a failed copy or on purpose. None of their content is mailed,
 * the error names the object, and other merchants are not affected.
 */

const OTHER = '700002';

const world = useWorld({ merchants: 2, defaults: { attachCsv: true } });
beforeEach(async () => {
  for (const merchant of [CODE, OTHER]) {
    world.payments.data.seedDay(merchant, DAY, { invoices: 12, refunds: 2 });
    await world.report({ merchantCode: merchant });
  }
  world.aws.mail.messages.length = 0;
});

async function copy(from: string, to: string): Promise<void> {
  await world.aws.s3.write(BUCKET, to, defined(await world.aws.s3.read(BUCKET, from)));
}

/** Changes the first merchant's manifest, under its own key. */
async function changeManifest(changes: (manifest: Manifest) => Partial<Manifest>): Promise<void> {
  const manifest = await world.manifest(1);
  const changed = { ...manifest, ...changes(manifest) };
  await world.aws.s3.write(BUCKET, manifestKey(DAY, CODE, 1), JSON.stringify(changed));
}

/** Nothing of the first merchant is mailed, not even again or as a preview; the other's mail is sent. */
async function expectRefused(message: string): Promise<void> {
  for (const event of [{ resend: true }, { to: [`owner-${CODE}@merchants.example`] }]) {
    await expect(world.report(event)).rejects.toMatchObject({ name: 'StoredObjectError', message });
  }
  expect(world.mails()).toEqual([]);
  expect((await world.report({ merchantCode: OTHER, resend: true })).mail.status).toBe('sent');
}

/** The files the other way round, under the keys of these. */
const withKeysOf = (files: Manifest['files']) =>
  files.toReversed().map((file, index) => ({ ...file, key: defined(files[index]).key }));

it.each<[string, string, (files: Manifest['files']) => Manifest['files']]>([
  ['names a file in place of another', 'files[0].key', withKeysOf],
  ['names a file twice', 'files', (files) => files.with(3, defined(files[2]))],
])('a manifest that %s is refused by its %s', async (_what, member, change) => {
  await changeManifest(({ files }) => ({ files: change(files) }));
  await expectRefused(`object ${manifestKey(DAY, CODE, 1)} belongs to another key: ${member}`);
});

describe('a data file that is not the sealed one', () => {
  /** The first merchant's file of invoices or refunds, and the other merchant's. */
  async function keysOf(index: number) {
    const [own, other] = await Promise.all([world.manifest(1), world.manifest(1, OTHER)]);
    return { own: defined(own.files[index]).key, other: defined(other.files[index]).key };
  }
  const reason = 'is not the file that was sealed: its manifest has another size or SHA-256';

  it('is found before anything is mailed: another merchant’s, and one that was changed and kept its size', async () => {
    const { own, other } = await keysOf(0);
    const bytes = Buffer.from(defined(await world.aws.s3.read(BUCKET, own)));
    await copy(other, own);
    await expectRefused(`object ${own} ${reason}`);
    // The byte for the operating system in a gzip header. The file unpacks to the same content.
    bytes[9] = bytes[9] === 7 ? 8 : 7;
    await world.aws.s3.write(BUCKET, own, bytes);
    world.aws.mail.messages.length = 0;
    await expectRefused(`object ${own} ${reason}`);
  });

  it.each([
    ['_merchant_code', OTHER],
    ['_day', '2026-11-19'],
  ])('rows of another %s are refused even if the sums were changed to fit', async (column, value) => {
    const { own } = await keysOf(0);
    const rows = (await world.text(own)).trim().split('\n');
    const foreign = { ...membersOf(JSON.parse(defined(rows[3]))), [column]: value };
    const packed = gzipSync(rows.with(3, JSON.stringify(foreign)).join('\n') + '\n');
    await world.aws.s3.write(BUCKET, own, packed);
    const sha256 = createHash('sha256').update(packed).digest('hex');
    await changeManifest(({ files: [first, ...rest] }) => ({
      files: [{ ...defined(first), bytes: packed.byteLength, sha256 }, ...rest],
    }));
    await expectRefused(`object ${own} has a row of another merchant or day`);
  });

  it('brings no refunds of another merchant: they are never requested by their ids', async () => {
    const { own, other } = await keysOf(2);
    await copy(other, own);
    await world.aws.s3.remove(BUCKET, checkedKey(DAY, CODE));
    await expect(world.report()).rejects.toMatchObject({ message: `object ${own} ${reason}` });
  });
});

it('a manifest in a neighbouring folder does not count as a revision', async () => {
  const beside = `days/day=${DAY}/merchant=${CODE}/copy/r0009.json`;
  await copy(manifestKey(DAY, OTHER, 1), beside);
  expect(await world.report()).toMatchObject({ revision: 1, unchanged: true });
  expect((await watch(world)).missing).toEqual([]);
});

it('another merchant’s ledger is refused, so none of its figures is shown', async () => {
  const key = ledgerKey(DAY, CODE, 1);
  await copy(ledgerKey(DAY, OTHER, 1), key);
  world.payments.data.evolve(CODE, DAY);
  await expect(world.report()).rejects.toMatchObject({ message: `object ${key} belongs to another key` });
  expect(world.mails()).toEqual([]);
  expect((await world.report({ merchantCode: OTHER })).mail.status).toBe('already-sent');
});

it('another merchant’s history is replaced by a new one, and nothing is compared with it', async () => {
  const next = addDays(DAY, 1);
  world.clock.setTo('2026-11-22T03:00:00Z');
  world.payments.data.seedDay(CODE, next, { invoices: 3, refunds: 0 });
  await copy(historyKey(OTHER), historyKey(CODE));
  await world.report({ day: next });
  const { history } = await world.manifest(1, CODE, next);
  const { counts } = await world.manifest(1);
  expect(history).toMatchObject([{ day: DAY, counts }]);
  expect(JSON.parse(await world.text(historyKey(CODE)))).toMatchObject({ merchantCode: CODE });
});

it('another merchant’s record of a pull is refused by the watch, and replaced by the next report', async () => {
  await copy(checkedKey(DAY, OTHER), checkedKey(DAY, CODE));
  expect(await watch(world)).toMatchObject({
    missing: [{ merchantCode: CODE, reason: 'records not readable' }],
  });
  await world.report();
  expect((await watch(world)).missing).toEqual([]);
});

it('another merchant’s pending alert mail is not sent', async () => {
  const rule = { name: 'any', measure: 'invoiceCount', above: 0 };
  await world.putRegistry({ [OTHER]: { alerts: [rule] }, [CODE]: { alerts: [rule] } });
  await world.alertCheck({ merchantCode: OTHER, day: DAY });
  await copy(alertStateKey(OTHER), alertStateKey(CODE));
  world.aws.mail.messages.length = 0;
  await expect(world.alertCheck({ day: DAY })).rejects.toMatchObject({
    message: `object ${alertStateKey(CODE)} belongs to another key`,
  });
  expect(world.mails()).toEqual([]);
});
