import * as z from 'zod';
import { addDays } from '#records/day/business-day.ts';
import { manifestKey } from '#records/storage/keys.ts';
import { BUCKET, CODE, DAY, DaybookWorld, type WorldOptions } from '#support/world/daybook-world.ts';
import { sealedRecords, servedInvoices } from '#support/daily-report/sealed-rows.ts';
import { requestsOf } from '#support/daily-report/failed-run.ts';
import { defined } from '#support/assertions/index.ts';

const INVOICE_PAGE = z.looseObject({
  response: z.looseObject({ invoices: z.looseObject({ pagination: z.record(z.string(), z.unknown()) }) }),
});

let world: DaybookWorld;

/** A world in which every invoice type has several pages. */
async function start(options: WorldOptions = {}, invoices = 80): Promise<void> {
  world = await DaybookWorld.ofTest({ perPage: 3, ...options });
  world.payments.data.seedDay(CODE, DAY, { invoices, refunds: 2 });
}

const firstId = () => defined(world.payments.data.truth(CODE, DAY).invoices.ids[0]);

/** What is sealed is what the service has now, value for value. */
async function expectServed(): Promise<void> {
  expect(await sealedRecords(world, 'invoices')).toEqual(await servedInvoices(world));
}

/** How often the day was pulled. Each pull requests the second page of a type once. */
function pulls(): number {
  return world.payments.requests.filter(({ query }) => query['invoiceType'] === '1' && query['page'] === '2')
    .length;
}

/** Something happens after each of so many second pages of type 1, one of each pull, but the first ones. */
function afterPages(times: number, after: () => void, skip = 0): void {
  const action = { kind: 'call', after } as const;
  world.serviceDoes(action, { operation: 'invoices', page: 2, invoiceType: '1', times, skip });
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
      await expectServed();
    },
  );

  const replace = () => {
    world.payments.data.deleteInvoice(CODE, firstId());
    world.payments.data.insertInvoice(CODE, DAY);
  };
  const setState = (invoice_status: number) =>
    world.payments.data.updateInvoice(CODE, firstId(), { invoice_status });

  it.each<[string, WorldOptions, () => void]>([
    ['one invoice disappears and another appears', {}, replace],
    ['an invoice is paid between two answers', { behaviour: { statsScope: 'all' } }, () => setState(1)],
  ])('are also noticed when %s', async (_what, options, before) => {
    await start(options);
    setState(0);
    world.serviceDoes({ kind: 'call', before }, { operation: 'invoices', page: 3, invoiceType: '1' });
    expect(await world.report()).toMatchObject({ balanced: true, counts: { total: 80 } });
    await expectServed();
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
  });
});

