import * as z from 'zod';
import { Cipher } from '#service/envelope/cipher.ts';
import { readRefund, refundListPages } from '#service/refunds/day-refunds.ts';
import { always, DAY, failureOf, fault, startService } from '#support/payments/running-service.ts';
import { anyOf, membersOf, elementsOf } from '#support/assertions/index.ts';
import { MISFIT_VALUES } from '#support/payments/spoilt-records.ts';

const LIST = z.looseObject({
  stats: z.record(z.string(), z.unknown()),
  refund_request_list: z.looseObject({ data: z.unknown() }),
});
type List = z.infer<typeof LIST>;

/** The refund in the first line of the first page. */
function firstOf(list: List): Record<string, unknown> {
  return membersOf(elementsOf(list.refund_request_list.data)[0]);
}

/** The pages of a list of two refunds, whose first answer is changed on its way. */
async function pagesWith(change: (list: List) => void) {
  const { client, sandbox, merchant } = await startService({ size: { refunds: 2 } });
  const cipher = new Cipher(merchant.cipher);
  const body = (text: string) => {
    const sent = cipher.decrypt(String(membersOf(JSON.parse(text))['response']));
    const envelope = membersOf(JSON.parse(sent));
    const response = LIST.parse(envelope['response']);
    change(response);
    return JSON.stringify({ response: cipher.encrypt(JSON.stringify({ ...envelope, response })) });
  };
  fault(sandbox, 'refunds', { kind: 'replace', body });
  return Array.fromAsync(refundListPages(client, DAY));
}

describe('the refund list', () => {
  it.each([
    ['page', 12, 3],
    ['none', 12, 4],
    ['repeats', 12, 4],
    ['page', 0, 1],
    ['none', 0, 1],
    ['repeats', 0, 1],
  ] as const)(
    'whose pages end by "%s" and that has %d refunds is read, each once, with %d requests',
    async (refundListPageEnds, refunds, requests) => {
      const { client, sandbox, merchant, count } = await startService({
        size: { refunds },
        behaviour: { refundListPages: refundListPageEnds },
      });
      const truth = sandbox.data.truth(merchant.merchantCode, DAY).refunds;
      const pages = await Array.fromAsync(refundListPages(client, DAY));
      const ids = pages.flatMap(({ refunds }) => refunds.map(({ id }) => Number(id)));
      expect(ids.toSorted((a, b) => a - b)).toEqual(truth.ids);
      expect(pages[0]?.stated).toEqual({ count: truth.count, amount: truth.total });
      expect(count('refunds')).toBe(requests);
    },
  );

  it('is requested with the day, at the path in the registry', async () => {
    const { client, sandbox } = await startService({ size: { refunds: 1 } });
    await Array.fromAsync(refundListPages(client, DAY));
    expect(sandbox.requests.at(-1)).toMatchObject({
      path: '/api/v1/refund/',
      query: { fromDate: DAY, toDate: DAY, page: '1' },
    });
  });

  it('that is not found on a later page does not count as missing', async () => {
    const { client, sandbox } = await startService({ size: { refunds: 12 } });
    fault(sandbox, 'refunds', { kind: 'status', status: 404 }, { page: 2, times: Infinity });
    expect((await failureOf(Array.fromAsync(refundListPages(client, DAY)))).name).toBe('NotFoundError');
  });

  it.each<[string, (response: List) => void]>([
    ['refund_request_list.data[0].id', (response) => (firstOf(response)['id'] = 'canary')],
    ['refund_request_list.data', (response) => (response.refund_request_list.data = 'canary')],
  ])('fails with the path of %s', async (path, change) => {
    const error = await failureOf(pagesWith(change));
    expect(error).toMatchObject({ name: 'ContractError', path: `response.${path}` });
    expect(error.message).not.toContain('canary');
  });

  it.each(MISFIT_VALUES)(
    'is read with %s as stats, amount and end, which are then unknown',
    async (_name, value, kind) => {
      const put = (members: Record<string, unknown>, name: string) => {
        if (value === undefined) Reflect.deleteProperty(members, name);
        else members[name] = value;
      };
      const [page] = await pagesWith((response) => {
        put(membersOf(response), 'stats');
        put(membersOf(response.refund_request_list), 'pagination');
        put(firstOf(response), 'amount');
      });
      expect(page).toMatchObject({ stated: { count: null, amount: null }, refunds: [{ amount: null }, {}] });
      const found = page?.misfits.list().map(({ field, kind: came }) => `${field} ${came}`) ?? [];
      // The list is not part of the contract, so nothing of it is missing.
      const isNone = value === undefined || value === null;
      expect(found).toEqual(
        isNone
          ? []
          : [
              `refund_request_list.data.amount ${kind}`,
              ...(kind === 'object' ? [] : [`refund_request_list.pagination ${kind}`, `stats ${kind}`]),
            ],
      );
    },
  );

  it('that is an empty object is empty', async () => {
    const pages = await pagesWith((response) => (response.refund_request_list.data = {}));
    expect(pages).toMatchObject([{ refunds: [] }]);
  });
});

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
