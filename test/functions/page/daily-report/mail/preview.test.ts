import { addressHash, suppressionKey } from '#records/storage/keys.ts';
import { defined } from '#support/assertions/index.ts';
import { daybookHeadersIn } from '#support/readers/mail-source.ts';
import { BUCKET, CODE, DAY, DaybookWorld } from '#support/world/daybook-world.ts';

const A = 'a@merchants.example';
const OTHER = '700002';

let world: DaybookWorld;

async function start(
  registry: Record<string, Record<string, unknown>> = { [CODE]: { recipients: [A] } },
  environment: Record<string, string> = {},
): Promise<void> {
  world = await DaybookWorld.ofTest({ merchants: 2, environment });
  await world.putRegistry(registry);
  world.payments.data.seedDay(CODE, DAY, { invoices: 5, refunds: 1 });
}

const destinations = (kind?: string) => world.mails(kind).flatMap((mail) => mail.destinations);

describe('a preview', () => {
  beforeEach(() => start());

  it('is marked as a preview, and goes once to an address that is given twice, in any letter case', async () => {
    const answer = await world.report({ to: [A, 'a@MERCHANTS.example', 'b@merchants.example', A] });
    expect(destinations()).toEqual([A, 'b@merchants.example']);
    expect(answer.mail.messageIds).toHaveLength(2);
    expect(await daybookHeadersIn(defined(world.mails('preview')[0]).raw)).toMatchObject({
      'x-daybook-kind': 'preview',
      'x-daybook-reference': `${CODE} ${DAY} 1`,
    });
  });

  it('goes to no address to which mail is stopped', async () => {
    await world.aws.s3.write(BUCKET, suppressionKey(addressHash(A)), JSON.stringify({ reason: 'complaint' }));
    await expect(world.report({ to: [A] })).rejects.toMatchObject({
      name: 'MailRefusedError',
      message: 'preview to[0]: mail to this address is stopped: complaint',
    });
    expect(world.sendRequests()).toBe(0);
  });

  it('with "send": false is sealed, sent to nobody and in no ledger', async () => {
    const answer = await world.report({ to: [A], send: false });
    const mail = { status: 'skipped', reason: 'not asked for', messageIds: [] };
    expect(answer).toMatchObject({ revision: 1, mail });
    expect(world.sendRequests()).toBe(0);
    expect(world.keys('mail/')).toEqual([]);
    expect((await world.report()).mail.status).toBe('sent');
  });
});

describe('a preview goes', () => {
  const NEITHER =
    'is neither an address of this merchant, of ops or of the sender, nor at one of their domains';
  const PUBLIC =
    'is at a public mail domain, where a preview goes only to addresses of this merchant, of ops and of the sender';
  beforeEach(() =>
    start(
      { [CODE]: { recipients: [A, 'Owner@gmail.com'] }, [OTHER]: { recipients: ['owner@other.example'] } },
      {
        OPS_RECIPIENTS: 'daybook.ops@outlook.com, ops@example.org',
        MAIL_FROM: 'Daybook <daybook@yahoo.co.uk>',
      },
    ),
  );

  it.each(['owner@Gmail.com', 'daybook.ops@outlook.com', 'daybook@yahoo.co.uk', 'colleague@example.org'])(
    'to %s',
    async (address) => {
      await world.report({ to: [address] });
      expect(destinations()).toEqual([address]);
    },
  );

  it.each([
    ['someone@elsewhere.example', NEITHER],
    ['owner@other.example', NEITHER],
    ['someone@other.example', NEITHER],
    ['someone.else@gmail.com', PUBLIC],
    ['x@outlook.com', PUBLIC],
    ['x@yahoo.co.uk', PUBLIC],
  ])('not to %s', async (address, reason) => {
    await expect(world.report({ to: [A, address] })).rejects.toMatchObject({
      name: 'PreviewAddressError',
      message: `to[1]: ${reason}`,
    });
    expect(world.sendRequests()).toBe(0);
    expect(world.payments.requests).toHaveLength(0);
  });
});

describe('an address that is given twice gets one mail', () => {
  it('as a recipient', async () => {
    await start({ [CODE]: { recipients: [A, 'A@merchants.example', 'a@MERCHANTS.EXAMPLE'] } });
    await world.report();
    expect(world.mails('report')).toHaveLength(1);
  });

  it('of ops', async () => {
    await start(undefined, { OPS_RECIPIENTS: 'ops@example.com, ops@EXAMPLE.com,other@example.com' });
    world.awsDoes({ kind: 'reset', when: 'after' }, { service: 'ses', key: /merchants/ });
    expect((await world.report()).mail.status).toBe('held');
    expect(destinations('ops')).toEqual(['ops@example.com', 'other@example.com']);
  });
});
