import { gzipSync } from 'node:zlib';
import type { PaymentsFault, PaymentsFaultAction } from '#sandbox/payments/index.ts';
import { seededRandom, type Random } from '#sandbox/payments/day/random.ts';
import { CODE } from '#support/world/daybook-world.ts';
import { FaultyService } from '#support/faults/faulty-service.ts';

const OPERATIONS = ['login', 'invoices', 'refunds', 'refund'] as const;

const RETRY_AFTER = [
  '0',
  '1',
  '30',
  '-5',
  '1.5 or so',
  '',
  'Wed, 21 Oct 2015 07:28:00 GMT',
  '99999999999999999999',
];

/** Answers that have to be asked for again. */
function failing(random: Random): PaymentsFaultAction {
  const status = random.pick([429, 500, 502, 503, 504]);
  const when = random.pick(['before', 'after'] as const);
  return random.pick<PaymentsFaultAction>([
    { kind: 'status', status: 429, headers: { 'retry-after': random.pick(RETRY_AFTER) } },
    { kind: 'status', status },
    { kind: 'status', status: 200 },
    { kind: 'server-error', status: random.pick([200, 500]) },
    { kind: 'reset', when },
    { kind: 'hang', when },
    { kind: 'half-body' },
    { kind: 'cut-json' },
    { kind: 'html' },
    { kind: 'html', status: 200 },
    { kind: 'drip', bytes: 1, everyMilliseconds: 50 },
    { kind: 'replace', body: (text) => gzipSync(text) },
    { kind: 'replace', body: (text) => Buffer.concat([Buffer.from([0xff]), Buffer.from(text)]) },
  ]);
}

/** Answers that are odd and right. */
function odd(random: Random): PaymentsFaultAction {
  return random.pick<PaymentsFaultAction>([
    { kind: 'delay', milliseconds: 1 + random.below(30) },
    { kind: 'gzip' },
    { kind: 'content-type', value: random.pick(['text/html', 'application/json; charset=utf-16', 'x']) },
    { kind: 'drip', bytes: 2_000, everyMilliseconds: 1 },
    { kind: 'replace', body: (text) => `\uFEFF${text}` },
    { kind: 'replace', body: (text) => ` \r\n\t${text}\n` },
  ]);
}

/** What happens to the day while it is read. Changes that no total and no first page shows are not among them. */
function change(service: FaultyService, random: Random): { what: string; run: () => void } {
  const [invoice = 0] = [...service.truth.invoices.values()].flatMap((rows) => [...rows.keys()]);
  const gone = random.pick([...service.truth.refunds.keys(), 0]);
  const hasInvoice = () => [...service.truth.invoices.values()].some((rows) => rows.has(invoice));
  const hasRefund = () => service.truth.refunds.has(gone);
  const [what, make] = random.pick<[string, Parameters<FaultyService['change']>[0]]>([
    [
      'an invoice more',
      (data, day) => data.insertInvoice(CODE, day, { invoice_type: random.pick([0, 1, 6, 7]) }),
    ],
    [
      'a page of invoices more',
      (data, day) => {
        for (let more = 0; more < 5; more += 1) data.insertInvoice(CODE, day);
      },
    ],
    ['an invoice less', (data) => hasInvoice() && data.deleteInvoice(CODE, invoice)],
    ['an invoice paid', (data) => hasInvoice() && data.updateInvoice(CODE, invoice, { invoice_status: 1 })],
    ['a refund more', (data, day) => data.insertRefund(CODE, day)],
    ['a refund less', (data) => hasRefund() && data.deleteRefund(CODE, gone)],
    ['a refund approved', (data) => hasRefund() && data.updateRefund(CODE, gone, { status: 1 })],
  ]);
  return { what, run: () => service.change(make) };
}

/** Selects the requests of a fault by their content, so that their order does not matter. */
function place(random: Random): Omit<PaymentsFault, 'action'> {
  const operation = random.pick(OPERATIONS);
  const times = 1 + random.below(2);
  if (operation !== 'invoices') return { operation, times, skip: random.below(2) };
  const invoiceType = random.pick(['1', '0', '6', '7']);
  return { operation, times, skip: random.below(2), invoiceType, page: 1 + random.below(3) };
}

