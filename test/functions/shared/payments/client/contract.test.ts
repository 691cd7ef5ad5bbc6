import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { invoiceSchema } from '#domain/records/invoice.ts';
import { refundSchema } from '#domain/records/refund.ts';
import { Cipher } from '#payments/envelope/cipher.ts';
import { PaymentsClient } from '#payments/client.ts';
import { readInvoicePage } from '#payments/invoices/invoice-list.ts';
import { readRefund } from '#payments/refunds/refund-details.ts';
import { sandboxMerchant, startPaymentsSandbox } from '#sandbox/payments/index.ts';
import type { PaymentsSandbox } from '#sandbox/payments/index.ts';
import { DAY, failureOf } from '#support/payments/running-service.ts';
import { RecordedSecret, credentialsOf } from '#support/payments/secret-readers.ts';
import { membersOf } from '#support/assertions/members.ts';
import { elementsOf } from '#support/assertions/elements.ts';

const merchant = sandboxMerchant(0);
const cipher = new Cipher(merchant.cipher);
let sandbox: PaymentsSandbox;
let client: PaymentsClient;
let refundId: number;

// One service for the whole file. Several hundred answers differ in one field each.
beforeAll(async () => {
  sandbox = await startPaymentsSandbox({ merchants: [merchant] });
  sandbox.data.seedDay(merchant.merchantCode, DAY, { invoices: 20, refunds: 1 });
  [refundId = 0] = sandbox.data.truth(merchant.merchantCode, DAY).refunds.ids;
  client = new PaymentsClient({
    merchantCode: merchant.merchantCode,
    service: {
      baseUrl: sandbox.origin,
      loginPath: '/api/v1/login',
      refreshPath: '/api/v1/token-refresh',
      refundListPath: '/api/v1/refund/',
    },
    allowedOrigins: [sandbox.origin],
    secret: new RecordedSecret(credentialsOf(merchant)),
    maxConcurrency: 4,
    deadline: Date.now() + 600_000,
    now: Date.now,
    sleep: () => Promise.resolve(),
  });
});

afterAll(async () => {
  client.close();
  await sandbox.close();
});

function setAt(target: unknown, path: readonly (string | number)[], value: unknown): void {
  const [name = '', ...rest] = path;
  if (rest.length > 0)
    setAt(typeof name === 'number' ? elementsOf(target)[name] : membersOf(target)[name], rest, value);
  else if (typeof name === 'number') elementsOf(target)[name] = value;
  else if (value === undefined) Reflect.deleteProperty(membersOf(target), name);
  else membersOf(target)[name] = value;
}

/** Reads an invoice page whose answer has this value at the path. `undefined` stands for a missing member. */
function invoicePageWith(path: readonly (string | number)[], value: unknown): Promise<unknown> {
  const change = (text: string) => {
    const envelope = membersOf(JSON.parse(text));
    setAt(envelope, path, value);
    return JSON.stringify(envelope);
  };
  sandbox.behaviour.faults.add({ operation: 'invoices', action: { kind: 'replace', body: change } });
  return readInvoicePage(client, DAY, '1', 1);
}

function refundWith(path: readonly string[], value: unknown): Promise<unknown> {
  const change = (text: string) => {
    const response = String(membersOf(JSON.parse(text))['response']);
    const envelope = membersOf(JSON.parse(cipher.decrypt(response)));
    setAt(envelope, ['response', ...path], value);
    return JSON.stringify({ response: cipher.encrypt(JSON.stringify(envelope)) });
  };
  sandbox.behaviour.faults.add({ operation: 'refund', action: { kind: 'replace', body: change } });
  return readRefund(client, String(refundId));
}

async function expectContractError(reading: Promise<unknown>, path: string): Promise<void> {
  const error = await failureOf(reading);
  expect({ name: error.name, path: membersOf(error)['path'] }).toEqual({
    name: 'ContractError',
    path,
  });
  expect(error.message).toContain(path);
  expect(`${error.message} ${JSON.stringify(error)} ${error.stack ?? ''}`).not.toMatch(/canary/i);
}

/** The paths of the schema's members whose type the contract gives. */
function typedMembers(shape: Record<string, z.ZodType>, path: string[] = []): string[][] {
  return Object.entries(shape).flatMap(([name, schema]) => {
    if (schema instanceof z.ZodObject)
      return [[...path, name], ...typedMembers(schema.shape, [...path, name])];
    return schema.safeParse({ canary: 'canary' }).success ? [] : [[...path, name]];
  });
}

const INVOICE = ['response', 'invoices', 'data', 2] as const;
const PAGINATION = ['response', 'invoices', 'pagination'] as const;

