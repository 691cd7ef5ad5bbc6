import { textWith } from '#support/assertions/index.ts';
import { useStage } from '#support/command/command-stage.ts';
import { documentOf, refuses, says } from '#support/command/run-command.ts';
import { sealPage, sealPeriod, statementAt } from '#support/statement/statement-world.ts';
import { CODE } from '#support/world/daybook-world.ts';

const A = 'a@merchants.example';
const B = 'b@merchants.example';
const BOSS = 'boss@group.example';
const SHOPS = { name: 'shops', merchants: 'all', recipients: [BOSS], daily: true };
const OWN = { recipients: [A, B], currency: 'KWD', name: 'Al Noor Trading' };

/** The registry has no statements of the merchant. */
const BY_HAND = `By the registry, no statement of such a period is made: ${CODE} Al Noor Trading gets it by hand only.\n`;

const stage = useStage('each', { startAt: '2026-12-01T06:00:00Z' }, async (stage) => {
  const groups = [{ ...SHOPS, monthly: { onDay: 1, at: '09:00' } }];
  await stage.world.putRegistry({ [CODE]: OWN }, {}, { groups });
});

const statement = (...args: string[]) => stage.run('statement', ...args, '--yes');

it('makes the statement of last month, and shows the figures as the mail has them', async () => {
  await sealPeriod(stage.world, '2026-11');
  const run = await statement(CODE);
  expect([stage.events(), run.stderr]).toEqual([[{ merchantCode: CODE, period: 'last-month' }], BY_HAND]);
  const { counts, refunds } = await statementAt(stage.world, '2026-11', 1);
  await says(
    run,
    0,
    `${CODE} Al Noor Trading, 2026-11 (2026-11-01 to 2026-11-30), revision 1\n`,
    new RegExp(`Paid +${counts.paid ?? ''} +[\\d,.]+.KWD`),
    new RegExp(`Refunds +${refunds.count}`),
    'Final: every day is there, and all balance.',
    'Mail: sent to 2 recipients.',
  );
  await says(statement(CODE), 0, 'sent before, to 2 recipients. Nothing was sent now.');
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

it('names the missing days of a provisional one, and that it keeps the page of a group from being final', async () => {
  await sealPeriod(stage.world, '2026-11', { except: ['2026-11-03', '2026-11-17'] });
  const missing = 'Provisional.\n  Missing: 2026-11-03, 2026-11-17\n';
  await says(statement(CODE, '--no-send'), 1, missing, 'Mail: none. The reason: not asked for.');
  expect(stage.world.mails()).toEqual([]);
  const one = 'Provisional.\n  The statement of one of its merchants is provisional';
  await says(statement('--group', 'shops'), 1, one);
});

it('writes and sends nothing in a dry run, and sends a preview to the named addresses only', async () => {
  await sealPeriod(stage.world, '2026-11');
  await says(statement(CODE, '--dry-run'), 0, ', dry run\n');
  expect(stage.world.keys('statements/')).toEqual([]);
  await says(statement(CODE, '--to', B), 0, 'a preview was sent to 1 recipient');
  expect(stage.world.mails().map(({ tags }) => tags['kind'])).toEqual(['preview']);
});

it('shows a group’s page by currency', async () => {
  await sealPeriod(stage.world, '2026-11');
  const run = await says(
    statement('--group', 'shops', '--period', 'yesterday'),
    0,
    'Group shops, 2026-11-30, revision 1\n',
    '1 merchant with a page',
    /Paid +\d+ +[\d,.]+.KWD/,
    'Final: every merchant is there, and all balance.',
  );
  expect([stage.events(), run.stderr]).toEqual([[{ group: 'shops', period: 'yesterday' }], '']);
  expect(stage.world.mails('group').map(({ destinations }) => destinations)).toEqual([[BOSS]]);
});

it('sends it again to those without it, or to everybody', async () => {
  await sealPeriod(stage.world, '2026-11');
  stage.aws.faults.add({ service: 'ses', key: /^b@/, action: { kind: 'reset', when: 'before' } });
  const ledger = `Its ledger says more: mail/period=2026-11/merchant=${CODE}/r0001.json.`;
  await says(statement(CODE), 1, `Mail: held. It is not known whether it reached everybody. ${ledger}`);
  await says(statement(CODE, '--resend', '--failed'), 0, 'Mail: sent to 1 recipient.');
  await statement(CODE, '--resend');
  expect(stage.world.mails('statement')).toHaveLength(4);
});

it.each([[CODE], [CODE, '--to', B], [CODE, '--resend'], ['--group', 'shops', '--period', 'yesterday']])(
  'asks before it mails: %j',
  async (...args) => {
    await refuses(stage.run('statement', ...args), 2, /^give --yes: /m);
    expect(stage.events()).toEqual([]);
  },
);

it.each([
  [['70001'], 'merchant "70001": did you mean 700001?'],
  [['--group', 'shop'], 'group "shop": did you mean shops?'],
  [['--group', 'al noor'], 'group "al noor": it has shops'],
])('says which merchant or group was meant: %j', async (args, meant) => {
  const stderr = `the registry has no ${meant}\n`;
  expect(await statement(...args)).toEqual({ code: 1, stdout: '', stderr });
  expect(stage.events()).toEqual([]);
});

it.each([
  ['2026-12', '--period: 2026-12 is not over: its last day'],
  ['November', '--period: must be a month (2026-11), a week'],
  ['2026-11-20', '--period: 2026-11-20 is a day.'],
])('ends with 2 for wrong input that the function finds: %s', (period, words) =>
  refuses(statement(CODE, '--period', period), 2, words),
);

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
  const own = { recipients: [A], currency: 'KWD', name: 'Al Noor', statements };
  await stage.world.putRegistry({ [CODE]: own });
  await sealPeriod(stage.world, month);
  const reopen = (...args: string[]) => stage.run('statement', 'reopen', CODE, month, ...args);
  const why = ['--why', 'the bank corrected a day'];
  await statement(CODE, '--period', month);
  const open = `the statement of ${month} of ${CODE} Al Noor is not closed: nothing to reopen`;
  await refuses(reopen(...why, '--yes'), 1, open);
  await says(statement(CODE, '--period', month, '--dry-run'), 0, 'It would be closed now');
  await says(statement(CODE, '--period', month), 0, 'Closed on 2026-12-01 06:0');
  const isClosed = new RegExp(`${month}.* closed `);
  expect((await stage.run('status')).stdout).toMatch(isClosed);
  const explained = () => stage.run('why', CODE, month);
  await says(explained(), 0, '(31 days, final, and closed)', 'It was closed on 2026-12-01 09:0');
  await sealPage(stage.world, { day: '2026-10-05', revision: 2 });
  const stays = 'It is closed and stays as it is. The next open statement tells';
  await says(explained(), 0, `Changed since it was sealed: 2026-10-05 (r1 → r2). ${stays}`);
  expect([(await reopen('--yes', '--why', ' ')).code, (await reopen(...why)).code]).toEqual([2, 2]);
  expect(stage.world.keys(`${folder}/reopened`)).toEqual([]);
  const title = `${CODE} Al Noor, ${month} (2026-10-01 to 2026-10-31), revision 3\n`;
  await says(reopen(...why, '--yes'), 0, title);
  const record = { merchantCode: CODE, period: month, revision: 2, why: 'the bank corrected a day' };
  const kept: unknown = JSON.parse(await stage.world.text(`${folder}/reopened-r0002.json`));
  expect(kept).toMatchObject({ ...record, by: textWith('arn:aws:') });
  expect((await stage.run('status')).stdout).not.toMatch(isClosed);
  const again = /It was reopened on 2026-12-01 09:0\d, and is closed again when `closeAfter`/;
  expect((await explained()).stdout).toMatch(again);
});
