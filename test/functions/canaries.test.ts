import { sandboxMerchant } from '#sandbox/payments/index.ts';
import { BUCKET, CODE, DAY, runFunction, SECRET, useWorld } from '#support/world/daybook-world.ts';
import { Canaries, CUSTOMER, OPS, RECIPIENT } from '#support/daily-report/canaries.ts';
import { watch, sweep } from '#support/watch/running-watch.ts';
import { mailEventsOf, sesEvent, type Sample } from '#support/mail-events/running-mail-events.ts';
import { defined, membersOf } from '#support/assertions/index.ts';

const TOPIC = 'arn:aws:sns:us-east-1:000000000000:ops';
/** With {@link DAY}. */
const WEEK = '2026-W47';
const AFTER_WEEK = '2026-11-24T06:00:00.000Z';
const NOW = `${DAY}T12:00:00Z`;
const TICK = '2026-11-21T03:00:00Z';
const { accessCode, cipher, password } = sandboxMerchant(0);
/** The text that an error of AWS could quote. */
const QUOTED = [RECIPIENT, accessCode, cipher.key, password, CUSTOMER.customer.name, CUSTOMER.token].join(
  ' ',
);
const RULES = [
  { name: 'any', measure: 'invoiceCount', above: 1 },
  { name: 'refunds', measure: 'refundTotal', above: '0.001' },
  { name: 'amount', measure: 'unpaidAmount', above: '0.001' },
  { name: 'expiring', measure: 'expiringUnpaid', withinDays: 3, above: 0 },
];

const world = useWorld({
  perPage: 3,
  environment: { LOG_LEVEL: 'DEBUG', OPS_RECIPIENTS: OPS, OPS_TOPIC_ARN: TOPIC },
});
let canaries: Canaries;
beforeEach(async () => {
  await world.putRegistry({ [CODE]: { recipients: [RECIPIENT], alerts: RULES } });
  canaries = new Canaries(world);
});
afterEach(() => {
  delete process.env['OPS_TOPIC_ARN'];
  vi.unstubAllEnvs();
});

/** The event that SES would send about the first mail. */
async function eventOf(sample: Sample): Promise<unknown> {
  const [mail] = world.mails();
  return sesEvent(sample, mail);
}

type Event = Record<string, unknown>;
const FUNCTIONS: Record<string, (event?: Event) => Promise<unknown>> = {
  plan: (event = { kind: 'daily', scheduledTime: TICK }) => runFunction('plan', event, world.clock),
  'daily-report': (event = {}) => world.report(event),
  'alert-check': (event = { day: DAY, now: NOW }) => world.alertCheck(event),
  'delivery-watch': (event = { day: DAY }) => watch(world, event),
  'mail-events': async (event) => mailEventsOf(world)(event ?? (await eventOf('bounced-permanent'))),
  statement: (event = { merchantCode: CODE, period: WEEK }) => {
    world.clock.setTo(AFTER_WEEK);
    return world.statement(event);
  },
  sweep: (event = {}) => sweep(world, event),
};
const NAMES = Object.keys(FUNCTIONS);

/** What a function answers or throws. Both go to whoever called it, and to the log. */
async function outcomeOf(name: string, event?: Event): Promise<unknown> {
  return defined(FUNCTIONS[name])(event).catch((error: unknown) => error);
}

/** Those of several functions, one after the other. */
async function outcomesOf(names: readonly string[]): Promise<unknown[]> {
  const outcomes: unknown[] = [];
  for (const name of names) outcomes.push(await outcomeOf(name));
  return outcomes;
}