describe('an invoice', () => {
  it('of the sandbox is valid, so the other tests can fail', async () => {
    expect(await readInvoicePage(client, DAY, '1', 1)).toMatchObject({ page: 1 });
  });

  it('fails with the path of each member that has a wrong type', async () => {
    const members = typedMembers(invoiceSchema.unwrap().shape);
    expect(members).toHaveLength(33 + 5);
    for (const member of members) {
      const path = `response.invoices.data[2].${member.join('.')}`;
      await expectContractError(
        invoicePageWith([...INVOICE, ...member], { canary: 'canary' }),
        firstFailing(path),
      );
    }
  });

  it('fails with the path of each member that is missing', async () => {
    for (const name of Object.keys(invoiceSchema.unwrap().shape)) {
      await expectContractError(
        invoicePageWith([...INVOICE, name], undefined),
        `response.invoices.data[2].${name}`,
      );
    }
    for (const name of Object.keys(invoiceSchema.unwrap().shape.transaction.shape)) {
      await expectContractError(
        invoicePageWith([...INVOICE, 'transaction', name], undefined),
        `response.invoices.data[2].transaction.${name}`,
      );
    }
  });

  it.each<[string, unknown]>([
    ['id', '501'],
    ['id', 1.5],
    ['id', null],
    ['amount', 12.5],
    ['amount', '12.50'],
    ['amount', 'canary'],
    ['discount', null],
    ['expires_at', '2026-11-20 00:00:00'],
    ['created_at', '2026-11-20T10:00:00Z'],
    ['payment_method', ['1', 2]],
    ['spliturl', 7],
    ['products', null],
  ])('fails for %s of %j', async (name, value) => {
    const path = `response.invoices.data[2].${name}`;
    await expectContractError(invoicePageWith([...INVOICE, name], value), path);
  });

  it.each([null, 'canary', [], 7])('fails if there is %j in its place', async (value) => {
    await expectContractError(invoicePageWith(INVOICE, value), 'response.invoices.data[2]');
  });

  it.each(['rentperiod', 'products'])(
    'is valid with any value in %s, which the contract leaves open',
    async (name) => {
      const value = name === 'products' ? [7, null, { a: [] }] : { from: 1 };
      await expect(invoicePageWith([...INVOICE, name], value)).resolves.toMatchObject({ page: 1 });
    },
  );
});

/** A wrong value in place of an object fails at the object's first member if the value itself is an object. */
function firstFailing(path: string): string {
  const first: Record<string, string> = {
    transaction: 'payment_type_id',
    customer: 'name',
    created_by_merchant: 'id',
  };
  const name = path.slice(path.lastIndexOf('.') + 1);
  return name in first && path.split('.').length === 4 ? `${path}.${first[name] ?? ''}` : path;
}

describe('the rest of an answer with invoices', () => {
  it.each<[(string | number)[], unknown, string?]>([
    [['response'], null],
    [['response'], undefined],
    [['response'], ['canary']],
    [['response', 'stats'], null],
    [['response', 'stats', 'total_invoice_count'], undefined],
    [['response', 'stats', 'total_invoice_count'], -1],
    [['response', 'stats', 'invoice_paid'], 'canary'],
    [['response', 'stats', 'invoice_paid'], '1.5'],
    [['response', 'stats', 'invoice_paid'], '9'.repeat(16)],
    [['response', 'stats', 'invoice_not_paid'], {}],
    [['response', 'order_stats'], undefined],
    [['response', 'order_stats', 'invoice_paid'], []],
    [['response', 'invoices'], null],
    [['response', 'invoices', 'data'], { 0: 'canary' }],
    [['response', 'invoices', 'pagination'], undefined],
    [[...PAGINATION, 'total'], '20'],
    [[...PAGINATION, 'total'], -1],
    [[...PAGINATION, 'count'], null],
    [[...PAGINATION, 'total_pages'], 1.5],
    [[...PAGINATION, 'per_page'], 'canary'],
    [[...PAGINATION, 'current_page'], '1'],
    [[...PAGINATION, 'current_page'], 2],
    [[...PAGINATION, 'page_url'], null],
    [[...PAGINATION, 'next_page_url'], 7],
  ])('fails with its path: %j of %j', async (path, value) => {
    await expectContractError(invoicePageWith(path, value), path.join('.'));
  });

  it.each(['true', 1, null, undefined])('fails if the status of its envelope is %j', async (status) => {
    await expectContractError(invoicePageWith(['status'], status), 'status');
  });

  it('is valid without a message', async () => {
    await expect(invoicePageWith(['message'], undefined)).resolves.toMatchObject({ page: 1 });
  });
});

describe('a refund', () => {
  it('fails with the path of each member that has a wrong type', async () => {
    const members = typedMembers(refundSchema.unwrap().shape);
    expect(members).toHaveLength(19 + 13);
    for (const member of members) {
      const path = `response.${member.join('.')}`;
      const failing = path === 'response.transaction' ? 'response.transaction.id' : path;
      await expectContractError(refundWith(member, { canary: 'canary' }), failing);
    }
  });

  it('fails with the path of each member that is missing', async () => {
    for (const name of Object.keys(refundSchema.unwrap().shape)) {
      await expectContractError(refundWith([name], undefined), `response.${name}`);
    }
    for (const name of Object.keys(refundSchema.unwrap().shape.transaction.shape)) {
      await expectContractError(refundWith(['transaction', name], undefined), `response.transaction.${name}`);
    }
  });

  it('fails if it is not the requested refund', async () => {
    await expectContractError(refundWith(['id'], refundId + 1), 'response.id');
  });
});
