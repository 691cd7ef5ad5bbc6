import { queueNameOf } from '#bin/local/configuration.ts';
import { manifestKey } from '#records/storage/keys.ts';
import { REASON } from '#runtime/queues.ts';
import { defined, textLike } from '#support/assertions/index.ts';
import { useStage } from '#support/command/command-stage.ts';
import {
  documentOf,
  refuses,
  runCommand,
  runProcess,
  says,
  CTRL_C,
  runOnTerminal,
} from '#support/command/run-command.ts';

const MERCHANTS = ['700001', '700002', '700003'];
const QUEUE = queueNameOf('backfills');
const STARTED = /^started: 2026-11-21T04:\d\d:\d\dZ$/m;

const stageOf = (merchants: number) => useStage('each', { merchants }, (stage) => stage.startQueues());
const stage = stageOf(MERCHANTS.length);
const backfill = (args: readonly string[]) => stage.run('backfill', ...args);
const queued = () => stage.aws.queues.messages(QUEUE);

/** From now on the service answers each request of the merchant with this status. */
const refuse = (merchantCode: string, status = 403) =>
  stage.world.serviceDoes({ kind: 'status', status }, { merchantCode, times: Infinity });

const onTerminal = (args: readonly string[], ...answers: (readonly [string, string])[]) =>
  runOnTerminal(['backfill', ...stage.options, ...args], answers);

/** The options of a range. */
const days = (from: string, to = from) => ['--from', `2026-11-${from}`, '--to', `2026-11-${to}`];

it('seals every day of every merchant without a mail, and says beforehand how many that is', async () => {
  const sealed = ['2026-11-01', '2026-11-02'].flatMap((day) =>
    MERCHANTS.map((code) => manifestKey(day, code, 1)),
  );
  const all = /^3 of 3 merchants are done: every day is sealed/m;
  const { stderr } = await says(backfill(days('01', '02')), 0, all);
  expect(stderr).toContain('3 merchants, 2 days each (2026-11-01 to 2026-11-02): 6 reports, without mail');
  expect(stderr).toMatch(STARTED);
  for (const key of sealed) expect(stage.world.keys(key)).toEqual([key]);
  expect(stage.world.mails('report')).toEqual([]);
  // A message for each merchant.
  expect(stage.invocations.filter(({ name }) => name === 'daily-report')).toHaveLength(3);
});

it('takes some merchants only, mails with --send, and prints one document with --json', async () => {
  const range = days('05');
  const words = [...range, '--merchant', '700003,700001', '--send', '--json'];
  await refuses(backfill(words), 2, 'give --yes');
  expect(documentOf(await says(backfill([...words, '--yes']), 0))).toEqual({
    ...{ stage: 'local', merchants: 2, succeeded: 2, failed: [] },
    scheduledTime: textLike(/^2026-11-21T04:\d\d:\d\dZ$/),
  });
  const mailed = stage.world.mails('report').map(({ tags }) => tags['merchant']);
  expect(mailed.sort()).toEqual(['700001', '700003']);
});

it('ends with what failed: merchant, day and error, from the dead letters of this backfill alone', async () => {
  const earlier = { merchantCode: '700001', days: ['2026-11-07'], scheduledTime: '2026-11-20T00:00:00Z' };
  const attributes = { [REASON]: '2026-11-07: CipherError: x' };
  stage.aws.queues.send(`${QUEUE}-dead`, JSON.stringify(earlier), { attributes });
  refuse('700002');
  const range = days('07', '08');
  const failed = ['2026-11-07', '2026-11-08'].map((day) => {
    return { merchantCode: '700002', day, error: 'LoginRefusedError' };
  });
  const run = await says(backfill(range), 1, /^2 of 3 merchants are done, 1 failed/m);
  const lines = run.stdout.split('\n').map((line) => line.split(/ {2,}/));
  for (const one of failed) expect(lines).toContainEqual(Object.values(one));
  expect(run.stdout).not.toContain('700001');
  expect(run.stderr).toContain('npx daybook redrive backfills');

  const scheduledTime = defined(/^started: (.+)$/m.exec(run.stderr)?.[1]);
  const again = documentOf(await backfill([...range, '--watch', scheduledTime, '--json']));
  expect(again).toMatchObject({ scheduledTime, merchants: 3, succeeded: 2, failed });
});

it('names the log where runs died, and days of which nothing is known', async () => {
  const at = '2026-11-21T04:00:00Z';
  const range = [...days('07', '08'), '--merchant', '700001,700002'];
  const died = { merchantCode: '700001', days: ['2026-11-07', '2026-11-08'], scheduledTime: at };
  stage.aws.queues.send(`${QUEUE}-dead`, JSON.stringify(died));
  const run = await says(backfill([...range, '--watch', at]), 1);
  const cells = run.stdout.split('\n').map((line) => line.split(/ {2,}/));
  for (const code of ['700001', '700002']) expect(cells).toContainEqual([code, '2026-11-08', 'not known']);
  expect(run.stderr).toMatch(/the run died, or .* no room for more days: the log of daily-report/);
  expect(queued()).toEqual([]);
});

