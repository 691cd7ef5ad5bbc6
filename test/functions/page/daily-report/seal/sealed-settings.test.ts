import { manifestKey } from '#records/storage/keys.ts';
import { BUCKET, CODE, DAY, useWorld } from '#support/world/daybook-world.ts';

const OTHER_DAY = '2026-11-19';

const world = useWorld();

const start = () => world.payments.data.seedDay(CODE, DAY, { invoices: 12, refunds: 2 });

const ignore = (names: readonly string[]) => world.putRegistry({ [CODE]: { balance: { ignore: names } } });

/** How often the day was pulled. Each pull reads the first page of this type once, because the type has only one page. */
function pulls(): number {
  return world.payments.requests.filter(
    ({ operation, query }) => operation === 'invoices' && query['invoiceType'] === '7',
  ).length;
}

it('a comparison that is left out does not decide; its result is kept and mailed', async () => {
  start();
  await ignore(['statsTotal', 'statsOther']);
  world.payments.behaviour.wrongStats = { total: 3 };
  expect(await world.report()).toMatchObject({ balanced: true, differences: [], mail: { status: 'sent' } });
  const { balanced, differences, notCompared } = await world.manifest(1);
  expect({ balanced, differences }).toEqual({ balanced: true, differences: [] });
  expect(notCompared.map(({ name }) => name)).toEqual(['statsTotal', 'statsOther']);
  const { subject, text } = await world.lastMail('report');
  expect(subject).not.toContain('Not confirmed');
  expect(text).toContain(
    'Checked: the figures match the payment service, except for what your provider leaves out',
  );
  expect(text).toMatch(
    /What the check found[^]*Your provider leaves this out of the check: All invoices: the service says \d+, the records say 12\n/,
  );
  expect(pulls()).toBe(1);
});

it('ignored comparisons say nothing about an empty day: its mail does not say that all agrees, and a day with invoices is mailed', async () => {
  const all = ['statsTotal', 'statsPaid', 'statsNotPaid', 'statsCancelled', 'statsOther'];
  await world.putRegistry({ [CODE]: { balance: { ignore: all }, invoiceTypes: ['1'] } });
  world.payments.behaviour.wrongStats = { total: 3 };
  expect(await world.report()).toMatchObject({ balanced: true });
  expect((await world.lastMail('report')).text).not.toContain('the service agrees');
  world.payments.behaviour.wrongStats = {};
  await world.putRegistry({ [CODE]: { balance: { ignore: all }, skipEmpty: true, invoiceTypes: ['1'] } });
  const empty = { status: 'skipped', reason: 'the day is empty' };
  expect((await world.report({ day: OTHER_DAY })).mail).toMatchObject(empty);
  world.payments.data.insertInvoice(CODE, OTHER_DAY, { invoice_type: 1 });
  world.payments.behaviour.wrongStats = { total: -1 };
  const seeminglyEmpty = { counts: { total: 0 }, refunds: { count: 0 }, mail: { status: 'sent' } };
  expect(await world.report({ day: OTHER_DAY })).toMatchObject({ balanced: true, ...seeminglyEmpty });
});

it('a change of the setting makes a revision and a correction at the next pull, in both directions', async () => {
  start();
  world.payments.behaviour.wrongStats = { paid: 1 };
  expect(await world.report()).toMatchObject({ revision: 1, balanced: false });
  await ignore(['statsPaid', 'statsOther']);
  expect(await world.report()).toMatchObject({ revision: 2, balanced: true, mail: { status: 'sent' } });
  expect((await world.lastMail('correction')).text).toContain(
    'All figures match the payment service: no → yes',
  );
  await ignore([]);
  expect(await world.report()).toMatchObject({ revision: 3, balanced: false, mail: { status: 'sent' } });
});

it('a change in an ignored comparison alone makes no revision and no second pull', async () => {
  start();
  await ignore(['paginationTotal']);
  world.payments.behaviour.wrongTotal = 2;
  expect(await world.report()).toMatchObject({ revision: 1, balanced: true });
  expect((await world.manifest(1)).notCompared).toHaveLength(4);
  world.payments.behaviour.wrongTotal = 3;
  expect(await world.report()).toMatchObject({ revision: 1, unchanged: true });
  expect(pulls()).toBe(2);
});

it('a revision of an earlier version, without names of differences or a breakdown, equals a pull that has them', async () => {
  start();
  world.payments.behaviour.wrongStats = { paid: 1 };
  await world.report();
  const { notCompared: _left, breakdown: _breakdown, ...manifest } = await world.manifest(1);
  const differences = manifest.differences.map(({ name: _name, ...earlier }) => earlier);
  const { otherDays: _days, ...drift } = manifest.drift;
  const earlier = JSON.stringify({ ...manifest, differences, drift });
  await world.aws.s3.write(BUCKET, manifestKey(DAY, CODE, 1), earlier);
  const unchanged = { revision: 1, unchanged: true, mail: { status: 'already-sent' } };
  expect(await world.report()).toMatchObject(unchanged);
  expect(await world.report({ resend: true })).toMatchObject({ revision: 1, mail: { status: 'sent' } });
  world.payments.data.insertInvoice(CODE, DAY, { invoice_status: 1 });
  expect(await world.report()).toMatchObject({ revision: 2, mail: { status: 'sent' } });
  expect((await world.manifest(2)).breakdown).toBeTruthy();
});

it('a page says what its figures mean, and a status without a word gets one in the next revision', async () => {
  const { data } = world.payments;
  data.insertInvoice(CODE, DAY, { invoice_status: 1, amount: '65.000' });
  data.insertInvoice(CODE, DAY, { invoice_status: 3, amount: '7.000' });
  data.insertInvoice(CODE, DAY, { invoice_status: 8, amount: '3.000' });
  expect(await world.report()).toMatchObject({ amounts: { paid: '65.000', other: '3.000' } });
  const sealed = {
    currency: 'KWD',
    timeZone: 'Asia/Kuwait',
    invoiceStatuses: { 0: 'not_paid', 1: 'paid', 3: 'cancelled' },
    refundStatuses: { 0: 'pending', 1: 'approved', 2: 'rejected' },
    charges: [],
  };
  expect(await world.manifest(1)).toMatchObject(sealed);
  const invoiceStatuses = { 0: 'not_paid', 1: 'cancelled', 3: 'paid', 8: 'paid' };
  await world.putRegistry({ [CODE]: { currency: 'SAR', charges: ['admin_charge'], invoiceStatuses } });
  expect(await world.report()).toMatchObject({ revision: 2, amounts: { paid: '68.000', other: '0.000' } });
  expect(await world.manifest(2)).toMatchObject({
    ...sealed,
    invoiceStatuses: { ...sealed.invoiceStatuses, 8: 'paid' },
  });
});
