import { ledgerSchema, type Ledger } from '#records/ledger/ledger.ts';
import { addressHash, pageKey, pageLedgerKey, pagePrefix, suppressionKey } from '#records/storage/keys.ts';
import type { PageId } from '#records/storage/keys.ts';
import { textWith, membersOf } from '#support/assertions/index.ts';
import { A, B, KINDS, askFor, putOwners, worldOf } from '#support/page/kinds-of-page.ts';
import { BUCKET, type DaybookWorld } from '#support/world/daybook-world.ts';

/*
 * What is promised of a page holds for each of its three kinds. A promise that only one kind makes is tested beside its function.
 */

let world: DaybookWorld;

describe.each(KINDS)('$name', (kind) => {
  const { id, others } = kind;
  const keyOf = (revision: number, page: PageId = id) => pageKey({ ...page, revision });
  const pageOf = async (revision: number) => membersOf(JSON.parse(await world.text(keyOf(revision))));

  beforeEach(async () => {
    world = await worldOf(kind);
  });

  const run = (options?: Record<string, unknown>, page?: PageId) => askFor(world, kind, options, page);

  /** The keys of the page's revisions. */
  const sealed = () => world.keys(pagePrefix(id));

  async function ledger(revision = 1): Promise<Ledger> {
    return ledgerSchema.parse(JSON.parse(await world.text(pageLedgerKey({ ...id, revision }))));
  }

  /** Each mail about a page: its revision and its recipient. */
  const mailed = () =>
    world
      .mails()
      .filter(({ tags }) => tags['kind'] !== 'ops')
      .map(({ tags, destinations }) => `${tags['revision']} ${destinations.join()}`);

  /** Every object but the records of pulls, which say when it was looked. */
  async function objects(): Promise<[string, string][]> {
    const keys = world.keys().filter((key) => !key.startsWith('checked/'));
    return Promise.all(keys.map(async (key): Promise<[string, string]> => [key, await world.text(key)]));
  }

  const lastText = async () => (await world.lastMail()).text;

  /** Lets another run seal other content each time that this one is about to seal, and then changes the content once more. */
  function contest(times: number): void {
    let left = times;
    let isOther = false;
    const before = async () => {
      if (isOther || left === 0) return;
      left -= 1;
      isOther = true;
      await kind.change(world);
      await run({ send: false });
      await kind.change(world);
      isOther = false;
    };
    world.beforePut(new RegExp(`^${pagePrefix(id)}`), before, Infinity);
  }

  describe('its revisions', () => {
    it('have numbers without gaps, name the one before, and never change', async () => {
      await run();
      const first = await world.text(keyOf(1));
      for (const revision of [2, 3]) {
        await kind.change(world);
        expect(await run()).toMatchObject({ revision, unchanged: false });
      }
      expect(sealed()).toEqual([keyOf(1), keyOf(2), keyOf(3)]);
      expect(mailed()).toEqual([1, 2, 3].flatMap((revision) => [`${revision} ${A}`, `${revision} ${B}`]));
      expect(await world.text(keyOf(1))).toBe(first);
      expect(await Promise.all([1, 2, 3].map(pageOf))).toMatchObject([
        { revision: 1, previous: null },
        { revision: 2, previous: keyOf(1) },
        { revision: 3, previous: keyOf(2) },
      ]);
    });

    it('of the same content are one: a later run writes nothing and mails nothing', async () => {
      await run();
      const before = await objects();
      expect(await run()).toMatchObject({ revision: 1, unchanged: true, mail: { status: 'already-sent' } });
      expect(await objects()).toEqual(before);
      expect(mailed()).toEqual([`1 ${A}`, `1 ${B}`]);
    });

    it('are made of what is read again when another run took the number with other content', async () => {
      contest(1);
      expect(await run()).toMatchObject({ revision: 2, unchanged: false, mail: { status: 'sent' } });
      expect(await run()).toMatchObject({ revision: 2, unchanged: true });
      expect(mailed()).toEqual([`2 ${A}`, `2 ${B}`]);
    });

    it('are left to others after three times', async () => {
      contest(3);
      await expect(run()).rejects.toMatchObject({ name: 'SealContestedError' });
      expect(sealed()).toEqual([keyOf(1), keyOf(2), keyOf(3)]);
      expect(mailed()).toEqual([]);
    });

    it('are new ones whenever anything changes that the mail shows', async () => {
      await putOwners(world, { charges: ['admin_charge'] });
      await run({ send: false });
      let revision = 1;
      for (const [what, change] of Object.entries(kind.figures)) {
        await change(world);
        revision += 1;
        expect(await run({ send: false }), what).toMatchObject({ revision, unchanged: false });
      }
    });

    it('keep their currency and zone when the registry changes, and so does their mail', async () => {
      await run();
      const first = await lastText();
      await putOwners(world, { currency: 'SAR', timeZone: 'Asia/Dubai' });
      expect(await run()).toMatchObject({ revision: 1, unchanged: true });
      await run({ resend: true });
      expect(await lastText()).toBe(first);
      await kind.change(world);
      expect(await run()).toMatchObject({ revision: 2, mail: { status: 'sent' } });
      expect(await lastText()).toContain('KWD');
      expect(await lastText()).not.toContain('SAR');
    });
  });

  describe('an object that does not belong there', () => {
    it.each([
      ['owner', { ...id, owner: others.owner }, 1],
      ['period', { ...id, period: others.period }, 1],
      ['revision', id, 2],
    ])('is refused by its key when it is a copy to another %s', async (what, place, revision) => {
      await run({ send: false });
      const key = keyOf(revision, place);
      await world.aws.s3.write(BUCKET, key, await world.text(keyOf(1)));
      const member = {
        owner: Object.keys(id.owner)[0],
        period: kind.functionName === 'statement' ? 'period' : 'day',
        revision: 'revision',
      }[what];
      for (const options of [{}, { resend: true }, { to: [A] }]) {
        await expect(run(options, place)).rejects.toMatchObject({
          name: 'StoredObjectError',
          message: `object ${key} belongs to another key: ${member}`,
        });
      }
      expect(world.mails()).toEqual([]);
    });

    it('does not hold up the mail when it is an earlier revision that is spoilt', async () => {
      await run();
      await kind.change(world);
      await run({ send: false });
      await world.aws.s3.write(BUCKET, keyOf(1), 'no JSON');
      await kind.change(world);
      expect(await run()).toMatchObject({ revision: 3, mail: { status: 'sent' } });
      expect(mailed()).toEqual([`1 ${A}`, `1 ${B}`, `3 ${A}`, `3 ${B}`]);
    });
  });

  describe('its mail', () => {
    it('is not sent with "send": false, and by no later run of itself', async () => {
      const skipped = { status: 'skipped', reason: 'not asked for' };
      expect(await run({ send: false })).toMatchObject({ revision: 1, mail: skipped });
      expect(await ledger()).toMatchObject({ ...skipped, recipients: [] });
      expect((await run()).mail).toMatchObject(skipped);
      expect(world.mails()).toEqual([]);
    });

    it('is sent to nobody when its owner has no recipients, and says so', async () => {
      await putOwners(world, {}, []);
      const whose = id.owner.group === undefined ? 'merchant' : 'group';
      const skipped = { status: 'skipped', reason: `the ${whose} has no recipients` };
      expect(await run()).toMatchObject({ revision: 1, mail: skipped });
      expect(await ledger()).toMatchObject({ ...skipped, recipients: [] });
    });

    it('is skipped for a stopped address, as its ledger says', async () => {
      const key = suppressionKey(addressHash(B));
      await world.aws.s3.write(BUCKET, key, JSON.stringify({ reason: 'complaint' }));
      expect((await run()).mail.status).toBe('sent');
      expect(mailed()).toEqual([`1 ${A}`]);
      expect((await ledger()).recipients).toMatchObject([
        { to: addressHash(A), status: 'accepted' },
        { to: addressHash(B), status: 'skipped', reason: textWith('complaint') },
      ]);
    });

    it('that was held is told once, and goes out again by "resend": "failed" alone', async () => {
      world.awsDoes({ kind: 'reset', when: 'before' }, { service: 'ses', key: /^b@/ });
      expect((await run()).mail.status).toBe('held');
      expect((await run()).mail.status).toBe('held');
      expect(world.mails('ops')).toHaveLength(1);
      expect(mailed()).toEqual([`1 ${A}`]);
      expect((await run({ resend: 'failed' })).mail.status).toBe('sent');
      expect(mailed()).toEqual([`1 ${A}`, `1 ${B}`]);
      expect((await run()).mail.status).toBe('already-sent');
      expect(world.mails('ops')).toHaveLength(1);
    });
  });

  describe('"resend"', () => {
    it('needs a sealed revision, and makes none', async () => {
      await expect(run({ resend: true })).rejects.toMatchObject({ name: 'NothingSealedError' });
      await run();
      await kind.change(world);
      expect(await run({ resend: true })).toMatchObject({ revision: 1, mail: { status: 'sent' } });
      expect(sealed()).toEqual([keyOf(1)]);
      expect(mailed()).toEqual([`1 ${A}`, `1 ${B}`, `1 ${A}`, `1 ${B}`]);
      expect(await ledger()).toMatchObject({ round: 2 });
    });

    it('"failed" goes to those whose mail was refused, and to nobody when all have it', async () => {
      world.refuseMails(/^b@/);
      await expect(run()).rejects.toMatchObject({ name: 'MailRefusedError' });
      expect((await run({ resend: 'failed' })).mail.status).toBe('sent');
      expect((await run({ resend: 'failed' })).mail).toMatchObject({
        status: 'skipped',
        reason: 'nobody is left to send it to (have the mail: 2)',
      });
      expect(mailed()).toEqual([`1 ${A}`, `1 ${B}`]);
    });

    it('counts how often it was given to the mail service, once it was refused', async () => {
      world.refuseMails(/^b@/, 2);
      const tries = async () =>
        (await ledger()).recipients.map((entry) => `${entry.status} ${entry.tries ?? 'once'}`);
      for (const time of [1, 2]) {
        await expect(run()).rejects.toMatchObject({ name: 'MailRefusedError' });
        expect(await tries()).toEqual(['accepted once', `failed ${time}`]);
      }
      await run();
      expect(await tries()).toEqual(['accepted once', 'accepted 3']);
      await run({ resend: true });
      expect((await tries()).slice(2)).toEqual(['accepted once', 'accepted once']);
    });

    it('to a list goes to these recipients, and never to a stranger', async () => {
      await run();
      await run({ resend: [B] });
      await expect(run({ resend: [A, 'x@merchants.example'] })).rejects.toMatchObject({
        name: 'InvalidEventError',
        member: 'resend[1]',
      });
      expect(mailed()).toEqual([`1 ${A}`, `1 ${B}`, `1 ${B}`]);
    });
  });

  it('is previewed without a ledger, and to people around its owner only', async () => {
    expect((await run({ to: ['c@merchants.example', 'ops@example.com'] })).mail.status).toBe('preview');
    const readers = world.mails('preview').map(({ destinations }) => destinations.join());
    expect(readers).toEqual(['c@merchants.example', 'ops@example.com']);
    expect(world.keys('mail/').filter((key) => /^mail\/(?:day|period)=/.test(key))).toEqual([]);
    const strangers = run({ to: [A, 'x@elsewhere.example'] });
    await expect(strangers).rejects.toMatchObject({ name: 'PreviewAddressError' });
    expect(world.mails()).toHaveLength(2);
    expect((await run()).mail.status).toBe('sent');
  });

  it('is tried by a dry run, which stores and sends nothing', async () => {
    const before = await objects();
    const mail = { status: 'skipped', reason: 'dry run' };
    expect(await run({ dryRun: true })).toMatchObject({ revision: null, unchanged: false, mail });
    expect(await objects()).toEqual(before);
    expect(world.keys('checked/')).toEqual([]);
    expect(world.sendRequests()).toBe(0);
  });
});