it('goes on without the person who presses Ctrl-C, and the line that it prints follows it again', async () => {
  stage.world.payments.behaviour.latencyMilliseconds = 300;
  let isSent = false;
  const run = await runProcess(['backfill', ...stage.options, ...days('10', '11')], {
    onOutput: (written, signal) => {
      if (!isSent && STARTED.test(written)) signal('SIGINT');
      isSent ||= STARTED.test(written);
    },
  });
  expect(run.code).toBe(130);
  const line = defined(/npx daybook backfill (--watch .+)$/m.exec(run.stderr)?.[1]);
  expect(line).toContain(`--from 2026-11-10 --to 2026-11-11 --local --directory ${stage.directory}`);
  expect(queued()).not.toEqual([]);

  stage.world.payments.behaviour.latencyMilliseconds = 0;
  const watch = () => runCommand(['backfill', ...line.split(' ')]);
  const { stdout } = await says(watch(), 0, /^3 of 3 merchants are done/m);
  expect(queued()).toEqual([]);
  // One that has ended can be looked at again, and nothing is sent for that.
  const reports = () => stage.invocations.filter(({ name }) => name === 'daily-report').length;
  const invoked = reports();
  expect(await watch()).toMatchObject({ code: 0, stdout });
  expect(reports()).toBe(invoked);
});

it('shows the days of few merchants in a terminal, where Ctrl-C is a key, and ends in the same way', async () => {
  stage.world.payments.behaviour.latencyMilliseconds = 300;
  const range = [...days('16', '18'), '--merchant', '700001'];
  const { code, written, raw } = await onTerminal(range, ['Reporting the days: 0 of 3', CTRL_C]);
  expect(code).toBe(130);
  expect(written).toContain('npx daybook backfill --watch 2026-11-21T04:');
  // The cursor is shown again.
  expect(raw.lastIndexOf('\u001B[?25h')).toBeGreaterThan(raw.lastIndexOf('\u001B[?25l'));
});

it('says that what failed comes back, while nothing else is left to do', async () => {
  refuse('700002', 404);
  const range = [...days('16'), '--merchant', '700002'];
  const { code, written } = await onTerminal(range, ['1 message left', CTRL_C]);
  expect(code).toBe(130);
  expect(written.replaceAll(/\s+/g, ' ')).toContain('1 message left: what failed comes back');
  expect(written).toContain('npx daybook backfill --watch 2026-11-21T04:');
});

describe('many merchants', () => {
  const stage = stageOf(21);

  it('are counted by the messages that are left', async () => {
    const { code, written } = await runOnTerminal(['backfill', ...stage.options, ...days('16')]);
    expect(code).toBe(0);
    expect(written).toMatch(/Reporting the merchants: \d+ of 21/);
    expect(written).toContain('21 of 21 merchants are done');
  });
});

it('asks in a terminal, and sends nothing after a no', async () => {
  const range = ['--from', '2026-05-01', '--to', '2026-11-01'];
  const { code, written } = await onTerminal(range, ['Start it', 'n']);
  expect(code).toBe(130);
  expect(written).toContain('nothing was started');
  expect(queued()).toEqual([]);
});

it('asks before more than 500 reports, and a pipe cannot answer', async () => {
  const many = '3 merchants, 185 days each (2026-05-01 to 2026-11-01): 555 reports';
  await refuses(backfill(['--from', '2026-05-01', '--to', '2026-11-01']), 2, many, 'give --yes');
  expect(queued()).toEqual([]);
});

it.each([
  [[], 2, /--from and --to/],
  [['--from', '2026-11-31', '--to', '2026-12-01'], 2, /^--from is not a date/],
  [days('02', '01'), 2, /^--to is before --from/],
  [['--from', '2025-10-01', '--to', '2026-11-05'], 2, /^--to: .*at most 400 days/],
  [days('02', '29'), 2, /^--to: 2026-11-29 has not begun yet/],
  [[...days('01'), '--merchant', '799999'], 1, /799999.*no such merchant/],
  [[...days('01'), '--merchant', 'a b'], 2, /^--merchant: must be a merchant code/],
  [[...days('01'), '--watch', 'today'], 2, /--watch is not a time/],
  [['--watch', '2026-11-21T04:00:00Z', '--send'], 2, /--watch/],
])('refuses %j in one line', async (args, code, line) => {
  const run = await backfill(args);
  expect(run).toMatchObject({ code, stdout: '', stderr: textLike(line) });
  expect(run.stderr).not.toContain('    at ');
});
