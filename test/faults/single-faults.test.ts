import { gzipSync } from 'node:zlib';
import type { PaymentsFault, PaymentsFaultAction } from '#sandbox/payments/index.ts';
import { CODE } from '#support/world/daybook-world.ts';
import { FaultyService, type PullOptions } from '#support/faults/faulty-service.ts';
import { dataFile } from '#records/revision/manifest.ts';
import { defined, textLike, textWith } from '#support/assertions/index.ts';
import * as z from 'zod';

/** The most requests that a day may cost when it fails from the start. */
const MOST_REQUESTS = 200;

const service = await FaultyService.start();
afterAll(() => service.close());
beforeEach(() => service.nextDay({ invoices: 30, refunds: 3 }));

type Body = (text: string) => string | Buffer;
const membersSchema = z.record(z.string(), z.unknown());
const invoiceListSchema = z.looseObject({
  response: z.looseObject({
    stats: membersSchema,
    order_stats: membersSchema,
    invoices: z.looseObject({ data: z.array(membersSchema), pagination: membersSchema }),
  }),
});
type InvoiceList = z.infer<typeof invoiceListSchema>;

/** Changes every answer with invoices, or every answer with that page of type 1. */
function always(action: PaymentsFaultAction, page?: number): PaymentsFault {
  const operation = 'invoices';
  return page === undefined
    ? { operation, times: Infinity, action }
    : { operation, invoiceType: '1', page, times: Infinity, action };
}

/** Changes every answer. */
const everywhere = (action: PaymentsFaultAction): PaymentsFault => ({ times: Infinity, action });

function body(change: Body, encoding?: string): PaymentsFaultAction {
  return {
    kind: 'replace',
    body: change,
    ...(encoding !== undefined && { headers: { 'content-encoding': encoding } }),
  };
}

/** Changes the parsed response of every answer with invoices, or of every answer with that page of type 1. */
function response(change: (response: InvoiceList['response']) => void, page?: number): PaymentsFault {
  return texts((text) => {
    const list = invoiceListSchema.parse(JSON.parse(text));
    change(list.response);
    return JSON.stringify(list);
  }, page);
}

const texts = (change: Body, page?: number) => always(body(change), page);
const stats = (members: object, page?: number) =>
  response(({ stats }) => Object.assign(stats, members), page);
const pagination = (members: object, page?: number) =>
  response(({ invoices }) => Object.assign(invoices.pagination, members), page);
const rows = (change: (invoices: InvoiceList['response']['invoices']) => void, page?: number) =>
  response(({ invoices }) => change(invoices), page);

