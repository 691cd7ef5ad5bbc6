import { expect, it } from 'vitest';
import { textLike } from '#support/assertions/text-like.ts';
import { textWith } from '#support/assertions/text-with.ts';
import { useStage } from '#support/command/command-stage.ts';
import { documentOf } from '#support/command/run-command.ts';
import { runOnTerminal } from '#support/command/run-on-terminal.ts';
import { readersOf } from '#support/crash/bucket.ts';
import { CODE, DAY } from '#support/world/daybook-world.ts';

const A = 'a@merchants.example';
const B = 'b@merchants.example';

const stage = useStage('each', {}, async (stage) => {
  await stage.world.putRegistry({ [CODE]: { recipients: [A, B], currency: 'KWD' } });
  stage.world.payments.data.seedDay(CODE, DAY, { invoices: 12, refunds: 3 });
});

const report = (...args: string[]) => stage.run('report', ...args, '--yes');

it('runs the report of yesterday, and shows the figures as the mail has them', async () => {
  const run = await report(CODE);
  expect(run).toMatchObject({ code: 0, stderr: '' });
  expect(stage.events()).toEqual([{ merchantCode: CODE, day: 'yesterday' }]);
  const { amounts, counts, refunds } = await stage.world.manifest(1);
  expect(run.stdout).toContain(`${CODE} `);
  expect(run.stdout).toContain(`${DAY}, revision 1`);
  expect(run.stdout).toMatch(new RegExp(`Paid +${counts.paid ?? ''} +[\\d,.]+.KWD`));
  // With separators, as in the mail.
  const [paid] = /Paid +\d+ +([\d,.]+)/.exec(run.stdout)?.slice(1) ?? [];
  expect(paid?.replaceAll(',', '')).toBe(amounts?.paid);
  expect(run.stdout).toMatch(new RegExp(`Refunds +${refunds.count}`));
  expect(run.stdout).toContain('Balanced:');
  expect(run.stdout).toContain('Mail: sent to 2 recipients.');
  expect(readersOf(stage.world, 1)).toEqual([A, B]);
  expect((await report(CODE)).stdout).toContain('sent before, to 2 recipients. Nothing was sent now.');
});

it('prints the answer of the function with --json, and nothing else', async () => {
  const run = await report(CODE, '--day', DAY, '--json');
  expect(run).toMatchObject({ code: 0, stderr: '' });
  expect(documentOf(run)).toMatchObject({
    merchantCode: CODE,
    day: DAY,
    revision: 1,
    balanced: true,
    amounts: (await stage.world.manifest(1)).amounts,
    mail: { status: 'sent' },
  });
});

it('writes and sends nothing in a dry run', async () => {
  const run = await report(CODE, '--dry-run');
  expect(run).toMatchObject({ code: 0, stdout: textWith(`${DAY}, dry run\n`) });
  expect(run.stdout).toContain('This was a dry run: nothing was written or sent.');
  expect(stage.world.mails()).toEqual([]);
});

it('sends a preview to the named addresses only', async () => {
  const run = await report(CODE, '--to', B, 'ops@example.com');
  expect(run.stdout).toContain('a preview was sent to 2 recipients');
  expect(stage.world.mails().map(({ tags }) => tags['kind'])).toEqual(['preview', 'preview']);
});

it('sends it again to everybody, to those without it, or to named recipients', async () => {
  stage.aws.faults.add({ service: 'ses', key: /^b@/, action: { kind: 'reset', when: 'before' } });
  const held = await report(CODE);
  expect(held.code).toBe(1);
  expect(held.stdout).toContain(
    `Mail: held. It is not known whether it reached everybody. "npx daybook why ${CODE} ${DAY} --local`,
  );
  expect((await report(CODE, '--resend', '--failed')).stdout).toContain('Mail: sent to 1 recipient.');
  expect(readersOf(stage.world, 1)).toEqual([A, B]);
  expect(await report(CODE, '--resend', '--failed')).toMatchObject({
    code: 0,
    stdout: textWith('Mail: none. The reason: nobody is left to send it to (have the mail: 2).'),
  });
  await report(CODE, '--resend', '--only', A);
  await report(CODE, '--resend');
  expect(readersOf(stage.world, 1)).toEqual([A, A, A, B, B]);
});

