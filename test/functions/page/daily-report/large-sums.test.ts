import { addDays } from '#records/day/business-day.ts';
import { CODE, DAY, useWorld } from '#support/world/daybook-world.ts';

/** The longest amount of the contract. The sum of two of them has one digit more. */
const LONGEST = `${'9'.repeat(30)}.999`;
const SUM = `1${'9'.repeat(30)}.998`;
const BEFORE = addDays(DAY, -1);

const world = useWorld();
beforeEach(() => {
  for (const day of [BEFORE, DAY]) {
    for (let more = 0; more < 2; more += 1) {
      world.payments.data.insertInvoice(CODE, day, { amount: LONGEST, invoice_status: 1 });
    }
  }
});

it('sums with more digits than any amount are sealed, mailed, stored in the history and compared with', async () => {
  await world.report({ day: BEFORE });
  expect(await world.report()).toMatchObject({ balanced: true, mail: { status: 'sent' } });
  const manifest = await world.manifest(1);
  expect(manifest.amounts?.paid).toBe(SUM);
  expect(manifest.history.map(({ day, amounts }) => [day, amounts?.paid])).toEqual([[BEFORE, SUM]]);
  for (const { text } of await world.readMails('report')) {
    expect(text.replaceAll(',', '')).toContain(SUM);
  }
});

it('alerts are checked with such a sum', async () => {
  const share = { name: 'share', measure: 'refundShare', above: 50 };
  const much = { name: 'much', measure: 'unpaidAmount', above: '1' };
  await world.putRegistry({ [CODE]: { alerts: [share, much] } });
  for (let more = 0; more < 2; more += 1) {
    world.payments.data.insertInvoice(CODE, DAY, { amount: LONGEST, invoice_status: 0 });
  }
  const answer = await world.alertCheck({ day: DAY });
  expect(answer).toMatchObject({ transitions: [{ rule: 'much', to: 'firing', value: SUM }], mailed: true });
});
