import { addDays } from '#records/day/business-day.ts';
import { checkedKey, ledgerKey, manifestKey } from '#records/storage/keys.ts';
import { BUCKET, CODE, DAY, useWorld } from '#support/world/daybook-world.ts';
import { allWell, watch } from '#support/watch/running-watch.ts';
import { defined, textLike } from '#support/assertions/index.ts';

const world = useWorld();
let unpaid: number;
beforeEach(() => {
  world.payments.data.seedDay(CODE, DAY, { invoices: 20, refunds: 2 });
  unpaid = world.payments.data.insertInvoice(CODE, DAY);
});

/** Sets the functions' clock to a time in the merchant's zone, which is three hours ahead of UTC. */
function at(day: string, time: string): void {
  world.clock.setTo(`${day}T${time}+03:00`);
}

const MORNING = [addDays(DAY, 1), '06:00:00'] as const;

/** Each report and correction. */
async function mails() {
  return (await world.readMails()).filter(({ kind }) => kind !== 'ops');
}

describe('a report of a day that is not over', () => {
  it('says so in subject and headline, with the time in the merchant’s zone, and is not compared with whole days', async () => {
    const dayBefore = addDays(DAY, -1);
    world.payments.data.seedDay(CODE, dayBefore, { invoices: 9, refunds: 0 });
    at(DAY, '06:00:00');
    await world.report({ day: dayBefore });
    at(DAY, '14:05:00');
    await world.report({ day: 'today' });
    const { subject, text } = defined((await mails())[1]);
    expect(subject).toContain(' · 20 Nov · today until 14:05 · ');
    expect(text).toMatch(/ came in \(today until 14:05\)/);
    expect(text).not.toMatch(/vs\.|The last 14 days/);
    expect(await world.manifest(1)).toMatchObject({ soFarUntil: textLike(/T11:05:\d\d\./) });
  });

  it('is followed by the report of the whole day even if nothing has changed, and then by corrections', async () => {
    at(DAY, '14:05:00');
    await world.report({ day: DAY });
    at(...MORNING);
    expect(await world.report()).toMatchObject({ revision: 2, unchanged: false, mail: { status: 'sent' } });
    expect(await world.manifest(2)).toMatchObject({ soFarUntil: null });
    const again = { revision: 2, unchanged: true, mail: { status: 'already-sent' } };
    expect(await world.report()).toMatchObject(again);
    world.payments.data.updateInvoice(CODE, unpaid, { invoice_status: 1 });
    expect(await world.report()).toMatchObject({ revision: 3, mail: { status: 'sent' } });
    const sent = await mails();
    expect(sent.map(({ kind }) => kind)).toEqual(['report', 'report', 'correction']);
    expect(defined(sent[1]).subject).not.toMatch(/until|Correction/);
    expect(defined(sent[1]).text).not.toContain('today until');
  });

  it('is sent again later on the same day only if its figures have changed', async () => {
    at(DAY, '14:00:00');
    await world.report({ day: 'today' });
    world.payments.data.updateInvoice(CODE, unpaid, { invoice_status: 1 });
    at(DAY, '18:00:00');
    expect(await world.report({ day: 'today' })).toMatchObject({ revision: 2, mail: { status: 'sent' } });
    at(DAY, '19:00:00');
    expect((await world.report({ day: 'today' })).mail.status).toBe('already-sent');
    const sent = await mails();
    expect(sent.map(({ kind }) => kind)).toEqual(['report', 'report']);
    expect(sent[1]?.subject).toContain('today until 18:00');
  });

  it('is replaced by the whole day’s report for a recipient whom SES refused', async () => {
    world.refuseMails(/@merchants/);
    at(DAY, '14:05:00');
    await expect(world.report({ day: DAY })).rejects.toMatchObject({ name: 'MailRefusedError' });
    at(...MORNING);
    await world.report();
    const [sent, ...others] = await mails();
    expect(others).toEqual([]);
    expect(defined(sent).subject).not.toContain('until');
  });

  it('is also marked if the pull began before midnight and ended after it', async () => {
    const after = () => void (world.clockAhead += 60_000);
    world.serviceDoes({ kind: 'call', after }, { operation: 'invoices' });
    at(DAY, '23:59:30');
    await world.report({ day: DAY });
    const { soFarUntil, pulledAt } = await world.manifest(1);
    expect(soFarUntil).toMatch(/T20:59:3\d/);
    expect(pulledAt).toMatch(/T21:0/);
    expect((await mails())[0]?.subject).toContain('until 23:59');
    const noRun = { missing: [{ merchantCode: CODE, reason: 'no run' }] };
    expect(await watch(world)).toMatchObject(noRun);
    await world.aws.s3.remove(BUCKET, checkedKey(DAY, CODE));
    expect(await watch(world)).toMatchObject(noRun);
  });
});

it('a manifest of an earlier version that was sealed during its day also counts as the day so far', async () => {
  at(DAY, '14:05:00');
  await world.report({ day: DAY });
  const { soFarUntil: _soFarUntil, ...old } = await world.manifest(1);
  await world.aws.s3.write(BUCKET, manifestKey(DAY, CODE, 1), JSON.stringify(old));
  at(...MORNING);
  expect(await world.report()).toMatchObject({ revision: 2, mail: { status: 'sent' } });
  expect((await mails()).map(({ kind }) => kind)).toEqual(['report', 'report']);
});

it('no other day is compared with a day so far; the day enters the history when it is whole', async () => {
  const next = addDays(DAY, 1);
  world.payments.data.seedDay(CODE, next, { invoices: 4, refunds: 0 });
  at(DAY, '14:05:00');
  await world.report({ day: DAY });
  at(next, '09:00:00');
  await world.report({ day: next });
  const historyOf = async (revision: number) =>
    (await world.manifest(revision, CODE, next)).history.map(({ day }) => day);
  expect(await historyOf(1)).toEqual([]);
  await world.report({ day: DAY });
  at(addDays(next, 1), '06:00:00');
  await world.report({ day: next });
  expect(await historyOf(2)).toEqual([DAY]);
});

it('the delivery watch does not look at the mail of a day so far if the whole day had no mail to send', async () => {
  at(DAY, '14:05:00');
  await world.report({ day: DAY });
  const bounced = { ...(await world.ledger(1)), status: 'bounced' };
  await world.aws.s3.write(BUCKET, ledgerKey(DAY, CODE, 1), JSON.stringify(bounced));
  at(...MORNING);
  await world.report({ send: false });
  expect(await watch(world)).toEqual(allWell(1));
  expect(JSON.parse(await world.text(checkedKey(DAY, CODE)))).toMatchObject({ revision: 2 });
});
