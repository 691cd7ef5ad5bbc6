import { Cipher } from '#service/envelope/cipher.ts';
import { PaymentsClient } from '#service/client.ts';
import { readInvoicePage } from '#service/invoices/invoice-list.ts';
import { readRefund } from '#service/refunds/day-refunds.ts';
import { credentialsOf, sandboxMerchant, startPaymentsSandbox } from '#sandbox/payments/index.ts';
import { DAY, failureOf, fault, RecordedSecret, serviceAt } from '#support/payments/running-service.ts';
import { membersOf, elementsOf, textWith } from '#support/assertions/index.ts';
import { MISFIT_VALUES } from '#support/payments/spoilt-records.ts';

const merchant = sandboxMerchant(0);
const cipher = new Cipher(merchant.cipher);

// One service for the whole file. Several hundred answers differ in one field each.
const sandbox = await startPaymentsSandbox({ merchants: [merchant] });
sandbox.data.seedDay(merchant.merchantCode, DAY, { invoices: 20, refunds: 1 });
const [refundId = 0] = sandbox.data.truth(merchant.merchantCode, DAY).refunds.ids;
const client = new PaymentsClient({
  merchantCode: merchant.merchantCode,
  ...serviceAt(sandbox.origin),
  secret: new RecordedSecret(credentialsOf(merchant)),
  maxConcurrency: 4,
  deadline: Date.now() + 600_000,
  now: Date.now,
  sleep: () => Promise.resolve(),
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
  fault(sandbox, 'invoices', { kind: 'replace', body: change });
  return readInvoicePage(client, DAY, '1', 1);
}

function refundWith(path: readonly string[], value: unknown): Promise<unknown> {
  const change = (text: string) => {
    const response = String(membersOf(JSON.parse(text))['response']);
    const envelope = membersOf(JSON.parse(cipher.decrypt(response)));
    setAt(envelope, ['response', ...path], value);
    return JSON.stringify({ response: cipher.encrypt(JSON.stringify(envelope)) });
  };
  fault(sandbox, 'refund', { kind: 'replace', body: change });
  return readRefund(client, String(refundId));
}

async function expectContractError(reading: Promise<unknown>, path: string): Promise<void> {
  const error = await failureOf(reading);
  expect(error).toMatchObject({ name: 'ContractError', path, message: textWith(path) });
  expect(`${error.message} ${JSON.stringify(error)} ${error.stack ?? ''}`).not.toMatch(/canary/i);
}

const INVOICE = ['response', 'invoices', 'data', 2] as const;
const PAGINATION = ['response', 'invoices', 'pagination'] as const;

/** The path of a failure, or `read`. */
async function outcomeOf(reading: Promise<unknown>): Promise<string> {
  const failure = await reading.then(
    () => undefined,
    (error: unknown) => membersOf(error),
  );
  if (failure === undefined) return 'read';
  expect(`${String(failure['message'])} ${JSON.stringify(failure)}`).not.toMatch(/canary/i);
  return String(failure['name'] === 'ContractError' ? failure['path'] : failure['name']);
}

/** What each value is in place of a member: `read`, or the path of the failure. One after another, as their answers are. */
async function outcomes(
  read: (path: readonly string[], value: unknown) => Promise<unknown>,
  path: readonly string[],
): Promise<Record<string, string>> {
  const all: Record<string, string> = {};
  for (const [name, value] of MISFIT_VALUES) all[name] = await outcomeOf(read(path, value));
  return all;
}

/** Every value fails with this path, except those that are listed. */
function onlyRead(path: string, ...names: string[]): Record<string, string> {
  return Object.fromEntries(MISFIT_VALUES.map(([name]) => [name, names.includes(name) ? 'read' : path]));
}

/** The members that are needed, with the values that are read (docs/contract.md, 9). Of others, `lenient-members.test.ts`. */
const INVOICE_NEEDS: Record<string, string[]> = {
  id: ['zero'],
  merchant_id: [],
  amount: [],
  invoice_status: ['zero'],
};
const REFUND_NEEDS: Record<string, string[]> = { id: [], merchant_id: [], amount: [], status: ['zero'] };
const NEEDED_PLACES: Record<string, string[]> = {
  invoices: [],
  'invoices.data': ['an empty list', 'an empty object'],
  'invoices.pagination': [],
  'invoices.pagination.current_page': MISFIT_VALUES.map(([name]) => name).filter((name) => name !== 'zero'),
};

describe('an invoice', () => {
  it('of the sandbox is valid, so the other tests can fail', async () => {
    expect(await readInvoicePage(client, DAY, '1', 1)).toMatchObject({ page: 1 });
  });

  it.each(Object.entries(INVOICE_NEEDS))('fails for any other value as %s', async (field, read) => {
    const values = await outcomes((path, value) => invoicePageWith([...INVOICE, ...path], value), [field]);
    expect(values).toEqual(onlyRead(`response.invoices.data[2].${field}`, ...read));
  });

  it.each<[string, unknown]>([
    ['id', '501'],
    ['id', 1.5],
    ['amount', 12.5],
    ['amount', '12.50'],
    ['merchant_id', ''],
    ['merchant_id', '9'],
    ['invoice_status', '1'],
  ])('fails for %s of %j', async (name, value) => {
    const path = `response.invoices.data[2].${name}`;
    await expectContractError(invoicePageWith([...INVOICE, name], value), path);
  });

  it.each([null, 'canary', [], 7])('fails if there is %j in its place', async (value) => {
    await expectContractError(invoicePageWith(INVOICE, value), 'response.invoices.data[2]');
  });

  it('may have the id of its merchant as a number', async () => {
    const { invoices } = await readInvoicePage(client, DAY, '1', 1);
    const id = Number(invoices[0]?.merchant_id);
    await expect(invoicePageWith([...INVOICE, 'merchant_id'], id)).resolves.toMatchObject({ page: 1 });
  });
});

describe('what is around the invoices', () => {
  const COUNTS = ['total_invoice_count', 'invoice_paid', 'invoice_not_paid', 'invoice_cancelled'];
  const around = [
    ['stats'],
    ['order_stats'],
    ...COUNTS.map((name) => ['stats', name]),
    ...COUNTS.map((name) => ['order_stats', name]),
    ['invoices'],
    ['invoices', 'data'],
    ['invoices', 'pagination'],
    ...'total count per_page current_page total_pages page_url next_page_url previous_page_url'
      .split(' ')
      .map((name) => ['invoices', 'pagination', name]),
  ];

  it.each(around.map((path) => [path.join('.'), path] as const))(
    'is read with any value as %s, unless it is needed',
    async (field, path) => {
      const needed = NEEDED_PLACES[field];
      const read = await outcomes((inner, value) => invoicePageWith(['response', ...inner], value), path);
      if (needed === undefined) expect(read).toEqual(onlyRead('read'));
      else
        for (const [name, outcome] of Object.entries(read)) {
          if (needed.includes(name)) expect([name, outcome]).toEqual([name, 'read']);
          else expect(outcome).toContain(`response.${field}`);
        }
    },
  );

  it('must say the number of pages or of invoices', async () => {
    const unsaid = invoicePageWith([...PAGINATION], { total: null, total_pages: null });
    await expectContractError(unsaid, `${PAGINATION.join('.')}.total_pages`);
    expect(await invoicePageWith([...PAGINATION], { total: '31' })).toMatchObject({ totalPages: 3 });
  });

  it.each(['2', 2])('must not be another page: %j', async (page) => {
    const other = invoicePageWith([...PAGINATION, 'current_page'], page);
    await expectContractError(other, `${PAGINATION.join('.')}.current_page`);
  });

  it.each(['true', 1, null, undefined])('fails if the status of its envelope is %j', async (status) => {
    await expectContractError(invoicePageWith(['status'], status), 'status');
  });

  it('is valid with any message', async () => {
    for (const [, value] of MISFIT_VALUES) {
      await expect(invoicePageWith(['message'], value)).resolves.toMatchObject({ page: 1 });
    }
  });
});

describe('a refund', () => {
  it.each(Object.entries(REFUND_NEEDS))('fails for any other value as %s', async (field, read) => {
    expect(await outcomes(refundWith, [field])).toEqual(onlyRead(`response.${field}`, ...read));
  });

  it('fails if it is not the requested refund', async () => {
    await expectContractError(refundWith(['id'], refundId + 1), 'response.id');
  });
});
