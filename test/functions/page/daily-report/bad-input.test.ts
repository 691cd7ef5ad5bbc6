import { handler } from '#page/daily-report/daily-report.lambda.ts';
import { BUCKET, CODE, DAY, SECRET, useWorld } from '#support/world/daybook-world.ts';
import { checkRecord, expectNothingDone, failureOf } from '#support/daily-report/failed-run.ts';
import { textLike } from '#support/assertions/index.ts';

/** Is in every value that an error must not repeat. */
const CANARY = 'canary-4f1d';
const REGISTRY = 'config/merchants.json';

const world = useWorld();
beforeEach(() => world.payments.data.seedDay(CODE, DAY, { invoices: 3, refunds: 1 }));
afterEach(() => vi.unstubAllEnvs());

/** The run fails with one error of this name and text. It makes no request to the service and changes nothing. */
async function expectFailure(run: Promise<unknown>, name: string, message: string | RegExp): Promise<void> {
  const error = await failureOf(run);
  const said = typeof message === 'string' ? message : textLike(message);
  expect({ name: error.name, message: error.message }).toEqual({ name, message: said });
  expect(error.message).not.toContain(CANARY);
  expect(world.payments.requests).toEqual([]);
  await expectNothingDone(world);
}

describe('an environment', () => {
  it.each(['DATA_BUCKET', 'CREDENTIALS_SECRET', 'SERVICE_ORIGINS', 'MAIL_FROM'])(
    'without %s stops the invocation with an error that names the variable',
    async (name) => {
      vi.stubEnv(name, undefined);
      const run = handler({ merchantCode: CODE, day: DAY });
      await expectFailure(run, 'EnvironmentError', `environment variable ${name} is missing`);
    },
  );

  it.each([
    ['DATA_BUCKET', `${CANARY}/folder`],
    ['DATA_BUCKET', ''],
    ['CREDENTIALS_SECRET', ''],
    ['SERVICE_ORIGINS', `https://pay.example.com, https://user:${CANARY}@pay.example.com`],
    ['MAIL_FROM', CANARY],
    ['MAIL_FROM', `Daybook <${CANARY}>`],
    ['MAIL_FROM', `Daybook\r\nBcc: ${CANARY}@example.com <daybook@example.com>`],
    ['OPS_RECIPIENTS', `ops@example.com, ${CANARY}`],
    ['SES_CONFIGURATION_SET', `${CANARY} with blanks`],
    ['OPS_TOPIC_ARN', CANARY],
    ['STAGE', `${CANARY} with blanks`],
    ['OPS_RUNBOOK', CANARY],
    ['LOG_LEVEL', CANARY],
  ])(
    'with %s = %j stops the invocation with an error that names the variable but not its value',
    async (name, value) => {
      vi.stubEnv(name, value);
      const run = Promise.resolve().then(() => world.report());
      await expectFailure(run, 'EnvironmentError', new RegExp(`^environment variable ${name} (must|is)`));
    },
  );
});

describe('a secret', () => {
  it('that does not exist is a clear error', async () => {
    vi.stubEnv('CREDENTIALS_SECRET', 'daybook/absent');
    await expectFailure(world.report(), 'SecretError', 'secret daybook/absent: does not exist');
    const record = { outcome: 'failed', error: 'SecretError', revision: null };
    expect(await checkRecord(world)).toMatchObject(record);
  });

  it.each([
    ['elsewhere/merchants', 'daybook/merchants/'],
    ['daybook/merchants', 'daybook/merchants/'],
    ['daybook/merchants-of-others', 'daybook/merchants/'],
    [' daybook/merchants/700001', 'daybook/merchants/'],
    ['arn:aws:secretsmanager:us-east-1:000000000000:secret:daybook/merchants/700001', 'daybook/merchants/'],
    ['elsewhere/merchants', ''],
    ['daybook/default/700001', ''],
    ['daybook/default-of-others', ''],
  ])('that the registry chooses (%s) is not requested where the prefix is "%s"', async (secretId, prefix) => {
    vi.stubEnv('CREDENTIALS_SECRET', 'daybook/default');
    vi.stubEnv('CREDENTIALS_PREFIX', prefix);
    world.aws.secrets.put(secretId, '{ "merchants": {} }');
    await world.putRegistry({ [CODE]: { secretId } });
    world.aws.secrets.reads = 0;
    const isUnset = 'may not be read: CREDENTIALS_PREFIX is not set';
    const why = prefix === '' ? isUnset : 'is not under CREDENTIALS_PREFIX';
    const message = `the registry's secretId of merchant ${CODE} ${why}`;
    await expectFailure(world.report(), 'SecretError', message);
    expect(world.aws.secrets.reads).toBe(0);
  });

  it('that the registry chooses may be the functions’ own', async () => {
    vi.stubEnv('CREDENTIALS_PREFIX', '');
    await world.putRegistry({ [CODE]: { secretId: SECRET } });
    expect((await world.report()).revision).toBe(1);
  });
});

