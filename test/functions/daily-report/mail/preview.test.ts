import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { addressHash, suppressionKey } from '#domain/storage/keys.ts';
import { BUCKET, CODE, DAY, DaybookWorld } from '#support/world/daybook-world.ts';

const A = 'a@merchants.example';
const OTHER = '700002';

let world: DaybookWorld;
afterEach(() => world.close());

async function start(
  registry: Record<string, Record<string, unknown>> = { [CODE]: { recipients: [A] } },
  environment: Record<string, string> = {},
): Promise<void> {
  world = await DaybookWorld.start({ merchants: 2, environment });
  await world.putRegistry(registry);
  world.payments.data.seedDay(CODE, DAY, { invoices: 5, refunds: 1 });
}

function destinations(): string[] {
  return world.mails().flatMap((mail) => mail.destinations);
}

describe('a preview', () => {
  beforeEach(() => start());

  it('goes to the addresses given, is marked, and no ledger knows of it', async () => {
    const answer = await world.report({ to: ['someone@merchants.example'] });
    expect(answer.mail.status).toBe('preview');
    expect(world.mails().map((mail) => [mail.destinations, mail.tags['kind']])).toEqual([
      [['someone@merchants.example'], 'preview'],
    ]);
    expect(world.keys('mail/')).toEqual([]);
    expect((await world.report()).mail.status).toBe('sent');
  });

  it('goes nowhere outside the domains of the merchant, the sender and ops', async () => {
    await expect(world.report({ to: [A, 'someone@elsewhere.example'] })).rejects.toMatchObject({
      name: 'PreviewAddressError',
      message:
        'to[1]: is neither an address of this merchant, of ops or of the sender, nor at one of their domains',
    });
    expect(world.sendRequests()).toBe(0);
    expect(world.payments.requests).toHaveLength(0);
  });

  it('goes to no address that mail is stopped to', async () => {
    await world.aws.s3.write(BUCKET, suppressionKey(addressHash(A)), JSON.stringify({ reason: 'complaint' }));
    await expect(world.report({ to: [A] })).rejects.toMatchObject({
      name: 'MailRefusedError',
      message: 'preview to[0]: mail to this address is stopped: complaint',
    });
    expect(world.sendRequests()).toBe(0);
  });

  it('that is not to be sent is sealed and sent to nobody, and no ledger knows of it', async () => {
    const answer = await world.report({ to: [A], send: false });
    expect(answer).toMatchObject({
      revision: 1,
      mail: { status: 'skipped', reason: 'not asked for', messageIds: [] },
    });
    expect(world.sendRequests()).toBe(0);
    expect(world.keys('mail/')).toEqual([]);
    expect((await world.report()).mail.status).toBe('sent');
  });

  it('goes once to an address that is named twice, in whatever letter case', async () => {
    const answer = await world.report({ to: [A, 'a@MERCHANTS.example', 'b@merchants.example', A] });
    expect(destinations()).toEqual([A, 'b@merchants.example']);
    expect(answer.mail.messageIds).toHaveLength(2);
  });

  it('takes bare addresses only', async () => {
    await expect(world.report({ to: [`Owner <${A}>`] })).rejects.toMatchObject({ name: 'InvalidEventError' });
    expect(world.sendRequests()).toBe(0);
  });
});

describe('where anyone can have an address, a preview', () => {
  it('goes to the recipient itself, and to nobody else there', async () => {
    await start({ [CODE]: { recipients: ['Bakery.Owner@gmail.com'] } });
    await world.report({ to: ['bakery.owner@Gmail.com'] });
    expect(destinations()).toEqual(['bakery.owner@Gmail.com']);
    await expect(world.report({ to: ['someone.else@gmail.com'] })).rejects.toMatchObject({
      name: 'PreviewAddressError',
      message:
        'to[0]: is at a public mail domain, where a preview goes only to addresses of this merchant, of ops and of the sender',
    });
    expect(world.sendRequests()).toBe(1);
  });

  it.each([
    ['ops', { OPS_RECIPIENTS: 'daybook.ops@outlook.com' }, 'daybook.ops@outlook.com', 'x@outlook.com'],
    ['the sender', { MAIL_FROM: 'Daybook <daybook@yahoo.co.uk>' }, 'daybook@yahoo.co.uk', 'x@yahoo.co.uk'],
  ])('is limited in the same way for %s', async (_who, environment, known, stranger) => {
    await start(undefined, environment);
    await world.report({ to: [known] });
    expect(destinations()).toEqual([known]);
    await expect(world.report({ to: [stranger] })).rejects.toMatchObject({ name: 'PreviewAddressError' });
  });
});

describe('a preview of one merchant', () => {
  beforeEach(() => start({ [CODE]: { recipients: [A] }, [OTHER]: { recipients: ['owner@other.example'] } }));

  it.each([['owner@other.example'], ['someone@other.example']])(
    'does not go to another merchant’s people: %s',
    async (address) => {
      await expect(world.report({ to: [address] })).rejects.toMatchObject({ name: 'PreviewAddressError' });
      expect(world.sendRequests()).toBe(0);
    },
  );

  it('goes to any address of the sender’s and of ops’ domain', async () => {
    await world.report({ to: ['colleague@example.com'] });
    expect(destinations()).toEqual(['colleague@example.com']);
  });
});

describe('an address that is named twice gets one mail', () => {
  it('as a recipient', async () => {
    await start({ [CODE]: { recipients: [A, 'A@merchants.example', 'a@MERCHANTS.EXAMPLE'] } });
    await world.report();
    expect(world.mails('report')).toHaveLength(1);
  });

  it('of ops', async () => {
    await start(undefined, { OPS_RECIPIENTS: 'ops@example.com, ops@EXAMPLE.com,other@example.com' });
    world.aws.faults.add({ service: 'ses', key: /merchants/, action: { kind: 'reset', when: 'after' } });
    expect((await world.report()).mail.status).toBe('held');
    expect(world.mails('ops').flatMap((mail) => mail.destinations)).toEqual([
      'ops@example.com',
      'other@example.com',
    ]);
  });
});
