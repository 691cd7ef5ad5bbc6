import { addDays } from '#records/day/business-day.ts';
import { historyKey } from '#records/storage/keys.ts';
import { BUCKET, CODE, DAY, useWorld } from '#support/world/daybook-world.ts';
import { membersOf, defined } from '#support/assertions/index.ts';

/** The morning after DAY, and the ones after that. */
const NEXT = addDays(DAY, 1);
const THIRD = addDays(DAY, 2);
const TOLD_NEXT = { status: 'skipped', reason: 'what changed is told in the next report' };

const world = useWorld();
let unpaid: number;

beforeEach(async () => {
  for (const day of [DAY, NEXT, THIRD]) world.payments.data.seedDay(CODE, day, { invoices: 6, refunds: 1 });
  unpaid = world.payments.data.insertInvoice(CODE, DAY, { amount: '412.500', invoice_status: 0 });
  at(NEXT);
  await world.report({ day: DAY });
});

const at = (day: string) => world.clock.setTo(`${day}T06:00:00Z`);
const pay = () => world.payments.data.updateInvoice(CODE, unpaid, { invoice_status: 1 });

const told = async (day: string) => (await world.manifest(1, CODE, day)).told;

async function reportText(day: string): Promise<string> {
  const mails = await world.readMails('report');
  return defined(mails.find(({ text }) => text.includes(`${CODE} · ${day} ·`))).text;
}

/** The days of a morning, in the order of their runs. */
async function morning(after: string, ...days: string[]) {
  at(addDays(after, 1));
  const answers = [];
  for (const day of days) answers.push(await world.report({ day }));
  return answers;
}

describe('an invoice that is paid a day later', () => {
  beforeEach(() => pay());

  it('is told in the next report, and once', async () => {
    const [older, report] = await morning(NEXT, DAY, NEXT);
    expect(older).toMatchObject({ revision: 2, mail: TOLD_NEXT });
    expect(report).toMatchObject({ revision: 1, mail: { status: 'sent' } });
    expect(await told(NEXT)).toEqual([{ day: DAY, from: 1, to: 2 }]);
    const text = await reportText(NEXT);
    for (const part of ['Since the last report', '20 Nov · page 2', `Invoice ${unpaid}`])
      expect(text).toContain(part);
    expect(text).toMatch(/1 older invoice was paid: .*412\.500/);
    await morning(THIRD, DAY, NEXT, THIRD);
    expect(await told(THIRD)).toEqual([]);
    expect(await reportText(THIRD)).not.toContain('Since the last report');
    expect(world.mails('correction')).toEqual([]);
  });

  it.each<[string, () => Promise<unknown>]>([
    ['the history is lost', () => world.aws.s3.remove(BUCKET, historyKey(CODE))],
    ['the report is sent again', () => world.report({ day: NEXT, resend: true })],
  ])('is told once although %s', async (_what, happens) => {
    await morning(NEXT, DAY, NEXT);
    await happens();
    await morning(THIRD, DAY, THIRD);
    expect(await told(THIRD)).toEqual([]);
  });

  it('is corrected when the payment is taken back: against the page that the report told', async () => {
    await morning(NEXT, DAY, NEXT);
    world.payments.data.updateInvoice(CODE, unpaid, { invoice_status: 0 });
    const [older] = await morning(THIRD, DAY, THIRD);
    expect(older).toMatchObject({ revision: 3, mail: { status: 'sent' } });
    expect(await world.ledger(3)).toMatchObject({ kind: 'correction', corrects: 2 });
    expect(await told(THIRD)).toEqual([]);
  });

  it('is corrected in a mail of its own where the registry says so', async () => {
    await world.putRegistry({ [CODE]: { corrections: 'each' } });
    await morning(NEXT, DAY, NEXT);
    expect(world.mails('correction')).toHaveLength(1);
    expect(await told(NEXT)).toEqual([]);
    // What was corrected then is no news when the registry changes.
    await world.putRegistry({ [CODE]: { corrections: 'morning' } });
    await morning(THIRD, DAY, THIRD);
    expect(await told(THIRD)).toEqual([]);
  });

  it('is told nowhere where the registry says so', async () => {
    await world.putRegistry({ [CODE]: { corrections: 'none' } });
    const [older] = await morning(NEXT, DAY, NEXT);
    expect(older).toMatchObject({ mail: { reason: 'the registry turns corrections off' } });
    expect(world.mails('correction')).toEqual([]);
    expect(await told(NEXT)).toEqual([]);
  });

  it('is told by the next report although its own run was not to mail', async () => {
    at(addDays(NEXT, 1));
    await world.report({ day: DAY, send: false });
    await world.report({ day: NEXT });
    expect(await told(NEXT)).toEqual([{ day: DAY, from: 1, to: 2 }]);
  });
});

it('a merchant without recipients is told nothing, and nothing more is kept of mails', async () => {
  const kept = async () => membersOf(JSON.parse(await world.text(historyKey(CODE))))['told'];
  const before = await kept();
  await world.putRegistry({ [CODE]: { recipients: [] } });
  pay();
  await morning(NEXT, DAY, NEXT);
  expect(await told(NEXT)).toEqual([]);
  expect(await kept()).toEqual(before);
});
