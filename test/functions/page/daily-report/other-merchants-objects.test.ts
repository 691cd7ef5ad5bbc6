import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { beforeEach, describe, expect, it } from 'vitest';
import { addDays } from '#records/day/business-day.ts';
import { alertStateKey, checkedKey, historyKey, ledgerKey, manifestKey } from '#records/storage/keys.ts';
import type { Manifest } from '#records/revision/manifest.ts';
import { BUCKET, CODE, DAY, useWorld } from '#support/world/daybook-world.ts';
import { watch } from '#support/delivery-watch/running-watch.ts';
import { defined } from '#support/assertions/defined.ts';
import { membersOf } from '#support/assertions/members.ts';

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

async function put(key: string, value: unknown): Promise<void> {
  await world.aws.s3.write(BUCKET, key, JSON.stringify(value));
}

/** The first merchant's manifest with changes, under its own key. */
async function putManifest(changes: (manifest: Manifest) => Partial<Manifest>): Promise<void> {
  const manifest = await world.manifest(1);
  await put(manifestKey(DAY, CODE, 1), { ...manifest, ...changes(manifest) });
}

/** Expects that the first merchant's run fails with an error that names the object, and that the other's mail is sent. */
async function expectRefused(key: string, reason: string): Promise<void> {
  for (const event of [{ resend: true }, { to: [`owner-${CODE}@merchants.example`] }, {}]) {
    await expect(world.report(event)).rejects.toMatchObject({
      name: 'StoredObjectError',
      message: `object ${key} ${reason}`,
    });
  }
  expect(world.mails()).toEqual([]);
  expect((await world.report({ merchantCode: OTHER, resend: true })).mail.status).toBe('sent');
}

describe('a manifest that belongs to another place', () => {
  const key = manifestKey(DAY, CODE, 1);

  it.each<[string, (manifest: Manifest, other: Manifest) => Partial<Manifest>]>([
    ['previous', () => ({ previous: manifestKey(DAY, OTHER, 1) })],
    ['files[0].key', (_, other) => ({ files: other.files })],
    [
      'files[0].key',
      ({ files }) => ({
        files: files.toReversed().map((file, i) => ({ ...file, key: defined(files[i]).key })),
      }),
    ],
    ['files[0].key', () => ({ pull: '20261121T030005Z-00000000' })],
    [
      'files',
      ({ files }) => ({
        files: [defined(files[0]), defined(files[1]), defined(files[2]), defined(files[2])],
      }),
    ],
  ])('is refused by its %s', async (member, changes) => {
    const other = await world.manifest(1, OTHER);
    await putManifest((manifest) => changes(manifest, other));
    await expectRefused(key, `belongs to another key: ${member}`);
  });
});

describe('a data file that is not the sealed one', () => {
  /** The first merchant's file of invoices, and the other merchant's. */
  async function files() {
    const [own, other] = await Promise.all([world.manifest(1), world.manifest(1, OTHER)]);
    return { own: defined(own.files[0]), other: defined(other.files[0]) };
  }
  const reason = 'is not the file that was sealed: its manifest has another size or SHA-256';

  it.each([
    ['with a resend', { resend: true }],
    ['with a preview', { to: [`owner-${CODE}@merchants.example`] }],
  ])('is found before anything is mailed when it is another merchant’s, %s', async (_name, event) => {
    const { own, other } = await files();
    await copy(other.key, own.key);
    await expect(world.report(event)).rejects.toMatchObject({ message: `object ${own.key} ${reason}` });
    expect(world.mails()).toEqual([]);
  });

  it('is also found when it was changed and kept its size', async () => {
    const { own } = await files();
    const bytes = Buffer.from(defined(await world.aws.s3.read(BUCKET, own.key)));
    // The byte for the operating system in a gzip header. The file unpacks to the same content.
    bytes[9] = bytes[9] === 7 ? 8 : 7;
    await world.aws.s3.write(BUCKET, own.key, bytes);
    await expect(world.report({ resend: true })).rejects.toMatchObject({
      message: `object ${own.key} ${reason}`,
    });
    expect(world.mails()).toEqual([]);
  });

  it.each(['_merchant_code', '_day'])(
    'rows of another %s are refused even if the sums were changed to fit',
    async (column) => {
      const { own } = await files();
      const rows = (await world.text(own.key)).trim().split('\n');
      const foreign = {
        ...membersOf(JSON.parse(defined(rows[3]))),
        [column]: column === '_day' ? '2026-11-19' : OTHER,
      };
      const bytes = gzipSync(rows.with(3, JSON.stringify(foreign)).join('\n') + '\n');
      await world.aws.s3.write(BUCKET, own.key, bytes);
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      await putManifest(({ files: [first, ...rest] }) => ({
        files: [{ ...defined(first), bytes: bytes.byteLength, sha256 }, ...rest],
      }));
      await expect(world.report({ resend: true })).rejects.toMatchObject({
        message: `object ${own.key} has a row of another merchant or day`,
      });
      expect(world.mails()).toEqual([]);
    },
  );

  it('another merchant’s refunds are never requested by their ids', async () => {
    const [own, other] = await Promise.all([world.manifest(1), world.manifest(1, OTHER)]);
    await copy(defined(other.files[2]).key, defined(own.files[2]).key);
    await world.aws.s3.remove(BUCKET, checkedKey(DAY, CODE));
    await expect(world.report()).rejects.toMatchObject({
      message: `object ${defined(own.files[2]).key} ${reason}`,
    });
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
