import { expect, it } from 'vitest';
import { textWith } from '#support/assertions/text-with.ts';
import { useStage } from '#support/command/command-stage.ts';
import { documentOf } from '#support/command/run-command.ts';
import { sealPage, sealPeriod, statementAt } from '#support/statement/statement-world.ts';
import { CODE } from '#support/world/daybook-world.ts';

const A = 'a@merchants.example';
const B = 'b@merchants.example';
const BOSS = 'boss@group.example';
const SHOPS = {
  name: 'shops',
  merchants: 'all',
  recipients: [BOSS],
  daily: true,
  monthly: { onDay: 1, at: '09:00' },
};

/** The registry has no statements of the merchant. */
const BY_HAND = `By the registry, no statement of such a period is made: ${CODE} Al Noor Trading gets it by hand only.\n`;

const stage = useStage('each', { startAt: '2026-12-01T06:00:00Z' }, async (stage) => {
  await stage.world.putRegistry(
    { [CODE]: { recipients: [A, B], currency: 'KWD', name: 'Al Noor Trading' } },
    {},
    { groups: [SHOPS] },
  );
});

const statement = (...args: string[]) => stage.run('statement', ...args, '--yes');

it('makes the statement of last month, and shows the figures as the mail has them', async () => {
  await sealPeriod(stage.world, '2026-11');
  const run = await statement(CODE);
  expect(run).toMatchObject({ code: 0, stderr: BY_HAND });
  expect(stage.events()).toEqual([{ merchantCode: CODE, period: 'last-month' }]);
  expect(run.stdout).toContain(`${CODE} Al Noor Trading, 2026-11 (2026-11-01 to 2026-11-30), revision 1\n`);
  const { counts, refunds } = await statementAt(stage.world, '2026-11', 1);
  expect(run.stdout).toMatch(new RegExp(`Paid +${counts.paid ?? ''} +[\\d,.]+.KWD`));
  expect(run.stdout).toMatch(new RegExp(`Refunds +${refunds.count}`));
  expect(run.stdout).toContain('Final: every day is there, and all balance.');
  expect(run.stdout).toContain('Mail: sent to 2 recipients.');
  expect((await statement(CODE)).stdout).toContain('sent before, to 2 recipients. Nothing was sent now.');
});

it('prints the answer of the function with --json, and nothing else', async () => {
  await sealPeriod(stage.world, '2026-11');
  const run = await statement(CODE, '--period', '2026-11', '--json');
  expect(run).toMatchObject({ code: 0, stderr: BY_HAND });
  expect(documentOf(run)).toMatchObject({
    merchantCode: CODE,
    period: '2026-11',
    final: true,
    statementKey: `statements/period=2026-11/merchant=${CODE}/r0001.json`,
    mail: { status: 'sent' },
  });
});

it('names the missing days of a provisional one, and ends with 1', async () => {
  await sealPeriod(stage.world, '2026-11', { except: ['2026-11-03', '2026-11-17'] });
  const run = await statement(CODE, '--no-send');
  expect(run.code).toBe(1);
  expect(run.stdout).toContain('Provisional.\n  Missing: 2026-11-03, 2026-11-17\n');
  expect(run.stdout).toContain('Mail: none. The reason: not asked for.');
  expect(stage.world.mails()).toEqual([]);
});

it('writes and sends nothing in a dry run, and sends a preview to the named addresses only', async () => {
  await sealPeriod(stage.world, '2026-11');
  const dry = await statement(CODE, '--dry-run');
  expect(dry.stdout).toContain(', dry run\n');
  expect(stage.world.keys('statements/')).toEqual([]);
  const preview = await statement(CODE, '--to', B);
  expect(preview.stdout).toContain('a preview was sent to 1 recipient');
  expect(stage.world.mails().map(({ tags }) => tags['kind'])).toEqual(['preview']);
});

it('shows a group’s page by currency', async () => {
  await sealPeriod(stage.world, '2026-11');
  const run = await statement('--group', 'shops', '--period', 'yesterday');
  expect(run).toMatchObject({ code: 0, stderr: '' });
  expect(stage.events()).toEqual([{ group: 'shops', period: 'yesterday' }]);
  expect(run.stdout).toContain('Group shops, 2026-11-30, revision 1\n');
  expect(run.stdout).toContain('1 merchant with a page');
  expect(run.stdout).toMatch(/Paid +\d+ +[\d,.]+.KWD/);
  expect(run.stdout).toContain('Final: every merchant is there, and all balance.');
  expect(stage.world.mails('group').map(({ destinations }) => destinations)).toEqual([[BOSS]]);
});

it('says that the statement of a merchant keeps the page of a group from being final', async () => {
  await sealPeriod(stage.world, '2026-11', { except: ['2026-11-03'] });
  await statement(CODE, '--no-send');
  const run = await statement('--group', 'shops');
  expect(run.code).toBe(1);
  expect(run.stdout).toContain('Provisional.\n  The statement of one of its merchants is provisional');
});

