import { describe, expect, it } from 'vitest';
import { integerText } from '#records/json/exact-json.ts';
import { invoicePages } from '#service/invoices/invoice-list.ts';
import { readRefund } from '#service/refunds/day-refunds.ts';
import type { Behaviour } from '#sandbox/payments/index.ts';
import {
  DAY,
  INVOICE_TYPES,
  idsOf,
  readInvoices,
  startService,
  always,
} from '#support/payments/running-service.ts';
import { defined } from '#support/assertions/defined.ts';

describe('a whole day', () => {
  it.each<[string, Partial<Behaviour>]>([
    ['plain', { invoiceAnswers: 'plain' }],
    ['encrypted, padded to blocks of 32', { invoiceAnswers: 'encrypted', padBlock: 32 }],
    ['encrypted, padded to blocks of 16', { invoiceAnswers: 'encrypted', padBlock: 16 }],
    [
      'with members around it',
      { invoiceAnswers: 'encrypted', extraEnvelopeFields: { code: 200, extra: [1] } },
    ],
  ])('is read from answers that are %s', async (_what, behaviour) => {
    const { sandbox, merchant, client } = await startService({ behaviour });
    const truth = sandbox.data.truth(merchant.merchantCode, DAY);
    expect(idsOf(await readInvoices(client))).toEqual(truth.invoices.ids);
    for (const id of truth.refunds.ids) expect((await readRefund(client, String(id)))?.refund.id).toBe(id);
  });

  it('comes in the order of types, then in the order of pages', async () => {
    const { client } = await startService();
    const pages = await Array.fromAsync(invoicePages(client, DAY, INVOICE_TYPES));
    const places = pages.map(({ invoiceType, page }) => [invoiceType, page]);
    expect(places.filter(([type]) => type === '1').map(([, page]) => page)).toEqual(
      Array.from({ length: defined(pages[0]).totalPages }, (_, index) => index + 1),
    );
    expect([...new Set(places.map(([type]) => type))]).toEqual(INVOICE_TYPES);
  });

  it('may be empty', async () => {
    const { client, count } = await startService({ size: { invoices: 0 } });
    expect(await readInvoices(client)).toEqual([]);
    expect(count('invoices')).toBe(INVOICE_TYPES.length);
  });

  it('is requested with the parameters that the contract lists', async () => {
    const { client, sandbox, merchant } = await startService({ size: { invoices: 3 } });
    await readInvoices(client, ['6']);
    expect(sandbox.requests.filter(({ operation }) => operation === 'invoices')).toMatchObject([
      {
        method: 'GET',
        path: '/api/v1/invoice-dashboard',
        merchantCode: merchant.merchantCode,
        query: { fromDate: DAY, toDate: DAY, page: '1', invoiceType: '6' },
        status: 200,
      },
    ]);
  });

  it('ends with the first empty page, whatever number of pages was stated', async () => {
    const { client, sandbox, count } = await startService({ size: { invoices: 4 } });
    always(sandbox, 'invoices', {
      kind: 'replace',
      body: (text) => text.replace(/"total_pages":\d+/, '"total_pages":1000000'),
    });
    expect((await readInvoices(client, ['1'])).length).toBeLessThanOrEqual(4);
    expect(count('invoices')).toBeLessThanOrEqual(1 + 2 * client.window);
  });
});

describe('data beyond the contract', () => {
  it('are kept: members that the contract does not name', async () => {
    const { client, sandbox, merchant } = await startService({
      size: { invoices: 3 },
      behaviour: {
        extraInvoiceFields: { extra: { a: [1, null] }, Amount: 'x', constructor: 'y' },
        extraRefundFields: { note: 'z' },
      },
    });
    for (const invoice of await readInvoices(client)) {
      expect(invoice).toMatchObject({ extra: { a: [1, null] }, Amount: 'x', constructor: 'y' });
    }
    const [id] = sandbox.data.truth(merchant.merchantCode, DAY).refunds.ids;
    expect((await readRefund(client, String(id)))?.refund).toMatchObject({ note: 'z' });
  });

  it('are kept: a member with the name __proto__, at any depth', async () => {
    const { client, sandbox } = await startService({ size: { invoices: 20 } });
    always(sandbox, 'invoices', {
      kind: 'replace',
      body: (text) => text.replaceAll('"customer":{', '"__proto__":{"a":1},"customer":{"__proto__":2,'),
    });
    const [invoice] = await readInvoices(client, ['1']);
    expect(Object.getOwnPropertyDescriptor(invoice, '__proto__')?.value).toEqual({ a: 1 });
    expect(Object.getOwnPropertyDescriptor(invoice?.customer, '__proto__')?.value).toBe(2);
  });

  it('are kept: integers beyond 2^53, digit for digit', async () => {
    const { client, sandbox, merchant } = await startService({ size: { invoices: 0, refunds: 0 } });
    const id = sandbox.data.insertRefund(merchant.merchantCode, DAY, {
      rawJson: { status: '90071992547409931' },
    });
    sandbox.data.insertInvoice(merchant.merchantCode, DAY, {
      rawJson: { id: '9007199254740993', more: '[12345678901234567890]' },
    });
    const invoice = defined((await readInvoices(client, ['1']))[0]);
    expect(integerText(invoice.id)).toBe('9007199254740993');
    expect(JSON.stringify(invoice)).toContain('"more":[12345678901234567890]');
    const refund = defined(await readRefund(client, String(id)));
    expect(integerText(refund.refund.status)).toBe('90071992547409931');
  });
});

it('addresses in answers are never followed: next_page_url', async () => {
  const { client, sandbox, merchant } = await startService();
  const elsewhere = 'http://127.0.0.1:9/api/v1/invoice-dashboard';
  always(sandbox, 'invoices', {
    kind: 'replace',
    body: (text) => text.replaceAll(`${sandbox.origin}/api/v1/invoice-dashboard`, elsewhere),
  });
  expect(idsOf(await readInvoices(client))).toEqual(
    sandbox.data.truth(merchant.merchantCode, DAY).invoices.ids,
  );
});
