import { addDays } from '#records/day/business-day.ts';
import { periodDays } from '#records/period/period.ts';
import { groupPageAt, sealPage, sealPeriod } from '#support/statement/statement-world.ts';
import { attachmentBytes } from '#support/readers/mail-source.ts';
import { unzipped } from '#support/readers/read-workbook.ts';
import { aGroupCorrection } from '#support/rendering/statements.ts';
import { BUCKET, useWorld } from '#support/world/daybook-world.ts';

/*
 * A group's recipients see exactly its merchants. A page that was sealed before the group changed may show others.
 */

const [FIRST, SECOND, THIRD] = ['700001', '700002', '700003'] as const;
const OWNER = 'owner@other.example';
const DAY = { group: 'shops', period: '2026-11-20' };
const TICK = { ...DAY, scheduledTime: '2026-11-21T18:00:00Z' };

const world = useWorld({ merchants: 3 });

function putGroup(
  merchants: string[],
  recipients: string[],
  entries: Record<string, Record<string, unknown>> = {},
) {
  const groups = [{ name: 'shops', merchants, recipients, daily: true }];
  return world.putRegistry(entries, {}, { groups });
}

beforeEach(async () => {
  world.clock.setTo('2026-12-01T06:00:00.000Z');
  for (const merchantCode of [FIRST, SECOND, THIRD]) await sealPage(world, { merchantCode });
  await putGroup([FIRST, SECOND], ['boss@group.example']);
});

/** Everything that the mails to an address say: subject, names of files, text, HTML and workbook. */
async function readBy(address: string): Promise<string[]> {
  const mails = (await world.readMails()).filter(({ to }) => to?.some((one) => one.address === address));
  return mails.map(({ subject, text, html, headers, attachments }) => {
    const files = attachments.flatMap((file) => [file.filename, ...unzipped(attachmentBytes(file)).values()]);
    return [subject, text, html, JSON.stringify(headers), ...files].join('\n');
  });
}