function inWords({ operation, invoiceType, page, skip, times }: Omit<PaymentsFault, 'action'>): string {
  return [operation, invoiceType, page, `skip ${skip ?? 0}`, `times ${times ?? 1}`].join(' ');
}

/** Starts a day of the service with the faults of the seed. @returns what is wrong with it */
function faultsOf(service: FaultyService, seed: string) {
  const random = seededRandom(seed);
  service.nextDay({ invoices: random.below(60), refunds: random.below(9), seed: 1 + random.below(1_000) });
  const words: string[] = [];
  let again = 0;
  const { behaviour } = service;
  Object.assign(behaviour, {
    counts: random.pick(['strings', 'numbers']),
    statsScope: random.pick(['type', 'all']),
    invoiceAnswers: random.pick(['plain', 'encrypted']),
    errorAnswers: random.pick(['plain', 'encrypted']),
    errorStatus: random.pick([200, 'http']),
    padBlock: random.pick([16, 32]),
    refundListPages: random.pick(['page', 'none', 'repeats']),
    tokenDiesEvery: random.pick([null, null, 1, 2, 7, 30]),
  });
  const lies = random.below(100) < 15;
  if (lies) {
    const by = random.pick([-3, -1, 1, 20]);
    if (random.chance(50)) behaviour.wrongTotal = by;
    else behaviour.wrongStats = { [random.pick(['total', 'paid', 'notPaid', 'cancelled'])]: by };
    words.push(`lies by ${by}`);
  }
  if (random.chance(20)) behaviour.latencyMilliseconds = () => (random.chance(10) ? 20 : 0);

  for (let count = random.below(7); count > 0; count -= 1) {
    const where = place(random);
    const isFailing = random.chance(65);
    if (isFailing || random.chance(50)) {
      const action = isFailing ? failing(random) : odd(random);
      words.push(`${action.kind} (${inWords(where)})`);
      service.add({ ...where, action });
      if (isFailing) again += where.times ?? 1;
    } else {
      const { what, run } = change(service, random);
      words.push(`${what} (${inWords(where)})`);
      const hook = random.pick(['before', 'after'] as const);
      service.add({ ...where, times: 1, action: { kind: 'call', [hook]: run } });
    }
  }
  words.push(JSON.stringify({ ...behaviour, faults: undefined }));
  const { requests } = service.world.payments;
  return {
    /** For a failing run's message. */
    words,
    /** Whether the service states something false about itself. */
    lies,
    options: { maxConcurrency: random.pick([1, 3, 16]), random: () => random.below(1_000) / 1_000 },
    /** The requests that had to be made again, known after the run. */
    struck: () =>
      again +
      // A dead token costs the request itself and a new login.
      requests.filter(({ refusal, operation }) => refusal !== undefined || operation === 'refresh').length,
  };
}

/** For a longer run: `FAULT_SEEDS=a,b,c FAULT_RUNS=500`. The same seed gives the same faults. */
const SEEDS = (process.env['FAULT_SEEDS'] ?? 'daybook,ledger').split(',');
const RUNS = Number(process.env['FAULT_RUNS'] ?? 24);

const service = await FaultyService.start();
afterAll(() => service.close());

describe.each(SEEDS)('faults in combination, seed %s', (seed) => {
  const outcomes: string[] = [];

  it.each(Array.from({ length: RUNS }, (_, index) => index))(
    'give an honest and bounded result in run %i',
    async (run) => {
      const scenario = faultsOf(service, `${seed} ${run}`);
      const outcome = await service.pull(scenario.options);
      const became = await service.expectHonest(outcome).catch((cause: unknown) => {
        throw new Error(`after ${scenario.words.join(', ')}`, { cause });
      });
      if (scenario.lies) expect(became).not.toBe('balanced');
      service.expectBounded(outcome, scenario.struck());
      outcomes.push(became);
    },
  );

  it('end in a balanced day in more than a third of the runs', () => {
    const balanced = outcomes.filter((became) => became === 'balanced');
    expect(outcomes).toHaveLength(RUNS);
    expect(balanced.length).toBeGreaterThan(RUNS / 3);
  });
});
