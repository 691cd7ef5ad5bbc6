import { groupPageAt, sealPage, sealPeriod } from '#support/statement/statement-world.ts';
import { BUCKET, useWorld } from '#support/world/daybook-world.ts';

const world = useWorld({ merchants: 3 });

const [FIRST, SECOND, THIRD] = ['700001', '700002', '700003'] as const;
const GROUPS = [
  {
    name: 'two',
    merchants: [FIRST, SECOND],
    recipients: ['boss@group.example'],
    daily: true,
    monthly: { onDay: 1, at: '09:00' },
  },
  { name: 'everybody', merchants: 'all', recipients: ['ops@group.example'], daily: true },
];
const DAY = { group: 'two', period: '2026-11-20' };

beforeEach(async () => {
  await world.putRegistry({ [SECOND]: { currency: 'BHD' } }, {}, { groups: GROUPS });
  world.clock.setTo('2026-12-01T06:00:00.000Z');
});

describe("a group's daily page", () => {
  it('shows its merchants and adds each currency up on its own', async () => {
    for (const merchantCode of [FIRST, SECOND, THIRD]) await sealPage(world, { merchantCode });
    const answer = await world.statement(DAY);
    expect(answer).toMatchObject({
      ...{ ...DAY, from: DAY.period, to: DAY.period, revision: 1, final: true, missing: [], unbalanced: [] },
      byCurrency: { KWD: { amounts: { paid: '60.000' } }, BHD: { amounts: { paid: '60.000' } } },
      merchants: [FIRST, SECOND],
      statementKey: 'statements/period=2026-11-20/group=two/r0001.json',
      mail: { status: 'sent' },
    });
    expect(answer).not.toHaveProperty('counts');
    const [mail] = world.mails('group');
    expect(mail?.tags).toMatchObject({ group: 'two', period: '2026-11-20', revision: '1' });
  });

  it.each([true, false])(
    'has a workbook, unless its entry says "attachXlsx": false (%s)',
    async (attachXlsx) => {
      await sealPage(world, { merchantCode: FIRST });
      if (!attachXlsx) await world.putRegistry({}, {}, { groups: [{ ...GROUPS[0], attachXlsx }] });
      await world.statement(DAY);
      const { attachments } = await world.lastMail('group');
      const names = attachments.map(({ filename }) => filename);
      expect(names).toEqual(attachXlsx ? ['group-2026-11-20-r1-two.xlsx'] : []);
    },
  );

  it('names who is missing and why', async () => {
    await sealPage(world, { merchantCode: FIRST });
    await world.aws.s3.write(BUCKET, `days/day=2026-11-20/merchant=${THIRD}/r0001.json`, 'no JSON');
    const groups = [{ ...GROUPS[0], merchants: [FIRST, SECOND, '999999', THIRD] }];
    await world.putRegistry({ [SECOND]: { timeZone: 'nowhere' } }, {}, { groups });
    expect(await world.statement(DAY)).toMatchObject({ final: false, missing: [THIRD, SECOND, '999999'] });
    expect((await groupPageAt(world, '2026-11-20', 1, 'two')).missing).toMatchObject([
      { merchantCode: THIRD, reason: 'not-readable' },
      { merchantCode: SECOND, name: null, reason: 'not-usable' },
      { merchantCode: '999999', name: null, reason: 'not-in-registry' },
    ]);
  });

  it('does not miss a merchant that was not reported yet', async () => {
    await sealPage(world, { merchantCode: FIRST });
    const withStart = (reportFrom: string) =>
      world.putRegistry({ [SECOND]: { reportFrom } }, {}, { groups: GROUPS });
    await withStart('2026-11-20');
    expect(await world.statement(DAY)).toMatchObject({ final: false, missing: [SECOND] });
    await withStart('2026-11-21');
    expect(await world.statement(DAY)).toMatchObject({ final: true, missing: [], merchants: [FIRST] });
    // Its lookback days are pulled, too.
    await sealPage(world, { merchantCode: SECOND });
    expect(await world.statement(DAY)).toMatchObject({ final: true, missing: [], merchants: [FIRST] });
  });

  it('takes no page that ends before its day was over', async () => {
    await sealPage(world, { merchantCode: FIRST });
    await sealPage(world, { merchantCode: SECOND, soFarUntil: '2026-11-20T10:00:00.000Z' });
    expect(await world.statement(DAY)).toMatchObject({ missing: [SECOND] });
  });

  it("is not in one thread with a merchant's mails, although it has the merchant's name", async () => {
    const groups = [{ ...GROUPS[0], name: FIRST, recipients: ['boss@group.example'] }];
    await world.putRegistry({ [FIRST]: { recipients: ['boss@group.example'] } }, {}, { groups });
    await sealPeriod(world, '2026-11');
    await world.statement({ merchantCode: FIRST, period: '2026-11' });
    await world.statement({ group: FIRST, period: '2026-11' });
    expect(new Set((await world.readMails()).map(({ inReplyTo }) => inReplyTo)).size).toBe(2);
    expect(world.keys('mail/')).toHaveLength(2);
  });

  it.each([
    ['without a page of a merchant', DAY, 'NothingSealedError'],
    ['of a group that the registry does not have', { ...DAY, group: 'nobody' }, 'UnknownGroupError'],
  ])('is not made %s', async (_, event, name) => {
    await expect(world.statement(event)).rejects.toMatchObject({ name });
  });
});