describe('a merchant that is not in the group any more', () => {
  it.each(['a preview', 'a tick that died before its mail'])(
    'is not shown by a tick when %s has sealed the page',
    async (by) => {
      if (by === 'a preview') await world.statement({ ...DAY, to: ['boss@group.example'] });
      else {
        world.refusePuts(/^mail\//);
        await expect(world.statement(TICK)).rejects.toThrow();
        world.aws.faults.clear();
      }
      expect(world.keys('mail/')).toEqual([]);
      await putGroup([SECOND, THIRD], [OWNER]);
      expect(await world.statement(TICK)).toMatchObject({ revision: 2, merchants: [SECOND, THIRD] });
      expect((await groupPageAt(world, DAY.period, 2, 'shops')).merchants).toHaveLength(2);
      const [own = '', ...others] = await readBy(OWNER);
      expect(others).toEqual([]);
      expect(own).toContain(SECOND);
      expect(own).not.toContain(FIRST);
    },
  );

  it.each(['a tick', 'a person', 'a preview', 'a dry run'])(
    'is not shown by %s, although only what changed in the page before shows it',
    async (by) => {
      await putGroup([SECOND], [OWNER]);
      await world.statement({ ...TICK, dryRun: true });
      await world.statement({ ...DAY, to: [OWNER] });
      const key = `statements/period=${DAY.period}/group=shops/r0001.json`;
      const page = await groupPageAt(world, DAY.period, 1, 'shops');
      const corrections = [aGroupCorrection({ merchantCode: FIRST })];
      await world.aws.s3.write(BUCKET, key, JSON.stringify({ ...page, corrections }));
      const event = {
        'a tick': TICK,
        'a person': DAY,
        'a preview': { ...DAY, to: [OWNER] },
        'a dry run': { ...DAY, dryRun: true },
      }[by];
      expect(await world.statement(event ?? {})).toMatchObject({ unchanged: false });
      const read = await readBy(OWNER);
      expect(read).toHaveLength(by === 'a dry run' ? 1 : 2);
      expect(read.join('\n')).not.toContain(FIRST);
    },
  );

  it.each([true, 'failed', [OWNER]])('is not shown when the page is sent again (%j)', async (resend) => {
    await world.statement(TICK);
    await putGroup([SECOND, THIRD], [OWNER]);
    await expect(world.statement({ ...DAY, resend })).rejects.toMatchObject({ name: 'InvalidEventError' });
    expect(await readBy(OWNER)).toEqual([]);
    expect(await world.statement(DAY)).toMatchObject({ revision: 2, mail: { status: 'sent' } });
    expect(await world.statement({ ...DAY, resend })).toMatchObject({ revision: 2 });
  });

  it('does not stop a page from being sent again when the group only has more merchants now', async () => {
    await world.statement(TICK);
    await putGroup([FIRST, SECOND, THIRD], ['boss@group.example']);
    const answer = await world.statement({ ...DAY, resend: true });
    expect(answer).toMatchObject({ revision: 1, mail: { status: 'sent' } });
  });
});

describe('a merchant that joins the group', () => {
  const corrections = async (period: string) => (await groupPageAt(world, period, 1, 'shops')).corrections;
  const sealMonth = async (merchantCode: string, period: string) => {
    const now = world.clock.now();
    world.clock.setTo(`${addDays(periodDays(period, 'sunday').to, 1)}T06:00:00.000Z`);
    await sealPeriod(world, period, { merchantCode });
    await world.statement({ merchantCode, period, send: false });
    world.clock.setTo(new Date(now).toISOString());
  };

  it.each(['2026-11-01', undefined])('does not bring its past (reportFrom %s)', async (reportFrom) => {
    for (const code of [FIRST, SECOND]) await sealMonth(code, '2026-10');
    await putGroup([FIRST], [OWNER]);
    await world.statement({ group: 'shops', period: '2026-10' });
    await putGroup([FIRST, SECOND], [OWNER], { [SECOND]: { reportFrom } });
    for (const code of [FIRST, SECOND]) await sealMonth(code, '2026-11');
    await world.statement({ group: 'shops', period: '2026-11' });
    expect(await corrections('2026-11')).toEqual([]);
    const { merchants } = await groupPageAt(world, '2026-11', 1, 'shops');
    expect(merchants.map(({ merchantCode, usual }) => [merchantCode, usual !== null])).toEqual([
      [FIRST, true],
      [SECOND, reportFrom === undefined],
    ]);
  });

  it.each([
    { reportFrom: undefined, told: true },
    { reportFrom: '2026-11-19', told: true },
    { reportFrom: '2026-11-20', told: false },
  ])('is told of a day that it was missing in, unless that is before its reportFrom: %j', async (given) => {
    await sealPage(world, { merchantCode: FIRST, day: '2026-11-19' });
    await world.statement({ group: 'shops', period: '2026-11-19' });
    const { missing } = await groupPageAt(world, '2026-11-19', 1, 'shops');
    expect(missing).toMatchObject([{ merchantCode: SECOND }]);
    await sealPage(world, { merchantCode: SECOND, day: '2026-11-19' });
    await putGroup([FIRST, SECOND], [OWNER], { [SECOND]: { reportFrom: given.reportFrom } });
    await world.statement(DAY);
    expect(await corrections(DAY.period)).toMatchObject(
      given.told ? [{ merchantCode: SECOND, fromRevision: null, before: null }] : [],
    );
  });

  it('is not shown in a page of a time before its reportFrom, although it has a page of its own', async () => {
    await sealMonth(FIRST, '2026-10');
    await sealMonth(SECOND, '2026-10');
    await putGroup([FIRST, SECOND], [OWNER], { [SECOND]: { reportFrom: '2026-11-21' } });
    const alone = { merchants: [FIRST], missing: [], final: true };
    for (const period of [DAY.period, '2026-10'])
      expect(await world.statement({ group: 'shops', period })).toMatchObject(alone);
    expect((await readBy(OWNER)).join('\n')).not.toContain(SECOND);
    await putGroup([FIRST, SECOND], [OWNER], { [SECOND]: { reportFrom: DAY.period } });
    expect(await world.statement(DAY)).toMatchObject({ merchants: [FIRST, SECOND] });
  });
});