describe('a registry', () => {
  it('that does not exist is a clear error', async () => {
    await world.aws.s3.remove(BUCKET, REGISTRY);
    await expectFailure(world.report(), 'RegistryError', `there is no registry at ${REGISTRY}`);
  });

  it('that lacks the merchant is an error that names the merchant', async () => {
    const run = world.report({ merchantCode: '999999' });
    await expectFailure(run, 'UnknownMerchantError', 'the registry has no merchant 999999');
  });
});

describe('an event', () => {
  it.each([
    [{ merchantCode: undefined }, 'merchantCode'],
    [{ merchantCode: `${CANARY}/../x` }, 'merchantCode'],
    [{ day: 20261120 }, 'day'],
    [{ refundIds: CANARY }, 'refundIds'],
    [{ refundIds: [1400, CANARY] }, 'refundIds[1]'],
    [{ refundIds: [-1] }, 'refundIds[0]'],
    [{ send: CANARY }, 'send'],
    [{ to: [] }, 'to'],
    [{ to: ['a@merchants.example', CANARY] }, 'to[1]'],
    [{ to: [`Owner <a@merchants.example>`] }, 'to[0]'],
    [{ resend: 1 }, 'resend'],
    [{ resend: 'all' }, 'resend'],
    [{ resend: [] }, 'resend'],
    [{ resend: ['a@merchants.example', CANARY] }, 'resend[1]'],
    [{ resend: true, send: false }, 'resend'],
    [{ dryRun: CANARY }, 'dryRun'],
    [{ scheduledTime: CANARY }, 'scheduledTime'],
    [{ sned: false }, 'sned'],
  ])('with %j is an error that names the member', async (members, member) => {
    const error = await failureOf(world.report(members));
    expect(error).toMatchObject({ name: 'InvalidEventError', member });
    await expectFailure(Promise.reject(error), 'InvalidEventError', /^the event is not usable: /);
  });

  it.each([[null], [[]], [CANARY], [7]])('that is %j is a clear error', async (event) => {
    const run = world.coldStart()(event);
    await expectFailure(run, 'InvalidEventError', 'the event is not usable: (root): must be object');
  });

  it('of a day that has not begun in the merchant’s zone is a clear error', async () => {
    // 22:00 in Kuwait. The next day has already begun in Auckland.
    world.clock.setTo('2026-11-20T19:00:00Z');
    const message = 'day 2026-11-21 has not begun yet in Asia/Kuwait';
    await expectFailure(world.report({ day: '2026-11-21' }), 'InvalidDayError', message);
    await world.putRegistry({ [CODE]: { timeZone: 'Pacific/Auckland' } });
    expect(await world.report({ day: '2026-11-21' })).toMatchObject({ day: '2026-11-21', revision: 1 });
  });
});

it('credentials are sent to no origin outside SERVICE_ORIGINS', async () => {
  await world.putRegistry({}, { baseUrl: 'http://127.0.0.1:9' });
  await expectFailure(world.report(), 'ForbiddenOriginError', /^the registry's service\.baseUrl /);
  expect(await checkRecord(world)).toMatchObject({ outcome: 'failed', error: 'ForbiddenOriginError' });
});