it.each([[], ['--to', A], ['--resend'], ['--resend', '--failed'], ['--resend', '--only', A]])(
  'asks before it mails: %j',
  async (...args) => {
    const asked = await stage.run('report', CODE, ...args);
    expect(asked).toMatchObject({ code: 2, stdout: '', stderr: textLike(/^give --yes: /) });
    expect(stage.events()).toEqual([]);
  },
);

it('says who gets what, and sends nothing after a no', async () => {
  const words = ['report', CODE, '--day', DAY, ...stage.options];
  const asked = await runOnTerminal(words, [['Mail the report', 'n']], stage.directory);
  expect(asked).toMatchObject({ code: 1 });
  expect(asked.written.replaceAll(/[│\s]+/g, ' ')).toContain(
    `the report of ${DAY} of ${CODE} to 2 recipients`,
  );
  expect(stage.events()).toEqual([]);
});

it('lists the differences of a day that is not balanced and ends with 1, unless the registry leaves them out', async () => {
  stage.world.payments.behaviour.wrongStats = { paid: 1 };
  const run = await report(CODE);
  expect(run).toMatchObject({ code: 1, stdout: textWith('Not balanced') });
  expect(run.stdout).toContain('Paid invoices: the service says');
  const ignore = ['statsPaid', 'statsOther'];
  await stage.world.putRegistry({ [CODE]: { recipients: [A, B], balance: { ignore } } });
  const ignored = await report(CODE);
  expect(ignored.code).toBe(0);
  expect(ignored.stdout).toContain('The registry leaves these out (balance.ignore):\n  Paid invoices');
});

it('names the error of the function, its message, and where to read on', async () => {
  stage.world.payments.behaviour.loginRefused = [CODE];
  const run = await report(CODE);
  expect(run).toMatchObject({ code: 1, stdout: '' });
  expect(run.stderr).toMatch(
    /^daily-report ended with LoginRefusedError: .+\. Read "Credentials and rotation" in docs\/operations\.md\n$/,
  );
});

it('says which merchant was meant, and which address of a list is no recipient', async () => {
  const unknown = await report('70001');
  expect(unknown).toEqual({
    code: 1,
    stdout: '',
    stderr: 'the registry has no merchant "70001": did you mean 700001?\n',
  });
  expect(stage.events()).toEqual([]);
  await report(CODE);
  const stranger = await report(CODE, '--resend', '--only', A, 'stranger@elsewhere.example');
  expect(stranger).toMatchObject({
    code: 2,
    stderr: '--only (number 2): is not a recipient of this merchant\n',
  });
});

it.each([
  [['--day', '2026-11-31'], '--day: is neither a date'],
  [['--day', '2026-12-01'], '--day: 2026-12-01 has not begun yet in Asia/Kuwait'],
  [['--to', A, 'me@gmail.com'], '--to (number 2): is neither an address of this merchant'],
])('ends with 2 for wrong input that the function finds, in words of the option: %j', async (args, says) => {
  const run = await report(CODE, ...args);
  expect(run).toMatchObject({
    code: 2,
    stdout: '',
    stderr: textWith(says),
  });
});

it.each([
  [['--failed'], '--failed goes with --resend'],
  [['--only', A], '--only goes with --resend'],
  [
    ['--resend', '--failed', '--only', A],
    'give either --failed or --only: each says to whom it is sent again',
  ],
  [['--dry-run', '--resend'], '--dry-run and --resend cannot be given together'],
  [['--to', A, '--resend'], '--to and --resend cannot be given together'],
])('%j is a usage error', async (args, message) => {
  expect(await report(CODE, ...args)).toEqual({ code: 2, stdout: '', stderr: `${message}\n` });
  expect(stage.events()).toEqual([]);
});