it.each<[string, PaymentsFault | (() => void)]>([
  ['a byte order mark before every answer', everywhere(body((text) => `\uFEFF${text}`))],
  ['white space around every answer', everywhere(body((text) => ` \r\n\t${text} \n`))],
  ['a gzip answer without its content-encoding, twice', { ...texts((text) => gzipSync(text)), times: 2 }],
  [
    'bytes that are not UTF-8, twice',
    {
      ...texts((text) => Buffer.concat([Buffer.from(text.slice(0, -1)), Buffer.from([0xc3, 0x28])])),
      times: 2,
    },
  ],
  [
    'a token that dies every third request, and errors on the way',
    () => {
      service.behaviour.tokenDiesEvery = 3;
      service.add({ operation: 'refresh', times: 2, action: { kind: 'status', status: 503 } });
      service.add({ operation: 'invoices', times: 5, action: { kind: 'status', status: 502 } });
    },
  ],
  [
    'members of the name __proto__ around the records',
    texts((text) =>
      text.replace(
        /\{(?="(?:status|stats|total|total_invoice_count|data)":)/g,
        '{"__proto__":{"status":false,"total":7},',
      ),
    ),
  ],
  ['answers with a content-encoding that are not compressed', everywhere(body((text) => text, 'gzip'))],
  ['answers with an unknown content-encoding', everywhere(body((text) => text, 'x-none'))],
  [
    'a page that was wrong once',
    () => {
      let times = 0;
      service.add(
        rows(({ data }) => {
          times += 1;
          if (times === 1) data.length = 0;
        }, 2),
      );
    },
  ],
])('a report is right in spite of %s', async (_what, fault) => {
  if (typeof fault === 'function') fault();
  else service.add(fault);
  const outcome = await service.pull();
  expect(outcome.error).toBeUndefined();
  expect(await service.expectHonest(outcome)).toBe('balanced');
  expect(outcome.requests).toBeLessThan(MOST_REQUESTS);
});

describe('a revision is marked as unbalanced and says why after', () => {
  const pages = textLike(/^pagination\.total of invoiceType 1$/);
  const cases: [string, PaymentsFault, unknown][] = [
    [
      'an amount that appears twice: the later one is used',
      texts((text) => text.replaceAll('"amount":"', '"amount":"777.000","amount":"')),
      'invoices with amount twice',
    ],
    [
      'a total that is too high',
      rows(({ pagination }) => {
        pagination['total'] = Number(pagination['total']) + 1;
      }, 1),
      pages,
    ],
    ['a total that is 0', pagination({ total: 0 }), pages],
    ['a number of pages that is too low', pagination({ total_pages: 1 }, 1), pages],
    ['a number of pages that is 0', pagination({ total_pages: 0 }), pages],
    ['a page that has vanished', rows(({ data }) => void data.splice(0), 2), pages],
    ['a page that is shorter than the others', rows(({ data }) => void data.splice(1), 2), pages],
    [
      'a page that holds more than the others, and some of the next',
      rows(({ data }) => void data.push(...data.map((row) => ({ ...row, amount: '1.000' }))), 2),
      pages,
    ],
    [
      'a page that repeats another',
      (() => {
        let first = '';
        return {
          ...texts((text) => {
            if (first === '') first = text;
            const page = invoiceListSchema.parse(JSON.parse(first));
            const { pagination } = invoiceListSchema.parse(JSON.parse(text)).response.invoices;
            page.response.invoices.pagination['current_page'] = pagination['current_page'];
            return JSON.stringify(page);
          }),
          invoiceType: '1',
        };
      })(),
      'unique invoice ids',
    ],
    [
      'an id that comes twice with another content',
      rows(({ data: [first, second] }) => {
        if (first !== undefined && second !== undefined)
          Object.assign(second, { id: first['id'], amount: '999.000' });
      }, 1),
      'unique invoice ids',
    ],
    ['stats that are null', stats({ invoice_paid: null }), 'stats.invoice_paid'],
    ['stats that count nothing', stats({ total_invoice_count: 0 }), 'stats.total_invoice_count'],
    [
      'stats that are over all types in one answer only',
      stats({ total_invoice_count: 30 }, 1),
      'stats.total_invoice_count',
    ],
    [
      'stats that are null',
      response((all) => Object.assign(all, { stats: null })),
      'stats.total_invoice_count',
    ],
    ['a total below zero', pagination({ total: -1 }), pages],
  ];
  it.each(cases)('%s', async (_what, fault, difference) => {
    service.add(fault);
    const outcome = await service.pull();
    expect(outcome.error).toBeUndefined();
    expect(await service.expectHonest(outcome)).toBe('unbalanced');
    expect(outcome.manifest?.differences.map(({ what }) => what)).toContainEqual(difference);
    expect(outcome.requests).toBeLessThanOrEqual(3 * service.reads);
  });
});

describe('a run fails with one clear error and seals nothing after', () => {
  const ROOT = 'response.invoices';
  const cases: [string, PaymentsFault, string, string, PullOptions?][] = [
    [
      'half of a compressed answer',
      always(body((text) => gzipSync(text).subarray(0, 200), 'gzip')),
      'MalformedAnswerError',
      'cut off',
    ],
    [
      'bytes that are not UTF-8',
      texts((text) => Buffer.from(text.replace('"description":"', '"description":"caf\u00e9'), 'latin1')),
      'MalformedAnswerError',
      'is not JSON in UTF-8',
    ],
    [
      'a total that appears twice',
      texts((text) => text.replaceAll('"total":', '"total":9,"total":')),
      'ContractError',
      'appears twice',
    ],
    [
      'an id in exponent notation that is too large',
      texts((text) => text.replace(/"id":\d+/, '"id":9e30')),
      'ContractError',
      `${ROOT}.data[0].id`,
    ],
    [
      'an amount of a million digits',
      texts((text) => text.replace(/"amount":"[^"]+"/, `"amount":"${'9'.repeat(1_000_000)}.000"`)),
      'ContractError',
      `${ROOT}.data[0].amount`,
    ],
    [
      'a hang of every answer',
      always({ kind: 'hang' }),
      'DeadlineError',
      'the time for the pull is over',
      { time: 600, requestTimeout: 30_000 },
    ],
    [
      'a drip that never ends',
      always({ kind: 'drip', bytes: 1, everyMilliseconds: 40 }),
      'DeadlineError',
      'the time for the pull is over',
      { time: 600, requestTimeout: 30_000 },
    ],
  ];
  it.each(cases)('%s', async (_what, fault, name, words, options) => {
    service.add(fault);
    const outcome = await service.pull(options);
    expect(await service.expectHonest(outcome)).toBe('failed');
    expect(outcome.error).toMatchObject({ name, message: textWith(words) });
    expect(outcome.requests).toBeLessThan(MOST_REQUESTS);
  });
});

it('ids of 2^53 and more stay distinct, digit for digit', async () => {
  service.nextDay({ invoices: 0, refunds: 0 });
  const ids = ['9007199254740992', '9007199254740993', '90071992547409930'];
  for (const id of ids) service.world.payments.data.insertInvoice(CODE, service.day, { rawJson: { id } });
  const { manifest, error } = await service.pull();
  expect(error).toBeUndefined();
  expect(manifest).toMatchObject({ balanced: true, counts: { total: 3 } });
  const text = await service.world.text(dataFile(defined(manifest), 'invoices', 'json').key);
  expect(text.match(/"id":\d{16,}/g)?.sort()).toEqual(ids.map((id) => `"id":${id}`).sort());
});
