import { expect, it } from 'vitest';
import { manifestKey } from '#records/storage/keys.ts';
import { BUCKET, CODE, DAY, DaybookWorld } from '#support/world/daybook-world.ts';

let world: DaybookWorld;

async function start(): Promise<void> {
  world = await DaybookWorld.ofTest();
  world.payments.data.seedDay(CODE, DAY, { invoices: 12, refunds: 2 });
}

const ignore = (names: readonly string[]) => world.putRegistry({ [CODE]: { balance: { ignore: names } } });

/** How often the day was pulled. Each pull reads the first page of this type once, because the type has only one page. */
function pulls(): number {
  return world.payments.requests.filter(
    ({ operation, query }) => operation === 'invoices' && query['invoiceType'] === '7',
  ).length;
}

it('a comparison that is left out does not decide; its result is kept and mailed', async () => {
  await start();
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

it('the mail about an empty day does not say that all agrees if a comparison is left out', async () => {
  world = await DaybookWorld.ofTest();
  await ignore(['statsTotal', 'statsOther']);
  world.payments.behaviour.wrongStats = { total: 3 };
  expect(await world.report()).toMatchObject({ balanced: true });
  expect((await world.lastMail('report')).text).not.toContain('the service agrees');
});

it('a day with invoices is mailed, although the ignored total says none and empty days are not mailed', async () => {
  world = await DaybookWorld.ofTest();
  const ignore = ['statsTotal', 'statsPaid', 'statsNotPaid', 'statsCancelled', 'statsOther'];
  await world.putRegistry({ [CODE]: { balance: { ignore }, skipEmpty: true, invoiceTypes: ['1'] } });
  expect((await world.report()).mail).toMatchObject({ status: 'skipped', reason: 'the day is empty' });
  world.payments.data.insertInvoice(CODE, DAY, { invoice_type: 1 });
  world.payments.behaviour.wrongStats = { total: -1 };
  expect(await world.report()).toMatchObject({
    balanced: true,
    counts: { total: 0 },
    refunds: { count: 0 },
    mail: { status: 'sent' },
  });
});

it('a change of the setting makes a revision and a correction at the next pull, in both directions', async () => {
  await start();
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
  await start();
  await ignore(['paginationTotal']);
  world.payments.behaviour.wrongTotal = 2;
  expect(await world.report()).toMatchObject({ revision: 1, balanced: true });
  expect((await world.manifest(1)).notCompared).toHaveLength(4);
  world.payments.behaviour.wrongTotal = 3;
  expect(await world.report()).toMatchObject({ revision: 1, unchanged: true });
  expect(pulls()).toBe(2);
});

it('a revision whose differences have no names equals a pull whose differences have names', async () => {
  await start();
  world.payments.behaviour.wrongStats = { paid: 1 };
  await world.report();
  const { notCompared: _left, ...manifest } = await world.manifest(1);
  const differences = manifest.differences.map(({ name: _name, ...earlier }) => earlier);
  const { otherDays: _days, ...drift } = manifest.drift;
  const earlier = JSON.stringify({ ...manifest, differences, drift });
  await world.aws.s3.write(BUCKET, manifestKey(DAY, CODE, 1), earlier);
  expect(await world.report()).toMatchObject({
    revision: 1,
    unchanged: true,
    mail: { status: 'already-sent' },
  });
  expect(await world.report({ resend: true })).toMatchObject({ revision: 1, mail: { status: 'sent' } });
});
