import PostalMime from 'postal-mime';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { addDays } from '#domain/day/business-day.ts';
import { historyKey } from '#domain/storage/keys.ts';
import { BUCKET, CODE, DAY, DaybookWorld } from '#support/world/daybook-world.ts';
import { knownErrors } from '#sandbox/aws/index.ts';
import { lambdaContext } from '#support/runtime/lambda-context.ts';

let world: DaybookWorld;
beforeEach(async () => {
  world = await DaybookWorld.start();
  world.clock.setTo(`${addDays(DAY, 1)}T06:00:00Z`);
  for (let back = 0; back < 9; back += 1) {
    world.payments.data.seedDay(CODE, addDays(DAY, -back), { invoices: 3, refunds: 0 });
  }
});
afterEach(() => world.close());

/** Reports days one after another. The last of them is this many days before DAY. */
async function report(days: number, last = 0): Promise<void> {
  for (let back = last + days - 1; back >= last; back -= 1) await world.report({ day: addDays(DAY, -back) });
}

async function notices(): Promise<{ subject: string; text: string }[]> {
  const mails = await Promise.all(world.mails('ops').map(({ raw }) => PostalMime.parse(raw)));
  return mails.map(({ subject = '', text = '' }) => ({ subject, text: text.replaceAll('\n', ' ') }));
}

const CANCELLED = { cancelled: 1 };
const names = ['statsCancelled', 'statsOther'];

it('after seven days of the same differences, ops are notified once what they can set and what that costs', async () => {
  world.payments.behaviour.wrongStats = CANCELLED;
  await report(6, 1);
  expect(await notices()).toEqual([]);
  await report(1);
  const [notice, ...more] = await notices();
  expect(more).toEqual([]);
  expect(notice?.subject).toContain(`Merchant 700001, ${DAY}: the same comparison disagrees every day`);
  expect(notice?.text).toContain(`The last 7 sealed days of merchant 700001 (${addDays(DAY, -6)} to ${DAY})`);
  expect(notice?.text).toContain('and no other: statsCancelled, statsOther.');
  expect(notice?.text).toContain(
    'npx daybook merchant set 700001 balance.ignore=statsCancelled,statsOther --local',
  );
  expect(notice?.text).toContain('statsCancelled: that the rows are in other states');
  await report(2);
  expect(await notices()).toHaveLength(1);
  expect(
    (await world.text(historyKey(CODE))).match(/"disagreed":\["statsCancelled","statsOther"\]/g),
  ).toHaveLength(7);
});

it('the mail of the day does not wait for the suggestion', async () => {
  world.payments.behaviour.wrongStats = CANCELLED;
  await report(7);
  const kinds = world.aws.mail.messages.map(({ tags }) => tags['kind']);
  expect(kinds).toEqual([...Array.from({ length: 7 }, () => 'report'), 'ops']);
});

it('another set of differences is suggested again, together with the comparisons that are already left out', async () => {
  world.payments.behaviour.wrongStats = CANCELLED;
  await report(7);
  await world.putRegistry({ [CODE]: { balance: { ignore: names } } });
  world.payments.behaviour.wrongStats = { ...CANCELLED, paid: 1 };
  await report(7);
  const [, second, ...more] = await notices();
  expect(more).toEqual([]);
  expect(second?.text).toContain('balance.ignore=statsCancelled,statsOther,statsPaid');
});

it.each([
  ['a day that balances', {}],
  ['a day with another difference', { paid: 1, cancelled: 1 }],
])('%s among the seven prevents the suggestion', async (_what, wrongStats) => {
  world.payments.behaviour.wrongStats = CANCELLED;
  await report(3, 4);
  world.payments.behaviour.wrongStats = wrongStats;
  await report(1, 3);
  world.payments.behaviour.wrongStats = CANCELLED;
  await report(3);
  expect(await notices()).toEqual([]);
});

it('days without invoices do not prevent the suggestion: a merchant may close once a week', async () => {
  for (let back = 28; back >= 21; back -= 1) {
    const day = addDays(DAY, -back);
    const isClosed = back % 6 === 0;
    world.payments.data.seedDay(CODE, day, { invoices: isClosed ? 0 : 3, refunds: 0 });
    world.payments.behaviour.wrongStats = isClosed ? {} : CANCELLED;
    await world.report({ day, send: false });
    expect(await notices()).toHaveLength(back === 21 ? 1 : 0);
  }
});

it('when the rows themselves are wrong, nothing is suggested after any number of days', async () => {
  world.payments.behaviour.wrongDay = -1;
  await report(8);
  world.payments.behaviour.wrongDay = 0;
  await world.putRegistry({ [CODE]: { invoiceTypes: ['1'] } });
  world.payments.behaviour.wrongType = { '1': '0' };
  await report(8);
  world.payments.behaviour.wrongType = {};
  world.payments.behaviour.wrongTotal = 1;
  await report(8);
  expect((await world.manifest(1)).balanced).toBe(false);
  expect(await notices()).toEqual([]);
});

it('days with unknown differences suggest nothing, and become known one after another', async () => {
  world.payments.behaviour.wrongStats = CANCELLED;
  await report(6, 1);
  const earlier = (await world.text(historyKey(CODE))).replaceAll(/"disagreed":\[[^\]]*\],/g, '');
  await world.aws.s3.write(BUCKET, historyKey(CODE), earlier);
  await report(1);
  expect(await notices()).toEqual([]);
  await report(6, 1);
  expect(await notices()).toHaveLength(1);
});

it('when little time is left, the suggestion waits for the next unbalanced day', async () => {
  world.payments.behaviour.wrongStats = CANCELLED;
  await report(6, 1);
  const context = lambdaContext({ getRemainingTimeInMillis: () => 59_000 });
  const answer = await world.coldStart()({ merchantCode: CODE, day: DAY }, context);
  expect(answer.mail.status).toBe('sent');
  expect(await notices()).toEqual([]);
  await report(1);
  expect(await notices()).toHaveLength(1);
});

it('a notice to ops that fails delays nothing, and is sent with the next unbalanced day', async () => {
  world.payments.behaviour.wrongStats = CANCELLED;
  await report(6, 1);
  world.aws.faults.add({ service: 'ses', key: /^ops@/, action: knownErrors.ses.notVerified });
  const answer = await world.report();
  expect(answer.mail.status).toBe('sent');
  expect(await notices()).toEqual([]);
  await report(1);
  expect(await notices()).toHaveLength(1);
});
