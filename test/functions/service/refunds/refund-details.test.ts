import { describe, expect, it } from 'vitest';
import { readRefund } from '#service/refunds/day-refunds.ts';
import { DAY, failureOf, startService, always } from '#support/payments/running-service.ts';
import { anyOf } from '#support/assertions/any-of.ts';

describe('readRefund', () => {
  it('returns the refund as the service has it', async () => {
    const { client, sandbox, merchant } = await startService({ size: { refunds: 0 } });
    const id = sandbox.data.insertRefund(merchant.merchantCode, DAY, {
      amount: '650.000',
      remarks: 'شركة "الأفق"\n',
    });
    expect((await readRefund(client, String(id)))?.refund).toMatchObject({
      id,
      amount: '650.000',
      refund_at: DAY,
      remarks: 'شركة "الأفق"\n',
      transaction: { amount: anyOf(Number) },
    });
    expect(sandbox.requests.at(-1)).toMatchObject({
      method: 'GET',
      path: `/api/v1/refund/${id}`,
      query: {},
      status: 200,
    });
  });

  it.each([200, 'http'] as const)(
    'returns nothing for an id that the service does not know (HTTP %s)',
    async (errorStatus) => {
      const { client } = await startService({ behaviour: { errorStatus, errorAnswers: 'encrypted' } });
      expect(await readRefund(client, '123456')).toBeUndefined();
    },
  );

  it('does not mistake a missing login path for a missing refund', async () => {
    const { client, sandbox } = await startService({
      behaviour: { tokenDiesEvery: 1, refreshRefused: true },
    });
    const [first, second] = sandbox.data.truth('700001', DAY).refunds.ids;
    await readRefund(client, String(first));
    const body =
      '{"status":false,"message":"Request not found, Please verify the request data","response":null}';
    always(sandbox, 'login', { kind: 'status', status: 404, body });
    expect(await failureOf(readRefund(client, String(second)))).toMatchObject({
      name: 'RefusedError',
      operation: 'login',
    });
  });
});
