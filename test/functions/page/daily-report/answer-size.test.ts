import { beforeEach, describe, expect, it } from 'vitest';
import { listedDifferences } from '#page/daily-report/create-daily-report.ts';
import { listedMail } from '#page/send-page.ts';
import { CODE, DAY, DaybookWorld } from '#support/world/daybook-world.ts';

/** Bytes. A person reads it. */
const MOST_BYTES = 64 * 1024;

describe('an answer', () => {
  let world: DaybookWorld;
  beforeEach(async () => {
    world = await DaybookWorld.ofTest();
  });

  it('names at most a hundred differences, like the manifest, and the last one says how many more there are', async () => {
    world.payments.data.seedDay(CODE, DAY, { invoices: 3, refunds: 0 });
    const refundIds = Array.from({ length: 130 }, (_, index) => (900_000 + index).toString());
    const { differences, balanced } = await world.report({ refundIds, send: false });
    expect(balanced).toBe(false);
    expect(differences).toHaveLength(100);
    expect(differences.at(0)).toEqual({
      name: 'knownRefunds',
      what: 'refund 900000',
      service: 'not found',
      rows: null,
    });
    expect(differences.at(-1)).toEqual({
      name: 'knownRefunds',
      what: 'more of the comparison knownRefunds',
      service: 31,
      rows: null,
    });
    const manifest = await world.manifest(1);
    expect(manifest.differences).toEqual(differences);
    expect(await world.report({ refundIds, send: false })).toMatchObject({ unchanged: true, revision: 1 });
  });

  it('is short, whatever lists of refund ids and recipients there are', () => {
    const differences = Array.from({ length: 100_000 }, () => ({
      what: `refund ${'9'.repeat(30)}`,
      service: 'not found',
      rows: null,
    }));
    const messageIds = Array.from({ length: 10_000 }, () => 'm'.repeat(72));
    const text = JSON.stringify([listedDifferences(differences), listedMail({ status: 'sent', messageIds })]);
    expect(Buffer.byteLength(text)).toBeLessThan(MOST_BYTES);
  });

  it('with few differences and mails is not shortened', () => {
    const differences = [{ what: 'refund 1', service: 'not found', rows: null }];
    expect(listedDifferences(differences)).toEqual(differences);
    const mail = { status: 'sent' as const, messageIds: ['a', 'b'] };
    expect(listedMail(mail)).toEqual(mail);
  });
});