it('data that the contract does not know additional fields are kept, nested ones too, and reported as drift', async () => {
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

describe('a service with wrong statements about its size', () => {
  it('a page that repeats without end is read only a few times', async () => {
    await start();
    let firstPage: string | undefined;
    const body = (original: string, { page: current_page }: { page?: number }) => {
      firstPage ??= original;
      const page = INVOICE_PAGE.parse(JSON.parse(firstPage));
      Object.assign(page.response.invoices.pagination, { total_pages: 1_000_000_000, current_page });
      return JSON.stringify(page);
    };
    const where = { operation: 'invoices', invoiceType: '1', times: Infinity } as const;
    world.serviceDoes({ kind: 'replace', body }, where);
    expect((await world.report()).balanced).toBe(false);
    expect(requestsOf(world, 'invoices')).toBeLessThan(500);
  });

  it('a gateway’s 404 does not mean that a refund is unknown; the pull fails', async () => {
    await start();
    world.payments.data.insertRefund(CODE, DAY);
    world.serviceDoes({ kind: 'html', status: 404 }, { operation: 'refund', times: Infinity });
    await expect(world.report()).rejects.toMatchObject({ name: 'NotFoundError' });
    expect(world.keys('days/')).toEqual([]);
  });
});

/*
 * A day is pulled again for two reasons: the service changed while the day was read, or another run has sealed different
 * content meanwhile. Together, both reasons can use at most three pulls.
 */

/** A day that is sealed once and has changed since then. */
async function startChanged(): Promise<void> {
  await start({}, 40);
  await world.report();
  world.payments.data.evolve(CODE, DAY);
}

const paid = () => void world.payments.data.insertInvoice(CODE, DAY);

/** Another run takes this many revision numbers with its own content, each just before this run would take it. */
function contest(times: number): void {
  let revision = 1;
  const before = async () => {
    const standing = await world.manifest(revision);
    const previous = manifestKey(DAY, CODE, revision);
    revision += 1;
    const taken = { ...standing, revision, digest: revision.toString().padStart(64, '0'), previous };
    await world.aws.s3.write(BUCKET, manifestKey(DAY, CODE, revision), JSON.stringify(taken));
  };
  world.beforePut(/^days\//, before, times);
}

const CONTESTED = {
  name: 'SealContestedError',
  message: `merchant ${CODE}, day ${DAY}: another run sealed other content during the last of 3 attempts`,
};

describe('one invocation makes at most three pulls', () => {
  const SEALED = { revision: 3, unchanged: false, balanced: false };

  it.each<[string, unsettled: number, skip: number, taken: number, object]>([
    ['every pull is unsettled and every number is taken', Infinity, 0, Infinity, CONTESTED],
    ['the first pull is unsettled and the numbers of the others are taken', 1, 0, 2, CONTESTED],
    [
      'the first number is taken, then pulls are unsettled: the last is sealed, marked',
      Infinity,
      1,
      1,
      SEALED,
    ],
  ])('if %s', async (_what, unsettled, skip, taken, outcome) => {
    await startChanged();
    afterPages(unsettled, paid, skip);
    contest(taken);
    const before = pulls();
    expect(await world.report().catch((error: unknown) => error)).toMatchObject(outcome);
    expect(pulls() - before).toBe(3);
    expect(world.mails('correction')).toHaveLength('revision' in outcome ? 1 : 0);
  });

  it('also in a dry run', async () => {
    await startChanged();
    afterPages(Infinity, paid);
    const before = pulls();
    await world.report({ dryRun: true });
    expect(pulls() - before).toBe(3);
  });
});

it('rows of another type than the requested one are a difference that states their number and names the first five', async () => {
  await start({}, 20);
  const served = await servedInvoices(world);
  const givenAsSubscription = served.filter((row) => row['invoice_type'] === 1);
  expect(givenAsSubscription.length).toBeGreaterThan(5);
  // Only one type is requested, so no id appears twice and every total agrees.
  await world.putRegistry({ [CODE]: { invoiceTypes: ['0'] } });
  world.payments.behaviour.wrongType = { '0': '1' };
  const answer = await world.report();
  expect(answer).toMatchObject({ balanced: false, counts: { total: givenAsSubscription.length } });
  expect(answer.differences).toEqual([
    {
      name: 'invoiceType',
      what: 'invoice_type of invoiceType 0',
      service: givenAsSubscription.length,
      rows: 0,
      ids: givenAsSubscription
        .map(({ id }) => id)
        .toSorted((a, b) => b - a)
        .slice(0, 5)
        .map(String),
    },
  ]);
  expect((await world.lastMail('report')).text).toContain(
    `Invoices of type 0: ${givenAsSubscription.length} of ${givenAsSubscription.length} have another type. First ids: `,
  );
});

it('rows of another day than the requested one are a difference', async () => {
  await start({}, 20);
  world.payments.behaviour.wrongDay = 1;
  const answer = await world.report({ day: addDays(DAY, -1) });
  expect(answer).toMatchObject({ balanced: false, counts: { total: 20 } });
  expect(answer.differences).toMatchObject([
    { name: 'invoiceDay', what: 'day of the invoices', service: 20, rows: 0 },
  ]);
  expect(answer.differences[0]?.ids).toHaveLength(5);
  expect((await world.lastMail('report')).text).toContain(
    '20 of 20 invoices are of another day. First ids: ',
  );
  const { drift } = await world.manifest(1, CODE, addDays(DAY, -1));
  expect(drift.otherDays).toEqual({ count: 0, ids: [] });
});
