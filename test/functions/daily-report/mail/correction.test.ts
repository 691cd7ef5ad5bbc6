import { setTimeout as wait } from 'node:timers/promises';
import PostalMime from 'postal-mime';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ledgerKey } from '#domain/storage/keys.ts';
import { BUCKET, CODE, DAY, DaybookWorld } from '#support/world/daybook-world.ts';
import { daybookHeadersIn } from '#support/readers/daybook-headers-in.ts';
import { defined } from '#support/assertions/defined.ts';

let world: DaybookWorld;
let unpaid: number;
beforeEach(async () => {
  world = await DaybookWorld.start();
  world.payments.data.seedDay(CODE, DAY, { invoices: 30, refunds: 2 });
  unpaid = world.payments.data.insertInvoice(CODE, DAY);
});
afterEach(() => world.close());

function firstInvoice(): number {
  return defined(world.payments.data.truth(CODE, DAY).invoices.ids[0]);
}

it('a row that differs makes a revision, but no mail when no figure has changed', async () => {
  await world.report();
  world.payments.data.updateInvoice(CODE, firstInvoice(), { visited_count: 99 });
  const second = await world.report();
  expect(second).toMatchObject({
    revision: 2,
    unchanged: false,
    mail: { status: 'skipped', reason: 'no figure has changed since the last mail' },
  });
  expect(world.sendRequests()).toBe(1);
  expect((await world.ledger(2)).status).toBe('skipped');
  expect((await world.manifest(2)).previous).toBe(`days/day=${DAY}/merchant=${CODE}/r0001.json`);
});

it('a changed figure sends a correction that shows the old figure', async () => {
  const first = await world.report();
  world.payments.data.updateInvoice(CODE, unpaid, { invoice_status: 1 });
  const second = await world.report();
  expect(second).toMatchObject({ revision: 2, mail: { status: 'sent' } });
  const mail = defined(world.mails('correction')[0]);
  for (const [kind, revision] of [
    ['report', 1],
    ['correction', 2],
  ] as const) {
    const { pull } = await world.manifest(revision);
    expect(await daybookHeadersIn(defined(world.mails(kind)[0]).raw)).toEqual({
      'x-daybook-kind': kind,
      'x-daybook-reference': `${CODE} ${DAY} ${revision}`,
      'x-daybook-pull': pull,
      'x-daybook-manifest': `days/day=${DAY}/merchant=${CODE}/r000${revision}.json`,
    });
  }
  const { subject, text } = await PostalMime.parse(mail.raw);
  expect(subject?.toLowerCase()).toContain('correction');
  expect(text).toMatch(new RegExp(`${defined(first.counts.paid)}\\D{1,12}${defined(second.counts.paid)}`));
});

it('compares with the revision that was mailed last, not with the previous revision', async () => {
  const first = await world.report();
  // A revision with other figures that was mailed to nobody.
  world.payments.data.updateInvoice(CODE, unpaid, { invoice_status: 1 });
  expect((await world.report({ send: false })).mail.status).toBe('skipped');
  world.payments.data.insertInvoice(CODE, DAY, { invoice_status: 1 });
  const third = await world.report();
  expect(third).toMatchObject({ revision: 3, mail: { status: 'sent' } });
  expect(third.counts.paid).toBe(defined(first.counts.paid) + 2);
  const { text = '' } = await PostalMime.parse(defined(world.mails('correction')[0]).raw);
  const [, was, is] = /^.*\bPaid\b\D*(\d+)\D{1,12}(\d+)$/m.exec(text) ?? [];
  expect([was, is].map(Number)).toEqual([first.counts.paid, third.counts.paid]);
});

it('sends the full report if no earlier revision was mailed', async () => {
  expect((await world.report({ send: false })).mail).toMatchObject({ status: 'skipped' });
  expect((await world.ledger(1)).status).toBe('skipped');
  world.payments.data.updateInvoice(CODE, unpaid, { invoice_status: 1 });
  await world.report();
  expect(world.mails('report')).toHaveLength(1);
  expect(world.mails('correction')).toHaveLength(0);
});

