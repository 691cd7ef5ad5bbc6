import { expect, it } from 'vitest';
import { listedDifferences } from '#page/daily-report/create-daily-report.ts';
import { listedMail } from '#page/send-page.ts';
import { CODE, DAY, DaybookWorld } from '#support/world/daybook-world.ts';

/** Bytes. A person reads it. */
const MOST_BYTES = 64 * 1024;

it('an answer names at most a hundred differences, like the manifest, and the last one says how many more there are', async () => {
  const world = await DaybookWorld.ofTest();
  world.payments.data.seedDay(CODE, DAY, { invoices: 3, refunds: 0 });
  const refundIds = Array.from({ length: 130 }, (_, index) => (900_000 + index).toString());
  const { differences, balanced } = await world.report({ refundIds, send: false });
  expect(balanced).toBe(false);
  expect(differences).toHaveLength(100);
  const found = { name: 'knownRefunds', rows: null };
  expect(differences.at(0)).toEqual({ ...found, what: 'refund 900000', service: 'not found' });
  const more = 'more of the comparison knownRefunds';
  expect(differences.at(-1)).toEqual({ ...found, what: more, service: 31 });
  expect((await world.manifest(1)).differences).toEqual(differences);
  expect(await world.report({ refundIds, send: false })).toMatchObject({ unchanged: true, revision: 1 });
});

it('the lists of an answer are short, whatever refund ids and recipients there are, and short ones are whole', () => {
  const difference = { what: `refund ${'9'.repeat(30)}`, service: 'not found', rows: null };
  const mail = { status: 'sent' as const, messageIds: ['m'.repeat(72), 'n'.repeat(72)] };
  expect([listedDifferences([difference]), listedMail(mail)]).toEqual([[difference], mail]);
  const messageIds = Array.from({ length: 10_000 }, () => 'm'.repeat(72));
  const differences = Array.from({ length: 100_000 }, () => difference);
  const text = JSON.stringify([listedDifferences(differences), listedMail({ ...mail, messageIds })]);
  expect(Buffer.byteLength(text)).toBeLessThan(MOST_BYTES);
});
