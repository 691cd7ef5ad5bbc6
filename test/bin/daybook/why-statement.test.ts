import * as z from 'zod';
import { addressHash, suppressionKey } from '#records/storage/keys.ts';
import { useStage } from '#support/command/command-stage.ts';
import { removeFromRegistry } from '#support/watch/running-watch.ts';
import { documentOf, refuses, says } from '#support/command/run-command.ts';
import { sealPage, sealPeriod } from '#support/statement/statement-world.ts';
import { BUCKET, CODE, runFunction } from '#support/world/daybook-world.ts';

const STATEMENTS = { weekly: { on: 'sunday', at: '08:00' }, monthly: { onDay: 1, at: '09:00' } };
const A = 'a@merchants.example';
const BOSS = 'boss@group.example';
const SHOPS = { name: 'shops', merchants: 'all', recipients: [BOSS], daily: true };
const OF_ALL = { groups: [SHOPS] };

const whySchema = z.object({
  ending: z.string(),
  sentence: z.string(),
  timeline: z.array(z.object({ what: z.string() })),
});

// Twenty to ten in Kuwait, on the first of December.
const stage = useStage('each', { startAt: '2026-12-01T06:40:00Z', merchants: 2 }, async (stage) => {
  const own = { recipients: [A], name: 'Al Noor Trading', statements: STATEMENTS };
  await stage.world.putRegistry({ [CODE]: own }, {}, { groups: [{ ...SHOPS, merchants: [CODE] }] });
});

const why = (...args: string[]) => stage.run('why', ...args);
const explained = async (...args: string[]) => documentOf(await why(...args, '--json'));
/** A command for this stage, as it is printed. */
const line = (words: string) => `npx daybook ${words} --local --directory ${stage.directory}`;
const make = (event: object) => runFunction('statement', event, stage.world.clock);

async function tick(scheduledTime: string): Promise<void> {
  stage.setTime(scheduledTime);
  const { items = [] } = await stage.world.plan({ kind: 'statement', scheduledTime });
  for (const item of items) await make(item);
}

it('explains a statement that was mailed, also to one address', async () => {
  await sealPeriod(stage.world, '2026-11');
  await tick('2026-12-01T06:45:00Z');
  const run = await says(
    why(CODE, 'last-month'),
    0,
    `${CODE} Al Noor Trading, statement of 2026-11, 2026-11-01 to 2026-11-30 (times in Asia/Kuwait)`,
    '2026-12-01 09:00  it was due',
    '2026-12-01 09:45  sealed as revision 1 (30 days, final)',
    'revision 1: mail begun (statement)',
    'The mail service took the mail for 1 recipient, last at 2026-12-01 09:45. A local run has no events, so none will say that it was delivered. It is final: 30 days added up.',
  );
  expect(run.stderr).toBe('');
  await make({ group: 'shops', period: '2026-11-30' });
  const toA = await explained(CODE, '2026-11', '--to', A);
  expect(toA).toMatchObject({ ending: 'mailed', period: '2026-11' });
  const ending = 'not a recipient';
  const set = line(`merchant set ${CODE} recipients=${A},${BOSS}`);
  expect(await explained(CODE, '2026-11', '--to', BOSS)).toMatchObject({ ending, commands: [set] });
  const sentence = 'This address is not a recipient of the group.';
  const ofGroup = { ending, sentence, commands: [line('registry pull')] };
  expect(await explained('--group', 'shops', '2026-11-30', '--to', A)).toMatchObject(ofGroup);
  const stop = { reason: 'asked us to', at: '2026-12-01T06:30:00.000Z' };
  await stage.aws.s3.write(BUCKET, suppressionKey(addressHash(A)), JSON.stringify(stop));
  await says(why(CODE, '2026-11'), 0, `2026-12-01 09:30  mail to ${A} stopped: asked us to`);
});