it('sends it again to those without it, or to everybody', async () => {
  await sealPeriod(stage.world, '2026-11');
  stage.aws.faults.add({ service: 'ses', key: /^b@/, action: { kind: 'reset', when: 'before' } });
  const held = await statement(CODE);
  expect(held.code).toBe(1);
  expect(held.stdout).toContain(
    `Mail: held. It is not known whether it reached everybody. Its ledger says more: mail/period=2026-11/merchant=${CODE}/r0001.json.`,
  );
  expect((await statement(CODE, '--resend', '--failed')).stdout).toContain('Mail: sent to 1 recipient.');
  await statement(CODE, '--resend');
  expect(stage.world.mails('statement')).toHaveLength(4);
});

it.each([[CODE], [CODE, '--to', B], [CODE, '--resend'], ['--group', 'shops', '--period', 'yesterday']])(
  'asks before it mails: %j',
  async (...args) => {
    const asked = await stage.run('statement', ...args);
    expect(asked).toMatchObject({ code: 2, stdout: '' });
    expect(asked.stderr).toMatch(/^give --yes: /m);
    expect(stage.events()).toEqual([]);
  },
);

it('says which merchant or group was meant', async () => {
  expect(await statement('70001')).toEqual({
    code: 1,
    stdout: '',
    stderr: 'the registry has no merchant "70001": did you mean 700001?\n',
  });
  expect(await statement('--group', 'shop')).toEqual({
    code: 1,
    stdout: '',
    stderr: 'the registry has no group "shop": did you mean shops?\n',
  });
  expect((await statement('--group', 'al noor')).stderr).toBe(
    'the registry has no group "al noor": it has shops\n',
  );
  expect(stage.events()).toEqual([]);
});

it.each([
  ['2026-12', '--period: 2026-12 is not over: its last day'],
  ['November', '--period: must be a month (2026-11), a week'],
  ['2026-11-20', '--period: 2026-11-20 is a day.'],
])('ends with 2 for wrong input that the function finds: %s', async (period, says) => {
  const run = await statement(CODE, '--period', period);
  expect(run).toMatchObject({ code: 2, stdout: '', stderr: textWith(says) });
});

it.each([
  [[], "give a merchant's code, or a group with --group"],
  [[CODE, '--group', 'shops'], 'give either a merchant or --group, not both'],
  [[CODE, '--resend', '--no-send'], '--resend and --no-send cannot be given together'],
  [[CODE, '--to', A, '--dry-run'], '--dry-run and --to cannot be given together'],
])('%j is a usage error', async (args, message) => {
  expect(await statement(...args)).toEqual({ code: 2, stdout: '', stderr: `${message}\n` });
});

it('reopens a closed statement after it has asked, and keeps who did it and why', async () => {
  const [month, folder] = ['2026-10', `statements/period=2026-10/merchant=${CODE}`];
  const statements = { monthly: { onDay: 20, at: '09:00' }, closeAfter: '15d' };
  await stage.world.putRegistry({
    [CODE]: { recipients: [A], currency: 'KWD', name: 'Al Noor', statements },
  });
  await sealPeriod(stage.world, month);
  const reopen = (...args: string[]) => stage.run('statement', 'reopen', CODE, month, ...args);
  const why = ['--why', 'the bank corrected a day'];
  await statement(CODE, '--period', month);
  expect(await reopen(...why, '--yes')).toMatchObject({
    code: 1,
    stderr: textWith(`the statement of ${month} of ${CODE} Al Noor is not closed: nothing to reopen`),
  });
  const dryRun = await statement(CODE, '--period', month, '--dry-run');
  expect(dryRun.stdout).toContain('It would be closed now');
  const closed = await statement(CODE, '--period', month);
  expect(closed.stdout).toContain('Closed on 2026-12-01 06:0');
  expect((await stage.run('status')).stdout).toMatch(new RegExp(`${month}.* closed `));
  const said = await stage.run('why', CODE, month);
  expect(said.stdout).toContain('(31 days, final, and closed)');
  expect(said.stdout).toContain('It was closed on 2026-12-01 09:0');
  await sealPage(stage.world, { day: '2026-10-05', revision: 2 });
  expect((await stage.run('why', CODE, month)).stdout).toContain(
    'Changed since it was sealed: 2026-10-05 (r1 → r2). It is closed and stays as it is. The next open statement tells',
  );
  expect((await reopen('--yes', '--why', ' ')).code).toBe(2);
  expect(await reopen(...why)).toMatchObject({ code: 2 });
  expect(stage.world.keys(`${folder}/reopened`)).toEqual([]);
  const run = await reopen(...why, '--yes');
  expect(run.code).toBe(0);
  expect(run.stdout).toContain(`${CODE} Al Noor, ${month} (2026-10-01 to 2026-10-31), revision 3\n`);
  expect(JSON.parse(await stage.world.text(`${folder}/reopened-r0002.json`))).toMatchObject({
    merchantCode: CODE,
    period: month,
    revision: 2,
    by: textWith('arn:aws:'),
    why: 'the bank corrected a day',
  });
  expect((await stage.run('status')).stdout).not.toMatch(new RegExp(`${month}.* closed `));
  const after = await stage.run('why', CODE, month);
  expect(after.stdout).toMatch(/It was reopened on 2026-12-01 09:0\d, and is closed again when `closeAfter`/);
});