describe('no canary appears', () => {
  it('when all functions do their work, one after the other', async () => {
    const outcomes = await outcomesOf(NAMES);
    expect(outcomes.filter((outcome) => outcome instanceof Error)).toEqual([]);
    expect(outcomes[2]).toMatchObject({ mailed: true });
    expect(world.mails().map(({ tags }) => tags['kind'])).toEqual(['report', 'alert', 'ops']);
    expect(world.aws.notices.messages.length).toBeGreaterThan(0);
    await canaries.expectHidden(outcomes);
  });

  const happy: Sample[] = ['sent', 'delivered', 'delayed', 'opened'];
  it.each<Sample>([...happy, 'bounced-transient', 'complained', 'rejected', 'rendering-failed'])(
    'when SES reports that a mail is %s',
    async (sample) => {
      await world.report();
      await canaries.expectHidden(await outcomeOf('mail-events', membersOf(await eventOf(sample))));
    },
  );

  /** The calls that each function makes to AWS here. */
  const calls: Record<string, string[]> = {
    plan: ['GetObject', 'PutObject'],
    'daily-report': ['GetObject', 'GetSecretValue', 'ListObjectsV2', 'PutObject', 'SendRawEmail'],
    'alert-check': ['GetObject', 'GetSecretValue', 'ListObjectsV2', 'PutObject', 'SendRawEmail'],
    'delivery-watch': ['GetObject', 'ListObjectsV2'],
    'mail-events': ['GetObject', 'PutObject', 'SendRawEmail', 'Publish'],
    statement: ['GetObject', 'ListObjectsV2', 'PutObject'],
    sweep: ['ListObjectsV2'],
  };
  const refusals = Object.entries(calls).flatMap(([name, operations]) =>
    operations.map((operation) => ({ name, operation })),
  );

  it.each(refusals)('when AWS refuses $operation to $name, and quotes them', async ({ name, operation }) => {
    await world.report();
    world.payments.data.insertInvoice(CODE, DAY, { invoice_status: 1 });
    const event = name === 'mail-events' ? membersOf(await eventOf('bounced-permanent')) : undefined;
    world.awsDoes(
      { kind: 'error', status: 403, code: 'AccessDenied', message: QUOTED },
      { operation, times: Infinity },
    );
    const before = world.aws.requests.length;
    await canaries.expectHidden(await outcomeOf(name, event));
    const asked = world.aws.requests.slice(before).map((request) => request.operation);
    expect(asked).toContain(operation);
  });

  const members = 'kind merchantCode merchants day from to now scheduledTime send refundIds dryRun resend';
  const wrongEvents = `${members} detail source`
    .split(' ')
    .flatMap((member) =>
      [CUSTOMER.customer.name, [RECIPIENT], { [member]: QUOTED }].map((value) => ({ [member]: value })),
    );

  it.each(NAMES)('when %s gets them in any member of its event', async (name) => {
    const outcomes: unknown[] = [];
    for (const event of wrongEvents) outcomes.push(await outcomeOf(name, event));
    outcomes.push(await outcomeOf(name, { kind: 'daily', scheduledTime: TICK, merchants: [QUOTED] }));
    await canaries.expectHidden(outcomes);
  });

  const wrongMembers: Record<string, unknown>[] = [
    { recipients: [`${RECIPIENT} <`] },
    { timeZone: CUSTOMER.customer.name },
    { reportAt: QUOTED },
    { currency: CUSTOMER.token },
    { secretId: [accessCode] },
    { secretId: 7 },
    { merchantId: [password] },
    { redact: [`${CUSTOMER.token}.x`] },
    { invoiceStatuses: { 0: CUSTOMER.customer.name } },
    { refunds: { source: CUSTOMER.token } },
    { alerts: [{ ...RULES[0], above: CUSTOMER.customer.name }, { name: CUSTOMER.customer.email }] },
    { alerts: [{ ...RULES[0], repeatAfter: QUOTED, severity: password }] },
  ];

  it.each(wrongMembers)('when the registry has them in the wrong place: %j', async (change) => {
    await world.putRegistry({ [CODE]: { recipients: [RECIPIENT], alerts: RULES, ...change } });
    await canaries.expectHidden(await outcomesOf(NAMES.filter((name) => name !== 'mail-events')));
  });

  const answer = (status: boolean, members: object) => answerWith(JSON.stringify({ status, ...members }));
  const wrongKey = { cipher: { key: CUSTOMER.token, iv: CUSTOMER.token } };
  const strangeKey = { ...cipher, key: 'k'.repeat(32) };
  const baseUrl = `https://${CUSTOMER.token}:${password}@pay.example.com`;
  const broken: [string, () => unknown][] = [
    ['a secret that is not JSON', () => world.aws.secrets.put(SECRET, QUOTED)],
    ['a malformed entry of the secret', () => world.putSecret({ [CODE]: { accessCode: { password } } })],
    ['a registry that is not JSON', () => world.aws.s3.write(BUCKET, 'config/merchants.json', `[${QUOTED}`)],
    ['a changed key that no secret has', () => world.payments.rotate(CODE, strangeKey)],
    ['an answer with a customer in every place', () => answer(true, { response: CUSTOMER })],
    ['a refusal that quotes canaries', () => answer(false, { message: QUOTED, response: null })],
    ['a page of a gateway that quotes canaries', () => answerWith(`<p>${QUOTED}</p>`)],
    ['another merchant’s customer', () => insertWith({ merchant_id: CUSTOMER.token })],
    ['a customer in place of an amount', () => insertWith({ amount: CUSTOMER.customer.name })],
    ['a customer in place of an id', () => insertWith({ id: CUSTOMER.customer.email })],
    ['customers in place of an amount', () => insertWith({ amount: [CUSTOMER.customer] })],
    ['a wrong key in the secret', () => world.putSecret({ [CODE]: wrongKey })],
    ['a base URL with a password', () => world.putRegistry({}, { baseUrl })],
    [
      'a watch list with a customer',
      async () => {
        await world.putRegistry({ [CODE]: { refunds: { source: 'watchlist' }, alerts: RULES } });
        await world.aws.s3.write(BUCKET, `config/refunds/${CODE}.csv`, `id\n${CUSTOMER.customer.name}\n`);
      },
    ],
  ];

  it.each(broken)('after %s', async (_what, arrange) => {
    await arrange();
    const names = ['plan', 'daily-report', 'alert-check', 'delivery-watch'];
    await canaries.expectHidden(await outcomesOf(names));
  });
});

/** Every answer to a request for invoices becomes this one. */
function answerWith(body: string): void {
  world.serviceDoes({ kind: 'status', status: 200, body }, { operation: 'invoices', times: Infinity });
}

function insertWith(members: Record<string, unknown>): void {
  world.payments.data.insertInvoice(CODE, DAY, members);
}