it('says which days a statement waits for, and until when', async () => {
  await sealPeriod(stage.world, '2026-11', { except: ['2026-11-03', '2026-11-17'] });
  await tick('2026-12-01T06:45:00Z');
  expect(await explained(CODE, '2026-11')).toMatchObject({
    ending: 'waiting',
    revision: null,
    notSealed: ['2026-11-03', '2026-11-17'],
    sentence:
      'It waits for 2 days of 30 without a sealed page: 2026-11-03, 2026-11-17. It waits until 2026-12-01 21:00. Then it is issued as provisional.',
    commands: [line(`why ${CODE} 2026-11-03`), line(`why ${CODE} 2026-11-17`)],
  });
});

it('explains a provisional one, then its correction', async () => {
  await sealPeriod(stage.world, '2026-11', { except: ['2026-11-03'] });
  await tick('2026-12-01T18:00:00Z');
  await says(
    why(CODE, '2026-11'),
    1,
    'sealed as revision 1 (29 days, provisional, missing: 2026-11-03)',
    'Revision 1 is provisional (missing: 2026-11-03). The mail service took the mail for 1 recipient, last at 2026-12-01 21:00. A local run has no events, so none will say that it was delivered. When that is mended, plan makes it again by itself, until 2027-01-15 09:00.',
    'Run the reports of these days again with the commands below.',
    `npx daybook report ${CODE} --day 2026-11-03 --local`,
  );
  stage.setTime('2026-12-01T18:30:00Z');
  await sealPage(stage.world, { merchantCode: CODE, day: '2026-11-03' });
  expect(await explained(CODE, '2026-11')).toMatchObject({
    ending: 'provisional',
    toDo: 'You need do nothing.',
    commands: [],
    also: [
      'Changed since it was sealed: 2026-11-03 (new). plan looks once a day, until 2027-01-15 09:00, and makes it again.',
    ],
  });
  await tick('2026-12-01T18:45:00Z');
  expect(await explained(CODE, '2026-11')).toMatchObject({
    ...{ ending: 'corrected', revision: 2, final: true, also: [] },
    sentence:
      'Revision 1 was provisional. Revision 2 corrects the mail of revision 1. Changed: 2026-11-03 (new). The mail service took the mail for 1 recipient, last at 2026-12-01 21:45. A local run has no events, so none will say that it was delivered.',
  });
});

it('explains what a merchant got that was removed, and that nothing more comes', async () => {
  await sealPeriod(stage.world, '2026-11');
  stage.setTime('2026-12-02T06:40:00Z');
  await make({ merchantCode: CODE, period: '2026-11' });
  await removeFromRegistry(stage.world, CODE);
  expect(await explained(CODE, '2026-11')).toMatchObject({ ending: 'mailed', final: true, next: [] });
  expect(await explained(CODE, '2026-10')).toMatchObject({ ending: 'not in the registry', commands: [] });
});

it('makes up for many missing days of a provisional one with one command', async () => {
  const except = ['2026-11-03', '2026-11-05', '2026-11-09', '2026-11-17'];
  await sealPeriod(stage.world, '2026-11', { except });
  await tick('2026-12-01T18:00:00Z');
  const commands = [line(`backfill --merchant ${CODE} --from 2026-11-03 --to 2026-11-17`)];
  expect(await explained(CODE, '2026-11')).toMatchObject({ commands });
});

it('says how the provisional page of a group is made again', async () => {
  await stage.world.putRegistry({}, {}, OF_ALL);
  await sealPage(stage.world, { merchantCode: CODE, day: '2026-11-30' });
  await make({ group: 'shops', period: '2026-11-30' });
  expect(await explained('--group', 'shops', '2026-11-30')).toMatchObject({
    ending: 'provisional',
    toDo: 'See with the first commands why these merchants are missing, and mend that. Then make the page again with the last command.',
    commands: [line('why 700002 2026-11-30'), line('statement --group shops --period 2026-11-30')],
  });
});

const WAITS = 'until then it waits for what is not sealed';

