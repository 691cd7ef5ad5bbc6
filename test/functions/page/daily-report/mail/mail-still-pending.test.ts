import { beforeEach, describe, expect, it } from 'vitest';
import { addressHash } from '#records/storage/keys.ts';
import { CODE, DAY, DaybookWorld } from '#support/world/daybook-world.ts';
import { defined } from '#support/assertions/defined.ts';

/*
 * Rows of a day change more often than its figures. Every visit of an invoice makes a revision, but no mail. A recipient who
 * did not get the pending mail must still get it.
 */

const A = 'a@merchants.example';
const B = 'b@merchants.example';

let world: DaybookWorld;
let unpaid: number;
beforeEach(async () => {
  world = await DaybookWorld.ofTest();
  await world.putRegistry({ [CODE]: { recipients: [A, B] } });
  world.payments.data.seedDay(CODE, DAY, { invoices: 4, refunds: 1 });
  unpaid = world.payments.data.insertInvoice(CODE, DAY);
});

function visit(): void {
  world.payments.data.updateInvoice(CODE, unpaid, { visited_count: 77 });
}

/** The revision and the reader of each mail, in the order in which they were sent. */
function mailed(): string[] {
  return world.mails().map(({ tags, destinations }) => `${defined(tags['revision'])} ${destinations.join()}`);
}

async function statuses(revision: number): Promise<string[]> {
  return (await world.ledger(revision)).recipients.map(({ status }) => status);
}

describe('a refused recipient', () => {
  beforeEach(async () => {
    world.refuseMails(/^b@/);
    await expect(world.report()).rejects.toMatchObject({ name: 'MailRefusedError' });
    visit();
  });

  it('gets the pending mail although there is a newer revision', async () => {
    const { revision, mail } = await world.report();
    expect([revision, mail.status, mail.messageIds.length]).toEqual([2, 'sent', 2]);
    expect(mailed()).toEqual([`1 ${A}`, `1 ${B}`]);
    expect(await statuses(1)).toEqual(['accepted', 'accepted']);
    expect(await world.ledger(2)).toMatchObject({
      status: 'skipped',
      reason: 'no figure has changed since the last mail',
      recipients: [],
    });
    expect((await world.report()).mail.status).toBe('skipped');
    expect(mailed()).toHaveLength(2);
  });

  it('makes the run fail with a named error when SES refuses it again, and the next run tries again', async () => {
    world.refuseMails(/^b@/);
    await expect(world.report()).rejects.toMatchObject({ name: 'MailRefusedError' });
    expect((await world.report()).mail.status).toBe('sent');
    expect(mailed()).toEqual([`1 ${A}`, `1 ${B}`]);
  });

  it('gets nothing from a run that must mail nothing', async () => {
    expect((await world.report({ send: false })).mail.status).toBe('skipped');
    expect(mailed()).toEqual([`1 ${A}`]);
  });

  it('gets the newest revision once when a person sends it again', async () => {
    expect((await world.report()).revision).toBe(2);
    await world.report({ resend: true });
    expect(mailed()).toEqual([`1 ${A}`, `1 ${B}`, `2 ${A}`, `2 ${B}`]);
  });

  it('gets a correction like all other recipients when a figure has changed', async () => {
    world.payments.data.updateInvoice(CODE, unpaid, { invoice_status: 1 });
    await world.report();
    expect(mailed()).toEqual([`1 ${A}`, `2 ${A}`, `2 ${B}`]);
    expect((await world.ledger(1)).recipients).toMatchObject([
      { to: addressHash(A), status: 'accepted' },
      { to: addressHash(B), status: 'skipped', reason: 'revision 2 came before it was mailed' },
    ]);
  });
});
