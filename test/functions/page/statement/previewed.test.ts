import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { groupPageAt, sealPage } from '#support/statement/statement-world.ts';
import { DaybookWorld } from '#support/world/daybook-world.ts';

/*
 * A preview seals what is there, often before a page is due. It must not become the page that goes out.
 */

const [FIRST, SECOND] = ['700001', '700002'] as const;
const BOSS = 'boss@group.example';
const GROUP = { name: 'two', merchants: [FIRST, SECOND], recipients: [BOSS], daily: true };
const DAY = { group: GROUP.name, period: '2026-11-20' };
const TICK = { ...DAY, scheduledTime: '2026-11-21T18:00:00Z' };

let world: DaybookWorld;
beforeEach(async () => {
  world = await DaybookWorld.start({ merchants: 2 });
  await world.putRegistry({}, {}, { groups: [GROUP] });
  world.clock.setTo('2026-12-01T06:00:00.000Z');
  await sealPage(world, { merchantCode: FIRST });
});
afterEach(() => world.close());

describe("a preview of a group's page", () => {
  it('does not stop the page of a later tick from showing everybody', async () => {
    expect(await world.statement({ ...DAY, to: [BOSS] })).toMatchObject({
      revision: 1,
      missing: [SECOND],
      mail: { status: 'preview' },
    });
    await sealPage(world, { merchantCode: SECOND });
    expect(await world.statement(TICK)).toMatchObject({ revision: 2, missing: [], mail: { status: 'sent' } });
    expect(world.mails('group').map(({ tags }) => tags['revision'])).toEqual(['2']);
  });

  it('becomes the page when nothing has changed since', async () => {
    await world.statement({ ...DAY, to: [BOSS] });
    expect(await world.statement(TICK)).toMatchObject({
      revision: 1,
      unchanged: true,
      mail: { status: 'sent' },
    });
  });

  it('after the page was mailed brings no second mail by a tick', async () => {
    await world.statement(TICK);
    await sealPage(world, { merchantCode: SECOND });
    expect(await world.statement({ ...DAY, to: [BOSS] })).toMatchObject({ revision: 2 });
    expect(await world.statement(TICK)).toMatchObject({ revision: 2, mail: { status: 'skipped' } });
    expect(world.mails('group')).toHaveLength(1);
    expect((await groupPageAt(world, DAY.period, 2, GROUP.name)).missing).toEqual([]);
  });
});