it.each([
  ['a mail', {}, 'provisional', /It is not made again by itself\./, []],
  ['a preview', { to: [BOSS] }, 'waiting', /^It waits for 1 merchant of 2 /, [WAITS]],
])(
  'says one thing of a page that %s has sealed before its deadline',
  async (_, asked, ending, says, waits) => {
    await stage.world.putRegistry({}, {}, OF_ALL);
    await sealPage(stage.world, { merchantCode: CODE, day: '2026-11-30' });
    await make({ group: 'shops', period: '2026-11-30', ...asked });
    const said = whySchema.parse(await explained('--group', 'shops', '2026-11-30'));
    expect(said.ending).toBe(ending);
    expect(said.sentence).toMatch(says);
    expect(said.timeline.map(({ what }) => what).filter((what) => what.includes('wait'))).toEqual(waits);
    await sealPage(stage.world, { merchantCode: '700002', day: '2026-11-30' });
    await tick('2026-12-01T07:00:00Z');
    const mails = stage.world.mails('group');
    expect(mails).toHaveLength(1);
    expect(mails[0]?.tags).toMatchObject({ revision: ending === 'waiting' ? '2' : '1' });
  },
);

it('says why one did not come: nothing sealed, not made, not asked for, not due, too old', async () => {
  stage.setTime('2026-12-02T06:40:00Z');
  const commands = [
    line(`why ${CODE} 2026-11-01`),
    line(`backfill --merchant ${CODE} --from 2026-11-01 --to 2026-11-30`),
  ];
  expect(await explained(CODE, '2026-11')).toMatchObject({ ending: 'nothing sealed', commands });
  await sealPeriod(stage.world, '2026-11');
  await says(
    why(CODE, '2026-11'),
    1,
    'It could have been made since 2026-12-01 09:00, but nothing is sealed',
    `npx daybook statement ${CODE} --period 2026-11 --local`,
    'Each tick of the reports sends its message again.',
    'Read on: docs/runbook.md, "Statements are missing"',
  );
  expect(await explained(CODE, '2026-W46')).toMatchObject({ ending: 'not issued any more' });
  expect(await explained('--group', 'shops', '2026-11')).toMatchObject({ ending: 'not asked for' });
  stage.setTime('2026-12-01T05:00:00Z');
  const early = { ending: 'not due yet', sentence: 'It is due at 2026-12-01 09:00.' };
  expect(await explained(CODE, '2026-11')).toMatchObject(early);
  stage.setTime('2026-12-01T06:01:00Z');
  expect(await explained(CODE, '2026-11')).toMatchObject({ ending: 'next tick' });
});

it('says whether the operators were notified of it', async () => {
  stage.setTime('2026-12-01T20:00:00Z');
  const notified = (not: string) => `deadline of the watch; it has ${not}notified the operators of this page`;
  await says(why(CODE, '2026-11'), 1, `2026-12-01 22:00  ${notified('not ')}`);
  await runFunction('delivery-watch', {}, stage.world.clock);
  await says(why(CODE, '2026-11'), 1, notified(''));
});

it('explains a group’s page, by its merchants', async () => {
  const waiting = { group: 'shops', period: '2026-11-30', ending: 'waiting', notSealed: [CODE] };
  expect(await explained('--group', 'shops', 'yesterday')).toMatchObject(waiting);
  await sealPage(stage.world, { merchantCode: CODE, day: '2026-11-30' });
  await make({ group: 'shops', period: '2026-11-30' });
  const run = await says(
    why('--group', 'shops', '2026-11-30'),
    0,
    'Group shops, page of 2026-11-30 (times in Asia/Kuwait)',
    'sealed as revision 1 (1 merchant, final)',
    'It is final: 1 merchant added up.',
  );
  expect(run.stderr).toBe('');
});

it.each([
  [[CODE], 'give a day, or a period'],
  [[], "give a merchant's code, or a group with --group"],
  [['--group', 'shops'], 'give a period'],
  [[CODE, '2026-11', '--group', 'shops'], 'give either a merchant or --group, not both'],
  [[CODE, '2026-W54'], 'or a period: 2026-11, 2026-W47, "last-month" or "last-week". Given: "2026-W54"'],
  [['--group', 'shops', 'soon'], 'given "soon"'],
  [[CODE, '2026-12'], 'period 2026-12 is not over'],
])('refuses what it cannot explain: %j', (args, words) => refuses(why(...args), 2, words));

it('says which group was meant', () => refuses(why('--group', 'shop', '2026-11'), 1, 'did you mean shops?'));
