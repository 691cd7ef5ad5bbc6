import PostalMime from 'postal-mime';
import { afterEach, assert, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { CODE, DAY, DaybookWorld } from '#support/world/daybook-world.ts';
import type { WorldOptions } from '#support/world/daybook-world.ts';
import { sealedLines, sealedRecords, servedInvoices } from '#support/daily-report/sealed-rows.ts';
import { defined } from '#support/assertions/defined.ts';

const INVOICE_PAGE = z.looseObject({
  response: z.looseObject({ invoices: z.looseObject({ pagination: z.record(z.string(), z.unknown()) }) }),
});

let world: DaybookWorld;
afterEach(() => world.close());

/** A world in which every invoice type has several pages. */
async function start(options: WorldOptions = {}, invoices = 80): Promise<void> {
  world = await DaybookWorld.start({ perPage: 3, ...options });
  world.payments.data.seedDay(CODE, DAY, { invoices, refunds: 2 });
}

function truth() {
  return world.payments.data.truth(CODE, DAY).invoices;
}

/** How often the day was pulled. Each pull requests the second page of a type once. */
function pulls(): number {
  return world.payments.requests.filter(({ query }) => query['invoiceType'] === '1' && query['page'] === '2')
    .length;
}

/** The text of the only mail, without the commas between thousands. */
async function mailed(): Promise<{ subject: string; text: string; html: string }> {
  const mail = defined(world.mails('report')[0]);
  const { subject = '', text = '', html = '' } = await PostalMime.parse(mail.raw);
  return { subject, text, html };
}

describe('pages that change while they are read', () => {
  it.each([1, 2, 4, 16])(
    'are read again until they are stable (%i requests at once)',
    async (maxConcurrency) => {
      await start({ defaults: { maxConcurrency } });
      world.payments.behaviour.shift = { every: 2, times: 6 };
      const answer = await world.report();
      expect(answer).toMatchObject({ balanced: true, differences: [], counts: { total: 86 } });
      expect(pulls()).toBe(2);
      expect(await sealedRecords(world, 'invoices')).toEqual(await servedInvoices(world));
    },
  );

  it('are read a third time if they changed twice', async () => {
    await start();
    // The last change comes when the second pull has begun.
    let first = 0;
    world.payments.behaviour.faults.add({
      operation: 'invoices',
      page: 2,
      invoiceType: '1',
      times: 2,
      action: { kind: 'call', after: () => void (first = world.payments.data.insertInvoice(CODE, DAY)) },
    });
    const answer = await world.report();
    expect(answer).toMatchObject({ balanced: true, counts: { total: 82 } });
    expect(pulls()).toBe(3);
    const records = await sealedRecords(world, 'invoices');
    expect(records.map(({ id }) => id)).toContain(first);
    expect(records).toEqual(await servedInvoices(world));
  });

  it('are also noticed when one invoice disappears and another appears', async () => {
    await start();
    const gone = defined(truth().ids[0]);
    world.payments.behaviour.faults.add({
      operation: 'invoices',
      page: 3,
      invoiceType: '1',
      action: {
        kind: 'call',
        before: () => {
          world.payments.data.deleteInvoice(CODE, gone);
          world.payments.data.insertInvoice(CODE, DAY);
        },
      },
    });
    expect(await world.report()).toMatchObject({ balanced: true, counts: { total: 80 } });
    expect(await sealedRecords(world, 'invoices')).toEqual(await servedInvoices(world));
  });

  it('are sealed as unbalanced after three pulls, and the mail says so', async () => {
    await start({}, 40);
    world.payments.behaviour.shift = { every: 1, times: Infinity };
    const answer = await world.report();
    expect(answer).toMatchObject({ revision: 1, balanced: false, mail: { status: 'sent' } });
    expect(answer.differences).toContainEqual({
      name: 'stablePages',
      what: 'pages while they were read',
      service: 'kept changing',
      rows: 'read three times',
    });
    expect(pulls()).toBe(3);
    const ids = (await sealedRecords(world, 'invoices')).map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const { subject, text, html } = await mailed();
    expect(subject).toMatch(/^Not confirmed: /);
    for (const part of [text, html.replaceAll(/[\u2066-\u2069]/g, '')]) {
      expect(part).toContain(
        'The service’s totals kept changing while we read them. We will send a correction',
      );
      expect(part).toContain('The invoices kept changing while we read them. We tried three times.');
    }
  });

  it('balance with the next run when the service is stable again', async () => {
    await start({}, 40);
    world.payments.behaviour.shift = { every: 1, times: Infinity };
    await world.report();
    world.payments.behaviour.shift = null;
    expect(await world.report()).toMatchObject({ revision: 2, balanced: true, differences: [] });
    expect(await sealedRecords(world, 'invoices', 2)).toEqual(await servedInvoices(world));
  });
});

describe('counts of the service that do not match the rows', () => {
  it('a wrong total is pulled three times and explained, type by type', async () => {
    await start({ behaviour: { wrongTotal: 2 } });
    const { byType } = truth();
    const answer = await world.report();
    expect(answer).toMatchObject({ balanced: false, counts: { total: 80 } });
    const stated = (type: string) => ({
      name: 'paginationTotal',
      what: `pagination.total of invoiceType ${type}`,
      service: defined(byType[type]).count + 2,
      rows: defined(byType[type]).count,
    });
    expect(answer.differences).toEqual(['1', '0', '6', '7'].map(stated));
    expect(pulls()).toBe(3);
    const { subject, text } = await mailed();
    expect(subject).toContain('Not confirmed');
    const ofOne = defined(byType['1']).count;
    expect(text).toContain(`Invoices of type 1: the service says ${ofOne + 2}, the records say ${ofOne}`);
  });

  it('a payment between two answers of one pull is pulled again, and the day balances', async () => {
    await start({ behaviour: { statsScope: 'all' } });
    const unpaid = world.payments.data.insertInvoice(CODE, DAY);
    world.payments.behaviour.faults.add({
      operation: 'invoices',
      skip: 2,
      action: {
        kind: 'call',
        before: () => world.payments.data.updateInvoice(CODE, unpaid, { invoice_status: 1 }),
      },
    });
    expect(await world.report()).toMatchObject({ balanced: true, counts: { total: 81 } });
  });

  it('counts that are null are unknown, never zero: the mail has those of the rows', async () => {
    await start({ behaviour: { counts: 'null' } });
    const answer = await world.report();
    expect(answer.counts).toEqual({ total: 80, paid: null, notPaid: null, cancelled: null, other: null });
    expect(answer.balanced).toBe(false);
    expect((await world.manifest(1)).counts).toEqual(answer.counts);
    const { subject, text } = await mailed();
    expect(subject).toMatch(/^Not confirmed: .* KWD came in$/u);
    expect(text).toMatch(/\n\S+\sKWD came in\n/u);
    const paid = defined((await world.manifest(1)).issued).paid.count;
    expect(paid).toBeGreaterThan(0);
    expect(text).toContain(`\n  Paid by now: ${paid} · `);
    expect(text).toContain(`Paid invoices: the service does not say; the records say ${paid}\n`);
    expect(text).not.toMatch(/^ {2}(Paid by now|Unpaid|Cancelled): 0\b/m);
  });
});

describe('data that the contract does not know', () => {
  it('a status without a name counts as other, and the sums are still right', async () => {
    await start({ behaviour: { unknownStatus: { status: 9, every: 4 } } });
    const unknown = truth().ids.filter((id) => id % 4 === 0).length;
    const answer = await world.report();
    expect(answer).toMatchObject({ balanced: true, counts: { total: 80, other: unknown } });
    const { drift, amounts } = await world.manifest(1);
    assert.exists(amounts);
    expect(drift.unknownInvoiceStatuses).toEqual({ 9: unknown });
    const sum = Object.values(amounts).reduce((total, amount) => total + BigInt(amount.replace('.', '')), 0n);
    expect(sum).toBe(BigInt(truth().total.replace('.', '')));
  });

  it('additional fields are kept, nested ones too, and reported as drift', async () => {
    const extraInvoiceFields = { loyalty: { points: 7, tiers: [1, { a: null }] }, Amount: 'not the amount' };
    await start({ behaviour: { extraInvoiceFields, extraRefundFields: { channel: 'app' } } });
    expect(await world.report()).toMatchObject({ balanced: true });
    const [record] = await sealedRecords(world, 'invoices');
    expect(record).toMatchObject({ loyalty: extraInvoiceFields.loyalty, Amount__2: 'not the amount' });
    expect((await sealedRecords(world, 'refunds'))[0]).toMatchObject({ channel: 'app' });
    const { drift } = await world.manifest(1);
    expect(drift.unknownFields).toEqual({ invoices: ['Amount', 'loyalty'], refunds: ['channel'] });
    expect(drift.renamedFields.invoices).toEqual({ amount__2: ['Amount'] });
  });

  it('additional members of envelopes change nothing', async () => {
    await start({ behaviour: { extraEnvelopeFields: { version: 2, code: 0 } } });
    expect(await world.report()).toMatchObject({ balanced: true, counts: { total: 80 } });
  });
});

describe('an integer beyond 2^53', () => {
  it('is also kept in a refund, whose id is then requested digit for digit', async () => {
    await start({}, 1);
    const first = defined(world.payments.data.truth(CODE, DAY).refunds.ids[0]);
    world.payments.data.updateRefund(CODE, first, { rawJson: { status: '9007199254740993' } });
    expect(await world.report()).toMatchObject({ balanced: true, refunds: { count: 2 } });
    const lines = await sealedLines(world, 'refunds', 'json');
    expect(lines.filter((line) => line.includes('"status":9007199254740993,'))).toHaveLength(1);
  });
});

describe('a service with wrong statements about its size', () => {
  it('a page that repeats without end is read only a few times', async () => {
    await start({ behaviour: {} });
    let firstPage: string | undefined;
    world.payments.behaviour.faults.add({
      operation: 'invoices',
      invoiceType: '1',
      times: Infinity,
      action: {
        kind: 'replace',
        body: (original, request) => {
          firstPage ??= original;
          const page = INVOICE_PAGE.parse(JSON.parse(firstPage));
          Object.assign(page.response.invoices.pagination, {
            total_pages: 1_000_000_000,
            current_page: request.page,
          });
          return JSON.stringify(page);
        },
      },
    });
    expect((await world.report()).balanced).toBe(false);
    expect(world.payments.requests.filter(({ operation }) => operation === 'invoices').length).toBeLessThan(
      500,
    );
  });

  it('a gateway’s 404 does not mean that a refund is unknown; the pull fails', async () => {
    await start({ behaviour: {} });
    const refund = world.payments.data.insertRefund(CODE, DAY);
    expect(refund).toBeGreaterThan(0);
    world.payments.behaviour.faults.add({
      operation: 'refund',
      times: Infinity,
      action: { kind: 'html', status: 404 },
    });
    await expect(world.report()).rejects.toMatchObject({ name: 'NotFoundError' });
    expect(world.keys('days/')).toEqual([]);
  });
});
