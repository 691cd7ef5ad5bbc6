import { ledgerKey, pageLedgerKey, type PageOwner } from '#records/storage/keys.ts';
import { ledgerSchema, type Ledger } from '#records/ledger/ledger.ts';
import { BUCKET, CODE, DAY, OPS_TOPIC, useWorld, refuseNotices } from '#support/world/daybook-world.ts';
import { leaveDead, sweep } from '#support/watch/running-watch.ts';

const HOUR = 60 * 60 * 1_000;
const GROUP = 'owners';
const FIRST = 'first@group.example';
const SECOND = 'second@group.example';

const world = useWorld({ environment: OPS_TOPIC });
beforeEach(() => {
  const group = { name: GROUP, merchants: 'all', recipients: [FIRST, SECOND], daily: true };
  return world.putRegistry({}, {}, { groups: [group] });
});

const keyOf = (owner: PageOwner, period: string) => pageLedgerKey({ owner, period, revision: 1 });

async function ledgerAt(key: string): Promise<Ledger> {
  return ledgerSchema.parse(JSON.parse(await world.text(key)));
}

const subjects = () => world.aws.notices.messages.map(({ subject }) => subject?.replace('[Daybook] ', ''));
const messages = () => world.aws.notices.messages.map(({ message }) => message).join('\n');

it('the ledgers of statements and of groups’ pages are closed, and the notices say how to send them again', async () => {
  const month = keyOf({ merchantCode: CODE }, '2026-10');
  const week = keyOf({ merchantCode: CODE }, '2026-W46');
  const day = keyOf({ group: GROUP }, DAY);
  await leaveDead(world, month, 'statement', [`owner-${CODE}@merchants.example`]);
  await leaveDead(world, week, 'correction', [`owner-${CODE}@merchants.example`]);
  await leaveDead(world, day, 'group', [FIRST]);
  world.clockAhead += 2 * HOUR;
  expect(await sweep(world)).toEqual({ settled: 0, held: 3, removed: 0 });
  expect((await ledgerAt(month)).status).toBe('held');
  expect((await ledgerAt(day)).recipients.map(({ status }) => status)).toEqual(['held', 'failed']);
  expect(subjects().sort()).toEqual([
    `Group ${GROUP}, ${DAY}: page held`,
    `Group ${GROUP}, ${DAY}: page not sent to everybody`,
    `Merchant ${CODE}, 2026-10: statement held`,
    `Merchant ${CODE}, 2026-W46: correction held`,
  ]);
  const text = messages();
  expect(text).toContain(`A run died while it sent a statement of merchant ${CODE}.`);
  expect(text).toContain(`A run died while it sent a page of group ${GROUP}.`);
  expect(text).toContain(`npx daybook statement ${CODE} --period 2026-10 --resend --failed --local`);
  expect(text).toContain(`npx daybook statement ${CODE} --period 2026-W46 --resend --failed --local`);
  expect(text).toContain(`npx daybook statement --group ${GROUP} --period ${DAY} --resend --failed --local`);
  // The history of the lake has no statements.
  expect(world.keys('changes/')).toEqual([]);
  expect(await sweep(world)).toEqual({ settled: 0, held: 0, removed: 0 });
  expect(subjects()).toHaveLength(4);
});

it('the ledger of a group that the registry does not have is held as a whole', async () => {
  const key = keyOf({ group: 'gone' }, '2026-10');
  await leaveDead(world, key, 'group', []);
  world.clockAhead += 2 * HOUR;
  expect(await sweep(world)).toEqual({ settled: 0, held: 1, removed: 0 });
  expect(await ledgerAt(key)).toMatchObject({ status: 'held', recipients: [] });
  expect(subjects()).toEqual(['Group gone, 2026-10: page held']);
});

it('the ledger of a period whose mails are over is left alone, and no object of it is listed', async () => {
  const key = keyOf({ merchantCode: CODE }, '2026-03');
  await leaveDead(world, key, 'statement', [`owner-${CODE}@merchants.example`]);
  world.clockAhead += 2 * HOUR;
  expect(await sweep(world)).toEqual({ settled: 0, held: 0, removed: 0 });
  expect((await ledgerAt(key)).status).toBe('intended');
});

it('a ledger that cannot be read is named with its group and period', async () => {
  const key = keyOf({ group: GROUP }, '2026-W46');
  await world.aws.s3.write(BUCKET, key, '{');
  world.clockAhead += 2 * HOUR;
  await sweep(world);
  expect(subjects()).toEqual([`Group ${GROUP}, 2026-W46: the record of a mail cannot be read`]);
});

it('many of them are in one notice, together with reports', async () => {
  for (let index = 0; index < 25; index += 1) {
    await leaveDead(world, keyOf({ merchantCode: `${800_000 + index}` }, '2026-10'), 'statement', [FIRST]);
  }
  await leaveDead(world, keyOf({ group: GROUP }, '2026-W46'), 'group', [FIRST, SECOND]);
  await leaveDead(world, ledgerKey(DAY, CODE, 1), 'report', [`owner-${CODE}@merchants.example`]);
  world.clockAhead += 2 * HOUR;
  await sweep(world);
  expect(subjects()).toEqual([
    `26 merchants, Group ${GROUP}, ${DAY}, 2 periods: 27 mails of runs that died need a look`,
  ]);
  expect(messages()).toContain(`Group ${GROUP}: page held: ${keyOf({ group: GROUP }, '2026-W46')}\n`);
});

/** Ledgers of dead runs. Each run died while it mailed its merchant's only recipient. */
async function leaveMany(from: number, count: number): Promise<void> {
  for (let index = from; index < from + count; index += 1) {
    const key = ledgerKey(DAY, `${800_000 + index}`, 1);
    await leaveDead(world, key, 'report', [`owner-${index}@merchants.example`]);
  }
  world.clockAhead += 2 * HOUR;
}

it('mails of 60 dead runs are reported in one notice, once, and those of later runs in another notice', async () => {
  await leaveMany(0, 60);
  expect(await sweep(world)).toEqual({ settled: 0, held: 60, removed: 0 });
  expect(subjects()).toEqual([`60 merchants, ${DAY}: 60 mails of runs that died need a look`]);
  expect(world.mails('ops')).toHaveLength(1);
  const { message } = world.aws.notices.messages[0] ?? {};
  expect(message).toContain(`Merchant 800000: report held: ${ledgerKey(DAY, '800000', 1)}\n`);
  expect(message).toContain('… and 10 more');
  world.clockAhead += 2 * HOUR;
  await sweep(world);
  await leaveMany(60, 2);
  await sweep(world);
  expect(subjects().slice(1).sort()).toEqual([
    `Merchant 800060, ${DAY}: report held`,
    `Merchant 800061, ${DAY}: report held`,
  ]);
});

it('a notice that could not be sent is sent by the next sweep', async () => {
  await leaveMany(0, 30);
  refuseNotices(world);
  await expect(sweep(world)).rejects.toMatchObject({ name: 'SweepUnfinishedError' });
  world.aws.faults.clear();
  world.clockAhead += 2 * HOUR;
  await sweep(world);
  expect(subjects()).toEqual([`30 merchants, ${DAY}: 30 mails of runs that died need a look`]);
  expect((await world.ledger(1, '800000')).status).toBe('held');
});
