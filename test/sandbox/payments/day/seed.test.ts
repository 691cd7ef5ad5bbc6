import { createHash } from 'node:crypto';
import { addDays } from '#sandbox/payments/day/calendar.ts';
import { sandboxMerchant, startPaymentsSandbox, type PaymentsSandbox } from '#sandbox/payments/index.ts';
import { signIn } from '#support/payments/running-service.ts';
import { defined, recordsAt } from '#support/assertions/index.ts';

const DAY = '2026-11-20';
const merchant = sandboxMerchant(0);
const code = merchant.merchantCode;

/** The digest of 300 invoices and 40 refunds. It changes only when the seed is meant to make other data. */
const DIGEST = '11cc4990fc8e3b4deb3dcb308e2b76e1334acf41ef9c4608f0b2045ad235cf42';

let sandbox: PaymentsSandbox;
beforeEach(async () => {
  sandbox = await startPaymentsSandbox({ merchants: [merchant, sandboxMerchant(1)], perPage: 1000 });
});
afterEach(() => sandbox.close());

type Row = Record<string, unknown>;

/** Every record of the day, as served, and a digest of its bytes. */
async function served(day = DAY): Promise<{ invoices: Row[]; refunds: Row[]; digest: string }> {
  const client = await signIn(sandbox, merchant);
  const range = { fromDate: day, toDate: day };
  const first = await client.invoices(range);
  const second = await client.refunds(range);
  const invoices = recordsAt(first.body, 'response', 'invoices', 'data');
  const refunds = recordsAt(second.body, 'response', 'refund_request_list', 'data');
  const digest = createHash('sha256')
    .update(JSON.stringify([invoices, refunds]))
    .digest('hex');
  return { invoices, refunds, digest };
}

describe('a seeded day', () => {
  it('is the same in every run and on every machine, whatever was seeded before', async () => {
    sandbox.data.seedDay('700002', DAY, { invoices: 10, refunds: 3 });
    sandbox.data.seedDay(code, addDays(DAY, 1), { invoices: 10, refunds: 3 });
    sandbox.data.seedDay(code, DAY, { invoices: 300, refunds: 40, seed: 1 });
    expect((await served()).digest).toBe(DIGEST);
  });

  it('differs by seed, day and merchant', () => {
    const size = { invoices: 50, refunds: 20 };
    const places = [
      [code, '2026-11-10', size],
      [code, '2026-11-11', size],
      [code, '2026-11-12', { ...size, seed: 2 }],
      ['700002', '2026-11-10', size],
    ] as const;
    for (const [of, day, made] of places) sandbox.data.seedDay(of, day, made);
    const truths = places.map(([of, day]) => sandbox.data.truth(of, day));
    expect(new Set(truths.map(({ invoices }) => invoices.total)).size).toBe(4);
    expect(new Set(truths.map(({ refunds }) => refunds.total)).size).toBe(4);
    expect(new Set(truths.flatMap(({ invoices }) => invoices.ids)).size).toBe(200);
  });

  it.each([
    ['999999', DAY, 1, 'the sandbox has no merchant 999999'],
    [code, '2026-02-29', 1, 'not a day: "2026-02-29"'],
    [code, DAY, -1, 'whole numbers'],
    [code, DAY, 1.5, 'whole numbers'],
  ])('refuses merchant %s, day %s, %s invoices', (merchantCode, day, invoices, message) => {
    expect(() => sandbox.data.seedDay(merchantCode, day, { invoices, refunds: 0 })).toThrow(message);
  });
});

it('sandboxMerchant always gives the same merchants, and no two merchants share a value', () => {
  const merchants = Array.from({ length: 30 }, (_, index) => sandboxMerchant(index));
  expect(merchants).toEqual(Array.from({ length: 30 }, (_, index) => sandboxMerchant(index)));
  expect(merchants[0]).toMatchObject({
    merchantCode: '700001',
    cipher: { key: 'X9ZAv0RWJJyXCLcg4ctudDjPcg6AHda4' },
  });
  expect(defined(merchants[29]).merchantCode).toBe('700030');
  for (const member of ['merchantCode', 'accessCode', 'username', 'password', 'merchantId'] as const) {
    expect(new Set(merchants.map((each) => each[member])).size).toBe(30);
  }
  for (const [index, each] of merchants.entries()) {
    expect(/[\u0600-\u06ff]/.test(each.name)).toBe(index % 3 === 2);
    expect(each.cipher.key).toMatch(/^[A-Za-z0-9]{32}$/);
    expect(each.cipher.iv).toMatch(/^[A-Za-z0-9]{16}$/);
    expect(String(each.merchantId)).not.toBe(each.merchantCode);
  }
});