/* A preview seals what is there, often before a page is due. It must not become the page that goes out. */
describe("a preview of a group's page", () => {
  const preview = () => world.statement({ ...DAY, to: ['boss@group.example'] });
  const tick = () => world.statement({ ...DAY, scheduledTime: '2026-11-21T18:00:00Z' });
  beforeEach(() => sealPage(world, { merchantCode: FIRST }));

  it('does not stop the page of a later tick from showing everybody', async () => {
    expect(await preview()).toMatchObject({ revision: 1, missing: [SECOND], mail: { status: 'preview' } });
    await sealPage(world, { merchantCode: SECOND });
    expect(await tick()).toMatchObject({ revision: 2, missing: [], mail: { status: 'sent' } });
    expect(world.mails('group').map(({ tags }) => tags['revision'])).toEqual(['2']);
  });

  it.each([
    ['gets the page that the others have', [FIRST, THIRD], ['1']],
    ['does not get a page that shows a merchant that left the group', [THIRD], []],
  ])('after a recipient was refused: the recipient %s', async (_, members, revisions) => {
    const refused = 'second@group.example';
    const group = { ...GROUPS[0], recipients: ['boss@group.example', refused] };
    const put = (merchants: string[]) => world.putRegistry({}, {}, { groups: [{ ...group, merchants }] });
    await put([FIRST, THIRD]);
    world.refuseMails(/^second@/);
    await expect(tick()).rejects.toThrow();
    world.aws.faults.clear();
    await sealPage(world, { merchantCode: THIRD });
    await put(members);
    expect(await preview()).toMatchObject({ revision: 2 });
    await tick();
    const mails = world.mails('group').filter(({ destinations }) => destinations[0] === refused);
    expect(mails.map(({ tags }) => tags['revision'])).toEqual(revisions);
  });

  it('after the page was mailed brings no second mail by a tick', async () => {
    await tick();
    await sealPage(world, { merchantCode: SECOND });
    expect(await preview()).toMatchObject({ revision: 2 });
    expect(await tick()).toMatchObject({ revision: 2, mail: { status: 'skipped' } });
    expect(world.mails('group')).toHaveLength(1);
    expect((await groupPageAt(world, DAY.period, 2, 'two')).missing).toEqual([]);
  });
});

describe("a group's month", () => {
  it('adds up the statements of its merchants', async () => {
    for (const merchantCode of [FIRST, SECOND]) {
      await sealPeriod(world, '2026-11', { merchantCode });
      await world.statement({ merchantCode, period: '2026-11', send: false });
    }
    const month = { period: '2026-11', from: '2026-11-01', to: '2026-11-30' };
    expect(await world.statement({ group: 'two', period: 'last-month' })).toMatchObject({
      ...month,
      final: true,
      byCurrency: {
        KWD: { counts: { total: 300 }, refunds: { total: '225.000' } },
        BHD: { counts: { total: 300 } },
      },
      mail: { status: 'sent' },
    });
    const page = await groupPageAt(world, '2026-11', 1, 'two');
    expect(page.merchants).toMatchObject([
      { merchantCode: FIRST, revision: 1, received: '1800.000', net: '1650.000', final: true },
      { merchantCode: SECOND, revision: 1, currency: 'BHD' },
    ]);
  });

  it('is provisional when a statement of its merchants is', async () => {
    await sealPeriod(world, '2026-11', { except: ['2026-11-09'] });
    await world.statement({ merchantCode: FIRST, period: '2026-11', send: false });
    const answer = await world.statement({ group: 'two', period: '2026-11' });
    expect(answer).toMatchObject({ final: false, missing: [SECOND] });
  });
});

describe("a group's week", () => {
  const WEEK = { group: 'two', period: '2026-W47' };
  const seal = async (weekStart: string) => {
    await world.putRegistry({ [SECOND]: { weekStart } }, {}, { groups: GROUPS });
    world.clock.setTo('2026-11-22T05:00:00.000Z');
    await sealPeriod(world, '2026-W47');
    await world.statement({ merchantCode: FIRST, period: '2026-W47', send: false });
  };

  it('is over with the weeks of its merchants, which end on a Saturday', async () => {
    await seal('sunday');
    expect(await world.statement(WEEK)).toMatchObject({ from: '2026-11-15', to: '2026-11-21' });
    expect(await world.statement({ ...WEEK, period: 'last-week' })).toMatchObject({ period: '2026-W47' });
  });

  it('is not over before the last of them', async () => {
    await seal('monday');
    await expect(world.statement(WEEK)).rejects.toThrow('its last day is 2026-11-22');
    world.clock.setTo('2026-11-23T05:00:00.000Z');
    expect(await world.statement(WEEK)).toMatchObject({ period: '2026-W47', missing: [SECOND] });
  });
});
