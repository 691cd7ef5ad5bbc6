import PostalMime from 'postal-mime';
import { afterEach, expect, it } from 'vitest';
import { BUCKET, CODE, DAY, DaybookWorld } from '#support/world/daybook-world.ts';
import { defined } from '#support/assertions/defined.ts';

let world: DaybookWorld;
afterEach(() => world.close());

async function mailText(): Promise<string> {
  const { text = '' } = await PostalMime.parse(defined(world.mails('report')[0]).raw);
  return text.replaceAll('\u00A0', ' ');
}

it('a refund whose date is none is in no figure, is named, and a net that may lack it is unknown', async () => {
  world = await DaybookWorld.start({
    defaults: { refunds: { source: 'watchlist', statuses: { '0': 'pending', '1': 'approved' } } },
  });
  const { data } = world.payments;
  data.seedDay(CODE, DAY, { invoices: 5, refunds: 0 });
  const ids = ['0000-00-00', '2026-02-30']
    .map((refund_at, status) => data.insertRefund(CODE, DAY, { amount: '4.000', status, refund_at }))
    .toSorted((one, other) => one - other)
    .map(String);
  await world.aws.s3.write(BUCKET, `config/refunds/${CODE}.json`, JSON.stringify(ids));
  const answer = await world.report();
  expect(answer).toMatchObject({ balanced: true, refunds: { count: 0, total: '0.000' } });
  expect((await world.manifest(1)).drift.refundsWithoutDay).toEqual({
    count: 2,
    total: '8.000',
    byStatus: { approved: { count: 1, total: '4.000' }, pending: { count: 1, total: '4.000' } },
    ids,
  });
  const text = await mailText();
  expect(text).toContain(
    `2 refunds have no usable date, so they are in no figure: Approved 1 (4.000 KWD), Pending 1 (4.000 KWD). Ask your provider about refunds ${ids.join(', ')}.`,
  );
  expect(text).toContain('Received less refunds: unknown');
});

it('two paid invoices with one reference, amount and customer are named by number, and the money stays', async () => {
  world = await DaybookWorld.start();
  const { data } = world.payments;
  data.seedDay(CODE, DAY, { invoices: 5, refunds: 0 });
  const same = {
    amount: '7.250',
    invoice_status: 1,
    reference_number: 'R-7',
    customer: { name: 'Noura Hostile', email: '', phone_number: '96555500001' },
  };
  const ids = [1, 2].map(() => data.insertInvoice(CODE, DAY, same)).toSorted((a, b) => b - a);
  await world.report();
  const { amounts } = await world.manifest(1);
  expect(amounts?.paid).toBe(data.truth(CODE, DAY).invoices.byStatus['1']?.total);
  const text = await mailText();
  expect(text).toMatch(
    new RegExp(
      `Invoices (${ids.join(' and ')}|${ids.toReversed().join(' and ')}) may be one sale that was paid twice: same`,
    ),
  );
  expect(text).not.toContain('Noura');
});
