import { describe, expect, test } from 'vitest';
import { GroupHeads } from '#watch/delivery-watch/look-at-pages.ts';
import { NotifiedStore } from '#watch/delivery-watch/notified.ts';
import { notifiedPeriodKey, pageKey, periodPrefix } from '#records/storage/keys.ts';
import { SealedPages } from '#page/page-store.ts';
import { awsUnderTest } from '#support/aws-contract/aws-under-test.ts';
import { TARGET } from '#support/aws-contract/known-differences.ts';

const aws = await awsUnderTest();
const sealed = new SealedPages(aws.clients.s3, aws.bucket);
const heads = new GroupHeads(aws.clients.s3, aws.bucket);
const notified = new NotifiedStore(aws.clients.s3, aws.bucket, 'statements', () => undefined);
const PERIOD = '2026-11';
const SHOPS = { owner: { group: 'shops' }, period: PERIOD, revision: 1 };

describe(`statements, on ${TARGET}`, () => {
  test('are listed with their newest revisions, merchants apart from groups', async () => {
    expect(await sealed.newestRevisions(periodPrefix('2026-10'))).toEqual(new Map());
    const shops = { owner: { merchantCode: 'shops' }, period: PERIOD };
    const keys = [
      pageKey({ ...shops, revision: 1 }),
      pageKey({ ...shops, revision: 2 }),
      pageKey({ ...SHOPS, period: '2026-W47' }),
      `statements/period=${PERIOD}/merchant=shops/r3.json`,
    ];
    await Promise.all(keys.map((key) => aws.write(key, '{}')));
    await aws.write(pageKey(SHOPS), '{}');
    expect(await sealed.newestRevisions(periodPrefix(PERIOD))).toEqual(
      new Map([
        ['group=shops', 1],
        ['merchant=shops', 2],
      ]),
    );
  });

  test.each([
    ['small', 1],
    ['large', 50_000],
  ])(
    'of a group say at their beginning whether they are final, however many merchants follow: %s',
    async (_, count) => {
      const head = { group: 'shops', period: PERIOD, revision: 1, final: false };
      const merchants = Array.from({ length: count }, () => ({ merchantCode: '700001' }));
      await aws.write(pageKey(SHOPS), `${JSON.stringify({ ...head, merchants })}\n`);
      expect(await heads.isFinal(SHOPS)).toBe(false);
    },
  );

  test('of a group that are not there, or empty, cannot be read', async () => {
    await expect(heads.isFinal({ ...SHOPS, revision: 9 })).rejects.toThrow('is not there, or empty');
    await aws.write(pageKey(SHOPS), '');
    await expect(heads.isFinal(SHOPS)).rejects.toThrow('is not there, or empty');
  });

  test('have records of notices, by period', async () => {
    expect(await notified.periods()).toEqual(new Set());
    for (const name of [PERIOD, '2026-W47', '2026-11-20']) await aws.write(notifiedPeriodKey(name), '{}');
    await aws.write('mail/ops/watch/period=2026-11.json.bak', '{}');
    expect(await notified.periods()).toEqual(new Set([PERIOD, '2026-W47', '2026-11-20']));
  });
});
