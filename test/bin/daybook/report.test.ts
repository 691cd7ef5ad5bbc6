import { useStage } from '#support/command/command-stage.ts';
import { documentOf, refuses, says, runOnTerminal } from '#support/command/run-command.ts';
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
  expect([stage.events(), run.stderr]).toEqual([[{ merchantCode: CODE, day: 'yesterday' }], '']);
  expect(readersOf(stage.world, 1)).toEqual([A, B]);
  const { amounts, counts, refunds } = await stage.world.manifest(1);
  // With separators, as in the mail.
  const [, count, paid] = /Paid +(\d+) +([\d,.]+).KWD/.exec(run.stdout) ?? [];
  expect([Number(count), paid?.replaceAll(',', '')]).toEqual([counts.paid, amounts?.paid]);
  const refunded = new RegExp(`Refunds +${refunds.count}`);
  await says(run, 0, `${CODE} `, `${DAY}, revision 1`, refunded, 'Balanced:', 'Mail: sent to 2 recipients.');
  await says(report(CODE), 0, 'sent before, to 2 recipients. Nothing was sent now.');
});

it('prints the answer of the function with --json, and nothing else', async () => {
  const run = await report(CODE, '--day', DAY, '--json');
  expect(run).toMatchObject({ code: 0, stderr: '' });
  const { amounts } = await stage.world.manifest(1);
  const sealed = { merchantCode: CODE, day: DAY, revision: 1, balanced: true, amounts };
  expect(documentOf(run)).toMatchObject({ ...sealed, mail: { status: 'sent' } });
});

it('writes and sends nothing in a dry run, and sends a preview to the named addresses only', async () => {
  const nothing = 'This was a dry run: nothing was written or sent.';
  await says(report(CODE, '--dry-run'), 0, `${DAY}, dry run\n`, nothing);
  expect(stage.world.mails()).toEqual([]);
  await says(report(CODE, '--to', B, 'ops@example.com'), 0, 'a preview was sent to 2 recipients');
  expect(stage.world.mails().map(({ tags }) => tags['kind'])).toEqual(['preview', 'preview']);
});

it('sends it again to everybody, to those without it, or to named recipients', async () => {
  stage.aws.faults.add({ service: 'ses', key: /^b@/, action: { kind: 'reset', when: 'before' } });
  const more = `It is not known whether it reached everybody. "npx daybook why ${CODE} ${DAY} --local`;
  await says(report(CODE), 1, `Mail: held. ${more}`);
  await says(report(CODE, '--resend', '--failed'), 0, 'Mail: sent to 1 recipient.');
  expect(readersOf(stage.world, 1)).toEqual([A, B]);
  const nobody = 'Mail: none. The reason: nobody is left to send it to (have the mail: 2).';
  await says(report(CODE, '--resend', '--failed'), 0, nobody);
  await report(CODE, '--resend', '--only', A);
  await report(CODE, '--resend');
  expect(readersOf(stage.world, 1)).toEqual([A, A, A, B, B]);
});

it.each([[], ['--to', A], ['--resend'], ['--resend', '--failed'], ['--resend', '--only', A]])(
  'asks before it mails: %j',
  async (...args) => {
    await refuses(stage.run('report', CODE, ...args), 2, /^give --yes: /);
    expect(stage.events()).toEqual([]);
  },
);

it('says who gets what, and sends nothing after a no', async () => {
  const words = ['report', CODE, '--day', DAY, ...stage.options];
  const asked = await runOnTerminal(words, [['Mail the report', 'n']], stage.directory);
  const written = asked.written.replaceAll(/[│\s]+/g, ' ');
  expect(written).toContain(`the report of ${DAY} of ${CODE} to 2 recipients`);
  expect(asked.code).toBe(1);
  expect(stage.events()).toEqual([]);
});

it('lists the differences of a day that is not balanced and ends with 1, unless the registry leaves them out', async () => {
  stage.world.payments.behaviour.wrongStats = { paid: 1 };
  await says(report(CODE), 1, 'Not balanced', 'Paid invoices: the service says');
  const ignore = ['statsPaid', 'statsOther'];
  await stage.world.putRegistry({ [CODE]: { recipients: [A, B], balance: { ignore } } });
  await says(report(CODE), 0, 'The registry leaves these out (balance.ignore):\n  Paid invoices');
});

it('names the error of the function, its message, and where to read on', async () => {
  stage.world.payments.behaviour.loginRefused = [CODE];
  const line =
    /^daily-report ended with LoginRefusedError: .+\. Read "Credentials and rotation" in docs\/operations\.md\n$/;
  await refuses(report(CODE), 1, line);
});

it('says which merchant was meant, and which address of a list is no recipient', async () => {
  await refuses(report('70001'), 1, /^the registry has no merchant "70001": did you mean 700001\?\n$/);
  expect(stage.events()).toEqual([]);
  await report(CODE);
  const stranger = report(CODE, '--resend', '--only', A, 'stranger@elsewhere.example');
  await refuses(stranger, 2, /^--only \(number 2\): is not a recipient of this merchant\n$/);
});

it.each([
  [['--day', '2026-11-31'], '--day: is neither a date'],
  [['--day', '2026-12-01'], '--day: 2026-12-01 has not begun yet in Asia/Kuwait'],
  [['--to', A, 'me@gmail.com'], '--to (number 2): is neither an address of this merchant'],
])('ends with 2 for wrong input that the function finds, in words of the option: %j', (args, words) =>
  refuses(report(CODE, ...args), 2, words),
);

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