it('never mails an older revision after a newer one', async () => {
  // The first run dies between its seal and its mail. A second run seals and mails the changes since then.
  world.aws.faults.add({
    service: 's3',
    operation: 'PutObject',
    key: /^mail\/.*r0001/,
    action: {
      kind: 'call',
      before: async () => {
        world.payments.data.updateInvoice(CODE, unpaid, { invoice_status: 1 });
        await world.report();
      },
    },
  });
  const slow = await world.report();
  expect(slow.revision).toBe(1);
  expect(slow.mail).toMatchObject({ status: 'skipped', reason: 'revision 2 came before it was mailed' });
  expect(world.mails('report').map((mail) => mail.tags['revision'])).toEqual(['2']);
});

it('a day that becomes balanced gets a new revision although no row differs', async () => {
  world.payments.behaviour.wrongStats = { paid: 1 };
  expect(await world.report()).toMatchObject({ revision: 1, balanced: false });
  world.payments.behaviour.wrongStats = {};
  const second = await world.report();
  expect(second).toMatchObject({ revision: 2, balanced: true, mail: { status: 'sent' } });
  expect((await world.manifest(2)).digest).toBe((await world.manifest(1)).digest);
});

it('waits for a run that is still mailing the earlier revision, so that older figures never arrive last', async () => {
  await world.putRegistry({
    [CODE]: { recipients: ['a@merchants.example', 'b@merchants.example', 'c@merchants.example'] },
  });
  let second: Promise<unknown> | undefined;
  // The mail service is slow with b. In the meantime the day changes, and another run seals it.
  world.aws.faults.add({
    service: 'ses',
    key: /b@/,
    action: {
      kind: 'call',
      before: async () => {
        world.payments.data.updateInvoice(CODE, unpaid, { invoice_status: 1 });
        second = world.report();
        while (world.keys('days/').length < 2) await wait(2);
        // Long enough to read the ledger often, and shorter than a lease on this clock.
        await wait(100);
      },
    },
  });
  await world.report();
  await second;
  const order = world
    .mails()
    .map(
      (mail) =>
        `${defined(mail.tags['kind'])}${defined(mail.tags['revision'])} ${defined(defined(mail.destinations[0])[0])}`,
    );
  expect(order).toEqual([
    'report1 a',
    'report1 b',
    'report1 c',
    'correction2 a',
    'correction2 b',
    'correction2 c',
  ]);
});

it('closes the ledger of a dead run of the earlier revision, and notifies ops', async () => {
  await world.report();
  const dead = await world.ledger(1);
  dead.status = 'intended';
  dead.writer = 'a run that died';
  dead.until = '2026-11-20T00:00:00Z';
  dead.recipients[0] = { ...defined(dead.recipients[0]), status: 'intended', messageId: null };
  await world.aws.s3.write(BUCKET, ledgerKey(DAY, CODE, 1), JSON.stringify(dead));
  world.payments.data.updateInvoice(CODE, unpaid, { invoice_status: 1 });
  expect(await world.report()).toMatchObject({ revision: 2, mail: { status: 'sent' } });
  expect(await world.ledger(1)).toMatchObject({
    status: 'held',
    reason: 'revision 2 came before it was mailed',
  });
  expect(world.mails('correction')).toHaveLength(1);
  expect(world.mails('ops')).toHaveLength(1);
});

it('notifies ops of a mail that was held by a run that died before it could notify them', async () => {
  await world.report();
  const held = await world.ledger(1);
  held.status = 'held';
  held.recipients[0] = { ...defined(held.recipients[0]), status: 'held', messageId: null };
  await world.aws.s3.write(BUCKET, ledgerKey(DAY, CODE, 1), JSON.stringify(held));
  world.payments.data.updateInvoice(CODE, unpaid, { invoice_status: 1 });
  expect(await world.report()).toMatchObject({ revision: 2, mail: { status: 'sent' } });
  expect(world.mails('ops')).toHaveLength(1);
  await world.report();
  expect(world.mails('ops')).toHaveLength(1);
});
